import { pendingStepStart, placeForResults } from '../open-calls.ts'
import { allSteps, inSteps } from '../../json/all-steps.ts'
import { partsOf, type Message, type Part, type ToolOutput } from '../message.ts'
import { entryAt, modelOrder, type Chronological, type ModelOrder } from '../order.ts'
import { parseRef } from '../ref.ts'
import { readingItems } from './known-items.ts'
import { keptItem, tailKept, withoutBareSteps, type ReasoningTaken } from './kept-reasoning.ts'
import type { BlocksRead } from './read-blocks.ts'
import type { ContextItem, MessageItem } from './context-item.ts'
import type { CheckpointDraft, EntryOf, PruneDraft, Ref, Replacement, Seq } from '../entry.ts'

/** What a change of the view starts from. */
interface View {
  items: ModelOrder
  reasoning: ReasoningTaken
  pins: ReadonlyMap<Seq, EntryOf<'pin'>>
  unpinned: readonly EntryOf<'pin'>[]
  blocks: BlocksRead
}

/** A message as the model sees it, with what stands in place of some of its parts. */
export function itemOf(
  entry: EntryOf<'message'>,
  replacements?: readonly Replacement[],
): MessageItem {
  return {
    type: 'message',
    seq: entry.seq,
    message: replacements?.length ? replaceParts(entry.message, replacements) : entry.message,
    origin: entry.origin,
    ...(entry.finish && { finish: entry.finish }),
    ...(entry.metadata && { metadata: entry.metadata }),
    ...(replacements?.length && { replacements }),
  }
}

/** Says of a message of which something was pruned when that was (T9). */
function markPruned(item: MessageItem, compacted: number | undefined): MessageItem {
  if (compacted === undefined) return item
  if (!item.replacements?.some(({ how }) => how === 'pruned')) return item
  const { metadata } = item
  return { ...item, metadata: { ...metadata, time: { ...metadata?.time, compacted } } }
}

/**
 * What the model would see if this prune were the newest entry. What stands before the first
 * part that it replaces is as it was; it leaves the reasoning of what stands behind that.
 */
export function prunedItems(...asked: Parameters<typeof prunedSteps>): ModelOrder {
  return allSteps(prunedSteps(...asked))
}

/** The same in steps. */
export function* prunedSteps(
  view: View,
  entry: PruneDraft,
  log: Chronological,
): Generator<undefined, ModelOrder> {
  const bySeq = new Map<Seq, Replacement[]>()
  for (const replacement of entry.replacements) {
    const seq = parseRef(replacement.ref)?.seq ?? 0
    const list = bySeq.get(seq)
    if (list) list.push(replacement)
    else bySeq.set(seq, [replacement])
  }
  let changed = false
  const items = yield* inSteps(view.items, (item): [ContextItem] => {
    if (item.type !== 'message') return [item]
    const added = bySeq.get(item.seq)
    const original = added && entryAt(log, item.seq)
    if (!added || original?.kind !== 'message') {
      return [changed ? keptItem(item, view.reasoning) : item]
    }
    changed = true
    const refs = new Set(added.map(({ ref }) => ref))
    const earlier = (item.replacements ?? []).filter(({ ref }) => !refs.has(ref))
    const { kept, unread } = item
    const replaced = {
      ...itemOf(original, [...earlier, ...added]),
      ...(kept && { kept }),
      ...(unread && { unread }),
    }
    const again = added.some(({ how }) => how === 'pruned')
    const marked = markPruned(replaced, again ? entry.at : item.metadata?.time?.compacted)
    return [keptItem(marked, view.reasoning)]
  })
  return modelOrder(withPinsOfReplaced(view, items))
}

/** A pin whose words stood where they were said stands by itself once they are replaced. */
function withPinsOfReplaced({ items: before, pins, reasoning }: View, items: ContextItem[]) {
  const [first] = items
  const told = [...pins.values()].flatMap(({ seq, text, ref }): ContextItem[] => {
    const isGone =
      before.some((item) => shows(item, ref)) && !items.some((item) => shows(item, ref))
    const isInBlock = first?.type === 'summary' && first.pins.includes(text)
    return isGone && !isInBlock ? [{ type: 'pin', seq, text }] : []
  })
  if (told.length === 0) return items
  const at = pendingStepStart(items) ?? items.length
  const behind = items.slice(at).map((item) => keptItem(item, reasoning))
  return [...items.slice(0, at), ...told, ...behind]
}

/** Whether the model sees what the ref names in its original words. */
export function shows(item: ContextItem, ref: Ref | undefined): boolean {
  if (ref === undefined || item.type !== 'message' || item.seq !== parseRef(ref)?.seq) return false
  return !item.replacements?.some((replacement) => isWithin(replacement.ref, ref))
}

function isWithin(part: Ref, ref: Ref): boolean {
  return part === ref || part.startsWith(`${ref}.`)
}

