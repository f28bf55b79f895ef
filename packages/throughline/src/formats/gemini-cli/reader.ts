import { addResult, closeResults, givingHeld, type Result } from '../conversation/conversation.ts'
import {
  compact,
  newSessionState,
  note,
  noteUnread,
  noteFirst,
  noteResults,
  omit,
  pass,
  prune,
  readEach,
  recordReader,
  reply,
  rewind,
  say,
  seqsBetween,
  type Results,
  type SessionState,
} from '../conversation/session-state.ts'
import { call, usage } from '../conversation/parts.ts'
import {
  contentText,
  isCommand,
  isSurroundings,
  outputOf,
  partsOf,
  replyParts,
  userParts,
} from './parts.ts'
import {
  fieldsOf,
  holdsWords,
  listOf,
  nameOf,
  objectsOf,
  timeOf,
  type Fields,
} from '../../json/fields.ts'
import { outputText, type AssistantPart, type ToolOutput } from '../../log/message.ts'
import { ref } from '../../log/ref.ts'
import type { FormatReader } from '../format.ts'
import type { Metadata, Ref, Replacement, Seq, TailItem } from '../../log/entry.ts'

/** What is known while a session is read. */
interface State extends SessionState {
  /** The newest message: it is written again when its calls have results. */
  pending: Fields | undefined
  /** What the model said with the calls of the newest message, if that is a separate message. */
  said: Fields | undefined
  /** By active message: its first and its last entry. */
  given: Map<string, Span>
  /** The active messages, in the order of the view. */
  order: string[]
  results: Results
  /** By entry: the replacements of those of its results that were masked. */
  masked: Map<Seq, Map<Ref, Replacement>>
}

interface Span {
  first: Seq
  last: Seq
}

/** A fresh reader for one session, whether its file is one document or JSON Lines. */
export function geminiCliReader(): FormatReader {
  const results: Results = new Map()
  const state: State = {
    ...newSessionState((seq, draft) => noteResults(results, seq, draft)),
    pending: undefined,
    said: undefined,
    given: new Map(),
    order: [],
    results,
    masked: new Map(),
  }
  return recordReader(state, readRecord, givePending)
}

function readRecord(state: State, record: Fields): void {
  const back = record['$rewindTo']
  if (typeof back === 'string') return rewindTo(state, back)
  if (typeof record['id'] === 'string') return readMessage(state, record)
  const changed = fieldsOf(record['$set'])
  const { sessionId: id, directories, summary: title, messages, ...others } = changed ?? record
  note(state, { id, title })
  noteFirst(state, { directory: listOf(directories)[0] })
  if (changed || (nameOf(id) && messages === undefined && !holdsWords(others))) pass(state)
  if (!changed) return readEach(state, listOf(messages), readMessage)
  if (listOf(messages).length === 0) return
  givePending(state)
  if (state.order.length === 0) return readEach(state, listOf(messages), readMessage)
  const written = objectsOf(messages)
  for (const each of written.filter(isOfUnknownType)) noteUnread(state, each, 'a new history')
  replaceHistory(state, written.filter(isSpoken))
}

function isSpoken({ type }: Fields): boolean {
  return type === 'user' || type === 'gemini'
}

const clientTypes: ReadonlySet<unknown> = new Set(['info', 'error', 'warning'])

/** Whether it has what every message has, though its type is none that we know. */
function isOfUnknownType({ type, timestamp, content }: Fields): boolean {
  const known = isSpoken({ type }) || clientTypes.has(type)
  return !known && timeOf(timestamp) !== undefined && content !== undefined
}

