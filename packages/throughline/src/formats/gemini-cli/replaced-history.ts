import { nameOf, objectsOf, type Fields } from '../../json/fields.ts'
import { give } from '../reading/draft-queue.ts'
import { outputText } from '../../log/message-text.ts'
import { ref } from '../../log/ref.ts'
import { giveMessage } from './give-message.ts'
import { contentText } from './parts.ts'
import { callOutput } from './tool-output.ts'
import type { Span, State } from './state.ts'
import type { Replacement, Seq, TailItem } from '../../log/entry.ts'

const noSummary = 'Gemini CLI left out what came before. Its file holds no summary.'

/**
 * Gemini CLI wrote the whole history anew. If only outputs are shorter, it is a prune;
 * else it is a compaction: what stands new in front is its summary.
 */
export function replaceHistory(state: State, history: readonly unknown[]): void {
  const messages = objectsOf(history)
  const isKnown = (message: Fields): boolean => state.given.has(nameOf(message['id']) ?? '')
  const replacements = messages.filter(isKnown).flatMap((message) => newlyMasked(state, message))
  const kept = new Set(messages.map((message) => nameOf(message['id']) ?? ''))
  const unchanged = messages.every((message) => isKnown(message) || !isSpoken(message))
  if (unchanged && state.order.every((id) => kept.has(id))) {
    return givePrune(state, replacements)
  }
  const start = messages.findIndex(isKnown)
  const front = start < 0 ? messages : messages.slice(0, start)
  giveCheckpoint(state, summaryOf(front), start < 0 ? [] : messages.slice(start))
}

function isSpoken(message: Fields): boolean {
  return message['type'] === 'user' || message['type'] === 'gemini'
}

/** The outputs that stand in the new history otherwise than they stood in the old. */
function newlyMasked(state: State, message: Fields): Replacement[] {
  return objectsOf(message['toolCalls']).flatMap((call) => {
    const given = state.results.get(nameOf(call['id']) ?? '')
    const output = given && callOutput(call)
    if (!output) return []
    const text = outputText(output)
    if (text.length === given.length) return []
    given.length = text.length
    const replacement = { how: 'clipped' as const, ref: ref(given.seq, given.part), text }
    const others = state.masked.get(given.seq)
    if (others) others.set(replacement.ref, replacement)
    else state.masked.set(given.seq, new Map([[replacement.ref, replacement]]))
    return [replacement]
  })
}

function givePrune(state: State, replacements: Replacement[]): void {
  if (replacements.length === 0) return
  const { drafts, at } = state
  give(drafts, { kind: 'prune', at, base: drafts.given, replacements, metadata: {} })
}

/** The words in the user's place: the model's own only take note of them. */
function summaryOf(front: readonly Fields[]): string {
  const texts = front.flatMap(({ type, content }) => (type === 'user' ? contentText(content) : []))
  const summary = texts.join('\n')
  return summary.trim() === '' ? noSummary : summary
}

function giveCheckpoint(state: State, summary: string, kept: readonly Fields[]): void {
  const spans = new Map<string, Span>()
  for (const message of kept.filter(isSpoken)) {
    const id = nameOf(message['id'])
    if (!id) continue
    if (!state.given.has(id)) giveMessage(state, message, { restored: true })
    const span = state.given.get(id)
    if (span) spans.set(id, span)
  }
  const tail = [...new Set(spans.values())].flatMap((span) =>
    seqsOf(span).map((seq) => item(state, seq)),
  )
  state.given = spans
  state.order = [...spans.keys()]
  const { drafts, at } = state
  give(drafts, {
    kind: 'checkpoint',
    at,
    base: drafts.given,
    summary,
    summarizer: 'gemini-cli',
    tail,
    continuation: null,
    metadata: {},
  })
}

function seqsOf({ first, last }: Span): Seq[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index)
}

function item({ masked }: State, seq: Seq): TailItem {
  const replacements = masked.get(seq)
  return { type: 'entry', seq, ...(replacements && { replacements: [...replacements.values()] }) }
}
