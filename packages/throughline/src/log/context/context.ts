import {
  entriesIn,
  isIn,
  lastRewind,
  rangesOf,
  withRewinds,
  type Range,
  type Rewound,
} from '../history.ts'
import { allSteps } from '../../json/all-steps.ts'
import { checkpointItems, itemOf, prunedItems, shows } from './items-of.ts'
import {
  keptItem,
  learned,
  nothingLearned,
  refusedItems,
  type ReasoningTaken,
} from './kept-reasoning.ts'
import { noBlocksRead, readItem, withoutBlocks, type BlocksRead } from './read-blocks.ts'
import { pendingStepStart, placeForResults } from '../open-calls.ts'
import { indexAfter, modelOrder, type Chronological, type ModelOrder } from '../order.ts'
import { latest, trustedUsage } from './trusted-usage.ts'
import type { ContextItem } from './context-item.ts'
import type { Entry, EntryOf, Seq } from '../entry.ts'

/** The context of a session: an incremental fold over its log. */
export interface Context {
  items: ModelOrder
  /** The newest entry that was folded in. */
  seq: Seq
  /** The newest entry that changed earlier content: usage from before it is stale. */
  changedAt: Seq
  checkpoint: EntryOf<'checkpoint'> | undefined
  /** The newest message whose usage can be trusted: it was measured on this very context. */
  measured: EntryOf<'message'> | undefined
  /** Active pins, and those that were removed. */
  pins: Map<Seq, EntryOf<'pin'>>
  unpinned: EntryOf<'pin'>[]
  /** What providers have said of the reasoning that was sent to them. */
  reasoning: ReasoningTaken
  /** Whose own compactions are sent. */
  blocks: BlocksRead
  /** What each rewind left in force, oldest first. */
  rewinds: readonly Rewound[]
}

/** The context of an empty log, as `provider` will read it. */
export function emptyContext(provider?: string): Context {
  return {
    items: modelOrder([]),
    seq: 0,
    changedAt: 0,
    checkpoint: undefined,
    measured: undefined,
    pins: new Map(),
    unpinned: [],
    reasoning: nothingLearned,
    blocks: { ...noBlocksRead, provider },
    rewinds: [],
  }
}

/**
 * The context after the newest entry of the log, or after the entry `upTo`.
 * @example
 * const { items } = contextOf(log)
 */
export function contextOf(log: Chronological, upTo: Seq = Number.MAX_SAFE_INTEGER): Context {
  return advanceContext(emptyContext(), log, upTo)
}

/**
 * Folds in the entries after `context.seq`, at a cost that depends on what is new and not on the
 * length of the log. The context is the fold's accumulator: it is updated in place and returned.
 */
export function advanceContext(...asked: Parameters<typeof advanceSteps>): Context {
  return allSteps(advanceSteps(...asked))
}

/** The same in steps. If the context has been advanced between two of them, the rest is left out. */
export function* advanceSteps(
  context: Context,
  log: Chronological,
  upTo: Seq = Number.MAX_SAFE_INTEGER,
): Generator<undefined, Context> {
  const { seq: known } = context
  const { measured = context.measured } = latest(log, { after: context.seq, upTo })
  let index = indexAfter(log, context.seq)
  const end = indexAfter(log, upTo)
  const last = lastRewind(log, index, end)
  if (last >= 0) {
    const rewinds = withRewinds(context.rewinds, log, index, last + 1)
    const rewind = log[last] as Entry
    const rewound = yield* rewoundSteps({ ...context, rewinds }, rewind, log)
    if (context.seq !== known) return context
    Object.assign(context, rewound, { seq: rewind.seq })
    index = last + 1
  }
  for (; index < end; index++) {
    const entry = log[index] as Entry
    fold(context, entry, log)
    context.seq = entry.seq
  }
  context.measured = trustedUsage(measured, context.changedAt)
  return context
}

function fold(context: Context, entry: Entry, log: Chronological): void {
  switch (entry.kind) {
    case 'message':
      return foldMessage(context, entry)
    case 'prune':
      return foldPrune(context, entry, log)
    case 'checkpoint':
      return foldCheckpoint(context, entry, log)
    case 'pin':
      return foldPin(context, entry)
    case 'unpin':
      return foldUnpin(context, entry)
    case 'rewind':
      // The newest one says what to fold, whatever was folded before: `rewoundSteps`.
      return
    case 'observation':
      return foldObservation(context, entry)
  }
}

