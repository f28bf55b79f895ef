import { omit } from '../omitted.ts'
import { recordReader } from '../conversation/session-state.ts'
import { fieldsOf, listOf, nameOf, type Fields, objectsOf } from '../../json/fields.ts'
import { closeResults } from '../conversation/conversation.ts'
import { give } from '../reading/grown-log.ts'
import { giveMessage, callOutput } from './give-message.ts'
import { contentText, isSurroundings, partsOf } from './user-parts.ts'
import { newState, type State, type Span } from './state.ts'
import type { FormatReader } from '../format.ts'
import { outputText } from '../../log/message.ts'
import { ref } from '../../log/ref.ts'
import type { Replacement, Seq, TailItem } from '../../log/entry.ts'

/** A fresh reader for one session, whether its file is one document or JSON Lines. */
export function geminiCliReader(): FormatReader {
  return recordReader(newState(), readRecord, givePending)
}

function readRecord(state: State, record: Fields): void {
  const back = record['$rewindTo']
  if (typeof back === 'string') return rewindTo(state, back)
  if (typeof record['id'] === 'string') return readMessage(state, record)
  const changed = fieldsOf(record['$set'])
  if (!changed) return readSession(state, record)
  readFacts(state, changed)
  if (listOf(changed['messages']).length === 0) return
  givePending(state)
  if (state.order.length > 0) replaceHistory(state, listOf(changed['messages']))
  else readMessages(state, listOf(changed['messages']))
}

function readSession(state: State, record: Fields): void {
  readFacts(state, record)
  if (Array.isArray(record['messages'])) readMessages(state, record['messages'])
}

function readFacts(state: State, record: Fields): void {
  const id = nameOf(record['sessionId'])
  const directory = nameOf(listOf(record['directories'])[0])
  const title = nameOf(record['summary'])
  if (id) state.facts.id = id
  if (title) state.facts.title = title
  if (directory) state.facts.directory ??= directory
}

function readMessages(state: State, messages: readonly unknown[]): void {
  for (const value of messages) {
    const message = fieldsOf(value)
    if (message) readMessage(state, message)
    else omit(state, 'damaged')
  }
}

/** A message that is written again replaces its earlier version. */
function readMessage(state: State, message: Fields): void {
  const { type } = message
  if (type !== 'user' && type !== 'gemini') {
    if (notices.has(type)) omit(state, 'client-message')
    return
  }
  const id = nameOf(message['id'])
  if (id === undefined || state.pending?.['id'] !== id) {
    if (state.pending && !state.said && areCallsOf(state.pending, message)) {
      state.said = state.pending
    } else givePending(state)
  }
  if (id !== undefined && state.given.has(id)) return omit(state, 'duplicate')
  state.pending = message
}

const notices: ReadonlySet<unknown> = new Set(['info', 'error', 'warning'])

/** Some versions write the calls of a reply that has text as a separate message. */
function areCallsOf(reply: Fields, message: Fields): boolean {
  if (reply['type'] !== 'gemini' || message['type'] !== 'gemini') return false
  return (
    !reply['toolCalls'] &&
    Array.isArray(message['toolCalls']) &&
    !message['tokens'] &&
    contentText(message['content']) === ''
  )
}

function givePending(state: State): void {
  const { said, pending } = state
  state.said = undefined
  state.pending = undefined
  if (pending) giveMessage(state, pending, { said })
}

/** The human went back to before a message; to the beginning if the message is unknown. */
function rewindTo(state: State, id: string): void {
  givePending(state)
  closeResults(state.conversation)
  const first = state.given.get(id)?.first ?? 1
  const newest = state.order.length
  for (let last = state.order.at(-1); last !== undefined; last = state.order.at(-1)) {
    if ((state.given.get(last)?.first ?? 0) < first) break
    state.order.pop()
    state.given.delete(last)
  }
  if (state.order.length === newest) return
  give(state.drafts, { kind: 'rewind', at: state.at, to: first - 1 })
}

const noSummary = 'Gemini CLI left out the earlier messages. Its file contains no summary.'

/**
 * Gemini CLI wrote the whole history anew. If nothing is missing, it is at most a prune: whoever
 * resumes a session gets what is known with the surroundings in front and with all results a
 * second time. Else it is a compaction: what stands new in front is its summary.
 */
function replaceHistory(state: State, history: readonly unknown[]): void {
  const messages = objectsOf(history).filter((message) => isSpoken(message))
  const isKnown = (message: Fields): boolean => state.given.has(nameOf(message['id']) ?? '')
  const replacements = messages.filter(isKnown).flatMap((message) => newlyMasked(state, message))
  const said = messages.filter((message) => isKnown(message) || !isRepeated(state, message))
  if (said.every(isKnown) && isWhole(state, messages)) {
    return givePrune(state, replacements)
  }
  const start = said.findIndex(isKnown)
  const front = start < 0 ? said : said.slice(0, start)
  giveCheckpoint(state, summaryOf(front), start < 0 ? [] : said.slice(start))
}

/** Whether all that the model sees stands in these messages; commands and such it never saw. */
function isWhole({ given, order }: State, messages: readonly Fields[]): boolean {
  const kept = new Set(messages.map((message) => given.get(nameOf(message['id']) ?? '')))
  return order.every((id) => {
    const span = given.get(id)
    return span === undefined || span.last < span.first || kept.has(span)
  })
}

/** Whether a message only says again what its session knows: its surroundings, or results. */
function isRepeated({ results }: State, { type, content }: Fields): boolean {
  if (type !== 'user') return false
  const parts = partsOf(content)
  if (parts.length === 0) return false
  return isSurroundings(content) || parts.every((part) => isKnownResult(results, part))
}

function isKnownResult(results: State['results'], part: Fields): boolean {
  return results.has(nameOf(fieldsOf(part['functionResponse'])?.['id']) ?? '')
}

function isSpoken(message: Fields): boolean {
  return message['type'] === 'user' || message['type'] === 'gemini'
}

/** The outputs that differ between the new and the old history. */
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

/** The words in the user's role: the model's own only take note of them. */
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