/** A message that is written again replaces its earlier version. */
function readMessage(state: State, message: Fields): void {
  const { type } = message
  if (!isSpoken(message)) {
    if (clientTypes.has(type)) omit(state, 'client-message')
    else if (nameOf(type) !== undefined && !isOfUnknownType(message)) pass(state)
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
  if (holdsSpeech(message)) pass(state)
}

/** Whether something will come of a message: calls may still get their results. */
function holdsSpeech({ type, content, toolCalls, thoughts }: Fields): boolean {
  const parts = partsOf(content)
  if (type === 'user') return parts.length > 0
  const said = replyParts(parts).length + objectsOf(toolCalls).length + objectsOf(thoughts).length
  return said > 0
}

/** Some versions write the calls of a reply that has text as a separate message. */
function areCallsOf(said: Fields, { type, toolCalls, tokens, content }: Fields): boolean {
  const both = said['type'] === 'gemini' && type === 'gemini' && !said['toolCalls']
  return both && Array.isArray(toolCalls) && !tokens && contentText(content) === ''
}

function givePending(state: State): void {
  const { said, pending } = state
  state.said = undefined
  state.pending = undefined
  if (!pending) return
  givingHeld(state.conversation, () => giveMessage(state, said ? [said, pending] : [pending]))
}

/**
 * Adds a message that will not be written again, behind what the model said with its calls in an
 * earlier one, and records its position. `restored`: the view was written again, and the message
 * was already in it.
 */
function giveMessage(state: State, messages: readonly Fields[], restored = false): void {
  const ids = messages.flatMap(({ id }) => nameOf(id) ?? [])
  const [message = {}] = messages.slice(-1)
  state.at = timeOf(message['timestamp']) ?? state.at
  const metadata = {
    ...(ids.length > 0 && { source: { records: ids } }),
    ...(restored && { restored }),
  }
  const first = state.drafts.given + 1
  if (message['type'] === 'gemini') giveModel(state, messages, metadata)
  else giveUser(state, message, metadata)
  closeResults(state.conversation)
  for (const id of ids) {
    state.given.set(id, { first, last: state.drafts.given })
    state.order.push(id)
  }
}

function giveModel(state: State, messages: readonly Fields[], metadata: Metadata): void {
  const replies = messages.map(replyOf)
  const model = messages.map((message) => nameOf(message['model'])).find(Boolean)
  const counted = messages.map((message) => usageOf(fieldsOf(message['tokens']) ?? {}))
  note(state, { model })
  const parts = replies.flatMap((each) => each.parts)
  if (!reply(state, { parts, model, usage: counted.find(Boolean), metadata })) return
  const { at, conversation } = state
  for (const result of replies.flatMap(({ results }) => results)) {
    addResult(conversation, { at, ...result })
  }
}

/** The tokens of one reply; what was cached is part of the input. */
function usageOf({ input, output, thoughts, cached }: Fields): ReturnType<typeof usage> {
  return usage({ input: [input], output: [output, thoughts], cacheRead: cached })
}

/**
 * A reply of the model with the results of its calls. Its thoughts are only for the screen. Some
 * versions write a call twice: in the content, and with its result in the list of calls.
 */
function replyOf(message: Fields): { parts: AssistantPart[]; results: Omit<Result, 'at'>[] } {
  const unnamed = nameOf(message['id']) ?? 'call'
  const said = partsOf(message['content']).filter(({ thought }) => thought !== true)
  const parts = replyParts(said)
  const known = new Set(parts.map((part) => part.type === 'tool-call' && part.toolCallId))
  const results = objectsOf(message['toolCalls']).flatMap((called, index) => {
    const id = nameOf(called['id']) ?? `${unnamed}_${index}`
    const [part] = call(id, called['name'], called['args'])
    if (!part) return []
    if (!known.has(id)) parts.push(part)
    const output = callOutput(called)
    return output ? [{ toolCallId: id, toolName: part.toolName, output }] : []
  })
  return { parts, results }
}

/** What the record of a call gave the model; `undefined` if it never got a result. */
export function callOutput({ id, result, status }: Fields): ToolOutput | undefined {
  if (result === undefined || result === null) return undefined
  const parts = ownParts(partsOf(result), nameOf(id))
  return outputOf(parts, status === 'error' || status === 'cancelled')
}

/**
 * What stands in a record for this call: a resumed session has the responses to all calls of a
 * step under each of them, and what a tool gave besides behind its response.
 */
function ownParts(parts: readonly Fields[], id: string | undefined): readonly Fields[] {
  const ids = parts.map((part) => nameOf(fieldsOf(part['functionResponse'])?.['id']))
  const start = id === undefined ? -1 : ids.indexOf(id)
  if (start < 0) return parts
  const end = parts.findIndex((part, index) => index > start && 'functionResponse' in part)
  return parts.slice(start, end < 0 ? undefined : end)
}

/** Newer versions write results a second time, in the user's role. */
function giveUser(state: State, message: Fields, metadata: Metadata): void {
  const { content } = message
  const { conversation, results, at } = state
  for (const part of partsOf(content)) {
    const response = fieldsOf(part['functionResponse'])
    if (!response) continue
    const toolName = nameOf(response['name'])
    // A response without an id answers the first open call of its tool.
    const unnamed = [...conversation.open].find((id) => conversation.tools.get(id) === toolName)
    const toolCallId = nameOf(response['id']) ?? unnamed
    // A call that is said again waits for its result again.
    const waits = toolCallId !== undefined && conversation.open.has(toolCallId)
    if (toolCallId === undefined || (results.has(toolCallId) && !waits)) continue
    addResult(conversation, { at, toolCallId, toolName, output: outputOf([part], false) })
  }
  if (isCommand(content)) return omit(state, 'command')
  // Gemini CLI has no mark for what the harness says in the user's role: we have one of ours.
  const harness = fieldsOf(message['throughline'])?.['origin'] === 'harness'
  say(state, userParts(content, harness), metadata)
}

/** The human went back to before a message; to the beginning if the message is unknown. */
function rewindTo(state: State, id: string): void {
  givePending(state)
  const first = state.given.get(id)?.first ?? 1
  const newest = state.order.length
  for (let last = state.order.at(-1); last !== undefined; last = state.order.at(-1)) {
    if ((state.given.get(last)?.first ?? 0) < first) break
    state.order.pop()
    state.given.delete(last)
  }
  if (state.order.length < newest) rewind(state, first - 1)
}

const noSummary = 'Gemini CLI left out the earlier messages. Its file contains no summary.'

/**
 * Gemini CLI wrote the whole history anew. If nothing is missing, it is at most a prune: whoever
 * resumes a session gets what is known with the surroundings in front and with all results a
 * second time. Else it is a compaction: what stands new in front is its summary.
 */
function replaceHistory(state: State, messages: readonly Fields[]): void {
  const isKnown = (message: Fields): boolean => state.given.has(nameOf(message['id']) ?? '')
  const replacements = messages.filter(isKnown).flatMap((message) => newlyMasked(state, message))
  const said = messages.filter((message) => isKnown(message) || !isRepeated(state, message))
  if (said.every(isKnown) && isWhole(state, messages)) return prune(state, replacements)
  const start = said.findIndex(isKnown)
  const front = start < 0 ? said : said.slice(0, start)
  // The words in the user's role: the model's own only take note of them.
  const words = front.flatMap(({ type, content }) => (type === 'user' ? contentText(content) : []))
  const summary = words.join('\n')
  const kept = start < 0 ? [] : said.slice(start)
  giveCheckpoint(state, summary.trim() === '' ? noSummary : summary, kept)
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
  const parts = partsOf(content)
  if (type !== 'user' || parts.length === 0) return false
  const isKnownResult = (part: Fields): boolean =>
    results.has(nameOf(fieldsOf(part['functionResponse'])?.['id']) ?? '')
  return isSurroundings(content) || parts.every(isKnownResult)
}

/** The outputs that differ between the new and the old history. */
function newlyMasked({ results, masked }: State, message: Fields): Replacement[] {
  return objectsOf(message['toolCalls']).flatMap((called) => {
    const given = results.get(nameOf(called['id']) ?? '')
    const output = given && callOutput(called)
    if (!output) return []
    const text = outputText(output)
    if (text.length === given.length) return []
    given.length = text.length
    const replacement = { how: 'clipped' as const, ref: ref(given.seq, given.part), text }
    const others = masked.get(given.seq) ?? new Map<Ref, Replacement>()
    masked.set(given.seq, others.set(replacement.ref, replacement))
    return [replacement]
  })
}

function giveCheckpoint(state: State, summary: string, kept: readonly Fields[]): void {
  const spans = new Map<string, Span>()
  for (const message of kept) {
    const id = nameOf(message['id'])
    if (!id) continue
    if (!state.given.has(id)) giveMessage(state, [message], true)
    const span = state.given.get(id)
    if (span) spans.set(id, span)
  }
  state.given = spans
  state.order = [...spans.keys()]
  const seqs = [...new Set(spans.values())].flatMap(({ first, last }) => seqsBetween(first, last))
  const tail = seqs.map((seq): TailItem => {
    const replacements = state.masked.get(seq)
    return { type: 'entry', seq, ...(replacements && { replacements: [...replacements.values()] }) }
  })
  compact(state, { by: 'gemini-cli', label: 'Gemini CLI', summary, tail })
}