/** The overwritten text comes before messages that were added after it. */
function foldObservation(context: Context, { seq, observation }: EntryOf<'observation'>): void {
  if (observation.type === 'redaction') {
    const { reasoning } = context
    // What an encrypted block says is unknown.
    const items = withoutBlocks(context.items)
    return viewChanged(context, modelOrder(items.map((item) => keptItem(item, reasoning))), seq)
  }
  if (observation.type === 'blocks') {
    const items = withoutBlocks(context.items)
    context.blocks = { ...context.blocks, refused: true }
    if (items !== context.items) viewChanged(context, items, seq)
    return
  }
  if (observation.type !== 'reasoning') return
  const items = refusedItems(context.items, context.reasoning, observation.provider, seq)
  if (items !== context.items) viewChanged(context, items, seq)
  context.reasoning = learned(context.reasoning, observation.provider)
}

/** The items with one more among them: those after it were said without it. */
function withItemAt({ items, reasoning }: Context, at: number, item: ContextItem): ModelOrder {
  const behind = items.slice(at).map((other) => keptItem(other, reasoning))
  return modelOrder([...items.slice(0, at), item, ...behind])
}

function append(context: Context, item: ContextItem): void {
  ;(context.items as unknown as ContextItem[]).push(item)
}

function foldMessage(context: Context, entry: EntryOf<'message'>): void {
  const { message } = entry
  if (message.role !== 'tool') return append(context, readItem(itemOf(entry), context.blocks))
  const at = placeForResults(context.items, message)
  if (at === undefined) return appendAside(context, { type: 'late', seq: entry.seq, message })
  if (at === context.items.length) return append(context, itemOf(entry))
  viewChanged(context, withItemAt(context, at, itemOf(entry)), entry.seq)
}

function viewChanged(context: Context, items: ModelOrder, seq: Seq): void {
  context.items = items
  context.changedAt = seq
}

function foldPrune(context: Context, entry: EntryOf<'prune'>, log: Chronological): void {
  viewChanged(context, prunedItems(context, entry, log), entry.seq)
}

function foldCheckpoint(context: Context, entry: EntryOf<'checkpoint'>, log: Chronological): void {
  viewChanged(context, checkpointItems(context, entry, log), entry.seq)
  context.checkpoint = entry
}

function foldPin(context: Context, entry: EntryOf<'pin'>): void {
  context.pins.set(entry.seq, entry)
  if (context.items.some((item) => shows(item, entry.ref))) return
  appendAside(context, { type: 'pin', seq: entry.seq, text: entry.text })
}

/** Nothing may come between pending calls and their results unless someone said it. */
function appendAside(context: Context, item: ContextItem): void {
  const start = pendingStepStart(context.items)
  if (start === undefined) append(context, item)
  else viewChanged(context, withItemAt(context, start, item), item.seq)
}

function foldUnpin(context: Context, entry: EntryOf<'unpin'>): void {
  const pin = context.pins.get(entry.pin)
  if (!pin) return
  context.pins.delete(entry.pin)
  context.unpinned.push(pin)
}

// As many as take a few milliseconds.
const few = 1_000

/** The context behind the newest of its rewinds. */
function* rewoundSteps(
  { rewinds, blocks }: Context,
  { seq }: Entry,
  log: Chronological,
): Generator<undefined, Partial<Context>> {
  const ranges = rangesOf(rewinds.at(-1)?.active)
  const resumed = ranges.filter((range) => range.resumed)
  const overwritten = newestRedaction(log, seq, ranges)
  const earlier = emptyContext(blocks.provider)
  let folded = 0
  for (const standing of entriesIn(log, ranges)) {
    // What was refused there is gone: the context is as it was before.
    const again = isIn(resumed, standing.seq)
    if (again) earlier.reasoning = withLesson(earlier.reasoning, standing)
    if (!again || !isLesson(standing)) fold(earlier, standing, log)
    if (++folded % few === 0) yield
  }
  const reasoning = log.slice(0, indexAfter(log, seq - 1)).reduce(withLesson, nothingLearned)
  const items = modelOrder(
    earlier.items.map((item) =>
      // Said behind what has been taken back, or before a text was overwritten.
      item.seq < overwritten || isIn(resumed, item.seq) ? keptItem(item, reasoning) : item,
    ),
  )
  return { ...earlier, items, changedAt: seq, rewinds, reasoning }
}

function isLesson(entry: Entry): boolean {
  return entry.kind === 'observation' && entry.observation.type === 'reasoning'
}

/** What providers have said, in force or not: they would say it again. */
function withLesson(taken: ReasoningTaken, entry: Entry): ReasoningTaken {
  return entry.kind === 'observation' && entry.observation.type === 'reasoning'
    ? learned(taken, entry.observation.provider)
    : taken
}

/** The newest overwriting that the rewind takes back: it brings no text back. */
function newestRedaction(log: Chronological, before: Seq, ranges: readonly Range[]): Seq {
  const note = log.findLast(
    (entry) =>
      entry.seq < before &&
      entry.kind === 'observation' &&
      entry.observation.type === 'redaction' &&
      !isIn(ranges, entry.seq),
  )
  return note?.seq ?? 0
}