/** What the model would see if this checkpoint were the newest entry. */
export function checkpointItems(
  view: View,
  entry: CheckpointDraft & { seq: Seq },
  log: Chronological,
): ModelOrder {
  const { seq, continuation } = entry
  const base = baseOf(entry)
  const items = summaryItems(view, entry)
  const standing = new Set<Seq>()
  const { prunedAt } = surveyOf(view.items)
  for (const kept of entry.tail) {
    if (kept.type === 'omission') {
      items.push({ ...kept, seq })
      continue
    }
    const original = entryAt(log, kept.seq)
    if (original?.kind !== 'message' || original.seq > base || standing.has(original.seq)) continue
    standing.add(original.seq)
    const at = prunedAt.get(original.seq) ?? entry.at
    place(items, markPruned(itemOf(original, kept.replacements), at))
  }
  if (continuation) items.push({ type: 'continuation', seq, continuation })
  for (const item of saidAfter(view, base, log)) place(items, item)
  const kept = modelOrder(tailKept(items, view.reasoning))
  const { refused, demanded } = view.reasoning
  return refused && demanded ? withoutBareSteps(kept, 0, seq) : kept
}

/** What every checkpoint of the same items asks of all of them. */
interface Survey {
  newest: Seq
  /** When something of a message was pruned. */
  prunedAt: Map<Seq, number>
}

export const surveyOf = readingItems<Survey>({
  nothing: () => ({ newest: 0, prunedAt: new Map() }),
  note: (survey, item) => {
    survey.newest = Math.max(survey.newest, item.seq)
    const compacted = item.type === 'message' ? item.metadata?.time?.compacted : undefined
    if (compacted !== undefined) survey.prunedAt.set(item.seq, compacted)
  },
  copy: ({ newest, prunedAt }) => ({ newest, prunedAt: new Map(prunedAt) }),
})

/**
 * The block that stands first. Version 0.2 also wrote checkpoints that folded steps in the middle, and
 * had none where none was before.
 */
function summaryItems(view: View, entry: CheckpointDraft & { seq: Seq }): ContextItem[] {
  const { seq, summary, block: own } = entry
  const pins = [...view.pins.values()].map((pin) => pin.text)
  const takenBack = view.unpinned.map((pin) => pin.text)
  const { blocks } = view
  const isRead = own !== undefined && own.provider === blocks.provider && !blocks.refused
  if ('fold' in entry && [summary, ...pins, ...takenBack].join('') === '') return []
  return [{ type: 'summary', seq, summary, pins, takenBack, ...(isRead && { block: own }) }]
}

/**
 * The newest entry that a checkpoint covers. A log can't be trusted, so none that came later
 * counts.
 */
export function baseOf({ base, seq }: { base: Seq; seq: Seq }): Seq {
  return Math.min(base, seq - 1)
}

/**
 * Messages that arrived while a summary was written, in the order of the log. They follow what the
 * summary replaces. The old positions of results no longer matter: each finds its place again. Pins
 * are in the summary's block.
 */
function saidAfter(view: View, base: Seq, log: Chronological): ContextItem[] {
  if (surveyOf(view.items).newest <= base) return []
  return view.items
    .filter(({ type, seq }) => seq > base && type !== 'pin')
    .toSorted((one, other) => one.seq - other.seq)
    .map((item) => {
      const entry = item.type === 'late' ? entryAt(log, item.seq) : undefined
      return entry?.kind === 'message' ? itemOf(entry) : item
    })
}

/** Puts an item in its place: results after their step, or as text if the step is gone. */
function place(items: ContextItem[], item: ContextItem): void {
  if (item.type !== 'message' || item.message.role !== 'tool') {
    items.push(item)
    return
  }
  const { seq, message } = item
  const at = placeForResults(items, message)
  if (at !== undefined) items.splice(at, 0, item)
  // Nothing that no one said may come between calls that wait and their results.
  else items.splice(pendingStepStart(items) ?? items.length, 0, { type: 'late', seq, message })
}

/** The message with some of its parts replaced; the original is unchanged. */
export function replaceParts(message: Message, replacements: readonly Replacement[]): Message {
  const byPart = new Map(replacements.map((item) => [parseRef(item.ref)?.part, item]))
  const content = partsOf(message).map((part, index) => {
    const replacement = byPart.get(index)
    return replacement ? replacePart(part, replacement) : part
  })
  return { ...message, content } as Message
}

/** The parts of a pair keep their types, whatever a log says, because each half needs the other. */
function replacePart(part: Part, replacement: Replacement): Part {
  if ('input' in replacement) {
    return part.type === 'tool-call' ? { ...part, input: replacement.input } : part
  }
  switch (part.type) {
    case 'tool-call':
    case 'tool-approval-request':
    case 'tool-approval-response':
      return part
    case 'tool-result':
      return { ...part, output: outputWithText(part.output, replacement.text) }
    case 'text':
      return { ...part, text: replacement.text }
    default:
      return { type: 'text', text: replacement.text }
  }
}

function outputWithText(output: ToolOutput, value: string): ToolOutput {
  const failed = output.type === 'error-text' || output.type === 'error-json'
  return { type: failed ? 'error-text' : 'text', value }
}
