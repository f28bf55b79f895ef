import { addResult, closeResults, giveReply } from '../conversation/conversation.ts'
import {
  cleared,
  compact,
  newSessionState,
  note,
  noteFirst,
  noteResults,
  omit,
  pass,
  prune,
  readEach,
  readWhole,
  recordReader,
  rewind,
  say,
  type Results,
  type SessionState,
} from '../conversation/session-state.ts'
import {
  fieldsOf,
  listOf,
  nameOf,
  objectsOf,
  textOf,
  timeOf,
  type Fields,
} from '../../json/fields.ts'
import { madeParts, userMessages, type OriginPart } from '../conversation/user-messages.ts'
import { modelNameOf } from '../writing/written-fields.ts'
import { blocksIn, sourceOf } from '../conversation/parts.ts'
import { stepsOf, usageOf, userParts, type Step } from './parts.ts'
import type { Continuation, Replacement, Seq, TailItem } from '../../log/entry.ts'
import type { FormatReader } from '../format.ts'

/** What is known while an export is read. */
interface State extends SessionState {
  /** All messages that were pushed: a later part says when an earlier one was cleared. */
  messages: Fields[]
  ids: Set<string>
  /** The message from which on the human undid everything. */
  revertedFrom: string | undefined
  /** By message: the seq that its first entry has. */
  firstOf: Map<string, Seq>
  /** The seqs of all entries that are messages, oldest first. */
  messageSeqs: Seq[]
  results: Results
  /** By entry: the placeholders of those of its results that were cleared. */
  cleared: Map<Seq, Replacement[]>
  markers: Map<string, Marker>
  /** The human's newest request, and its position. */
  asked: { seq: Seq; words: string } | undefined
}

/** A requested compaction: the newest entry and the newest request before it. */
interface Marker {
  part: Fields
  base: Seq
  asked: State['asked']
}

export function opencodeReader(): FormatReader {
  const results: Results = new Map()
  const messageSeqs: Seq[] = []
  const session = newSessionState((seq, draft) => {
    if (draft.kind === 'message') messageSeqs.push(seq)
    noteResults(results, seq, draft)
  })
  const state: State = {
    ...session,
    messages: [],
    ids: new Set(),
    revertedFrom: undefined,
    firstOf: new Map(),
    messageSeqs,
    results,
    cleared: new Map(),
    markers: new Map(),
    asked: undefined,
  }
  return recordReader(state, readRecord, giveSession)
}

function readRecord(state: State, record: Fields): void {
  const info = fieldsOf(record['info'])
  if (!info) return
  if (!Array.isArray(record['messages'])) {
    if (Array.isArray(record['parts'])) readMessage(state, record)
    return
  }
  const { id, title, directory } = info
  note(state, { id, title, directory })
  state.revertedFrom = nameOf(fieldsOf(info['revert'])?.['messageID'])
  readEach(state, listOf(record['messages']), readMessage)
}

function readMessage(state: State, message: Fields): void {
  const info = fieldsOf(message['info'])
  if (!info) return omit(state, 'damaged')
  const id = nameOf(info['id'])
  if (id && state.ids.has(id)) return omit(state, 'duplicate')
  if (id) state.ids.add(id)
  state.messages.push(message)
  pass(state)
  noteFirst(state, { id: info['sessionID'], directory: fieldsOf(info['path'])?.['cwd'] })
  if (info['summary'] !== true) note(state, { model: modelNameOf(info['modelID']) })
}

function infoOf(message: Fields | undefined): Fields {
  return fieldsOf(message?.['info']) ?? {}
}

/** Adds all messages that were pushed, and the changes of the view where they happened. */
function giveSession(state: State): void {
  const { messages } = state
  const summaryOf = summariesIn(messages)
  const clearedBefore = clearedIn(messages)
  state.messages = []
  /** The message that a compaction took as its continuation. */
  let taken: Fields | undefined
  const giveMessage = (message: Fields, index: number): void => {
    const info = infoOf(message)
    const id = nameOf(info['id'])
    state.at = timeOf(fieldsOf(info['time'])?.['created']) ?? state.at
    if (id) state.firstOf.set(id, state.drafts.given + 1)
    if (message === taken) return pass(state)
    if (info['role'] === 'user') return giveUser(state, message, summaryOf.has(id ?? ''))
    if (info['role'] !== 'assistant') return
    if (summaryOf.get(nameOf(info['parentID']) ?? '') !== message) {
      return giveReplies(state, message, index === messages.length - 1)
    }
    taken = giveCheckpoint(state, message, messages[index + 1])
  }
  messages.forEach((message, index) => {
    giveCleared(state, clearedBefore.get(index))
    readWhole(state, message, () => giveMessage(message, index), `message ${index + 1}`)
  })
  giveCleared(state, clearedBefore.get(messages.length))
  // The human went back and has said nothing since.
  const first = state.firstOf.get(state.revertedFrom ?? '')
  state.revertedFrom = undefined
  if (first !== undefined && first <= state.drafts.given) rewind(state, first - 1)
}

/**
 * By the compaction's marker: the message that holds its summary. A compaction has happened when
 * its summary is whole; a failed one changed nothing.
 */
function summariesIn(messages: readonly Fields[]): Map<string, Fields> {
  const markers = new Set<string>()
  const found = new Map<string, Fields>()
  for (const message of messages) {
    const info = infoOf(message)
    const id = nameOf(info['id'])
    if (id && compactionPart(message)) markers.add(id)
    const parent = nameOf(info['parentID'])
    if (!parent || !markers.has(parent) || found.has(parent)) continue
    const whole = info['summary'] === true && nameOf(info['finish']) !== undefined
    if (whole && !info['error']) found.set(parent, message)
  }
  return found
}

/** The part of a user's message that asks for a compaction. */
function compactionPart(message: Fields): Fields | undefined {
  if (infoOf(message)['role'] !== 'user') return undefined
  return objectsOf(message['parts']).find((part) => part['type'] === 'compaction')
}

/** A call whose output was cleared, and when. */
interface Cleared {
  call: string
  at: number
}

/**
 * By the position of a message: the calls whose outputs were cleared before it. opencode notes on
 * each output when it was cleared, not where in the conversation.
 */
function clearedIn(messages: readonly Fields[]): Map<number, Cleared[]> {
  // By message: the latest time at which it or one before it was made.
  let latest = 0
  const clock = messages.map((message) => {
    latest = Math.max(latest, timeOf(fieldsOf(infoOf(message)['time'])?.['created']) ?? 0)
    return latest
  })
  const found = new Map<number, Cleared[]>()
  messages.forEach((message, index) => {
    for (const { type, state, callID } of objectsOf(message['parts'])) {
      const at = timeOf(fieldsOf(fieldsOf(state)?.['time'])?.['compacted'])
      const call = nameOf(callID)
      if (type !== 'tool' || at === undefined || !call) continue
      const position = firstAbove(clock, at, index + 1)
      const cleared = found.get(position) ?? []
      cleared.push({ call, at })
      found.set(position, cleared)
    }
  })
  return found
}

/** The first position, not before `from`, of a number above `most` in a list that only grows. */
function firstAbove(numbers: readonly number[], most: number, from = 0): number {
  let low = from
  let high = numbers.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((numbers[middle] ?? 0) > most) high = middle
    else low = middle + 1
  }
  return low
}

/** Adds the outputs that opencode cleared here as one prune. */
function giveCleared(state: State, calls: readonly Cleared[] = []): void {
  let compacted = 0
  const replacements: Replacement[] = []
  for (const [call, at] of new Map(calls.map((each) => [each.call, each.at]))) {
    const result = state.results.get(call)
    if (!result) continue
    compacted = Math.max(compacted, at)
    const replacement = cleared(result)
    replacements.push(replacement)
    state.cleared.set(result.seq, [...(state.cleared.get(result.seq) ?? []), replacement])
  }
  prune(state, replacements, { time: { compacted } }, compacted)
}

/** What opencode shows the model in place of a compaction without a summary. */
const emptyMarker = 'What did we do so far?'

/** `done`: whether it asks for a compaction that has happened. */
function giveUser(state: State, message: Fields, done: boolean): void {
  const id = nameOf(infoOf(message)['id'])
  const marker = compactionPart(message)
  const parts = userParts(blocksIn(message['parts'] ?? []))
  if (marker && !done) parts.push(...madeParts(emptyMarker))
  const before = state.drafts.given
  const drafts = say(state, parts, sourceOf(id))
  if (isForHuman(message)) pass(state)
  const human = drafts.findLastIndex(({ origin }) => origin === 'human')
  if (human >= 0) state.asked = { seq: before + human + 1, words: wordsOf(parts) }
  if (!marker || !done || id === undefined) return
  state.markers.set(id, { part: marker, base: state.drafts.given, asked: state.asked })
}

/** Whether opencode shows all of it to the human alone. */
function isForHuman(message: Fields): boolean {
  const parts = objectsOf(message['parts'])
  return parts.length > 0 && parts.every(({ ignored }) => ignored === true)
}

/** Adds an assistant's message, step by step, each with its results. */
function giveReplies(state: State, message: Fields, last: boolean): void {
  const info = infoOf(message)
  // Whether the human stopped this message.
  const aborted = nameOf(fieldsOf(info['error'])?.['name']) === 'MessageAbortedError'
  // opencode never shows the model a reply that failed.
  if (info['error'] && !(aborted && holdsWork(message))) return omit(state, 'failed-reply')
  const { conversation, at } = state
  const about = { at, model: modelNameOf(info['modelID']), metadata: sourceOf(info['id']) }
  const steps = stepsOf(message)
  steps.forEach((step, index) => {
    const { parts, usage, results } = step
    const stopped = aborted ? index === steps.length - 1 : hasOpenCalls(step) && !last
    const finish = stopped ? 'aborted' : step.finish
    if (giveReply(conversation, { ...about, parts, usage, finish })) {
      for (const result of results) addResult(conversation, { at, ...result })
      closeResults(conversation)
    } else if (parts.length > 0) omit(state, 'unfinished')
  })
}

function holdsWork(message: Fields): boolean {
  return objectsOf(message['parts']).some(
    ({ type }) => type !== 'step-start' && type !== 'reasoning',
  )
}

function hasOpenCalls({ parts, results }: Step): boolean {
  const calls = parts.filter((part) => part.type === 'tool-call' && !part.providerExecuted)
  return calls.length > results.length
}

const noSummary = 'opencode compacted the session here. Its summary is empty.'

/** Adds a compaction, and returns which message `next` it used as its continuation. */
function giveCheckpoint(
  state: State,
  message: Fields,
  next: Fields | undefined,
): Fields | undefined {
  const info = infoOf(message)
  const marker = state.markers.get(nameOf(info['parentID']) ?? '')
  if (!marker) return undefined
  const texts = objectsOf(message['parts']).filter(({ type }) => type === 'text')
  const summary = texts.flatMap((part) => textOf(part['text']) ?? []).join('\n')
  const continuation = continuationOf(marker, next)
  const taken = continuation ? next : undefined
  const ids = [marker.part['messageID'], info['id'], infoOf(taken)['id']]
  compact(state, {
    by: 'opencode',
    label: 'opencode',
    summary: summary.trim() === '' ? noSummary : summary,
    base: marker.base,
    tail: tailIn(state, marker),
    continuation,
    preTokens: usageOf(info['tokens'])?.inputTokens,
    metadata: {
      trigger: marker.part['auto'] === true ? 'auto' : 'manual',
      source: { records: ids.flatMap((id) => nameOf(id) ?? []) },
    },
  })
  return taken
}

const longestTail = 500

/** What was kept word for word: from the message that the marker names up to the marker. */
function tailIn(
  { firstOf, messageSeqs, cleared: placeholders }: State,
  marker: Marker,
): TailItem[] {
  const first = firstOf.get(nameOf(marker.part['tail_start_id']) ?? '')
  if (first === undefined) return []
  const end = firstAbove(messageSeqs, marker.base)
  const start = Math.max(firstAbove(messageSeqs, first - 1), end - longestTail)
  return messageSeqs.slice(start, end).map((seq) => {
    const replacements = placeholders.get(seq)
    return { type: 'entry', seq, ...(replacements && { replacements }) }
  })
}

/** How opencode makes the agent continue after a compaction of its own. */
const continueText = 'Continue if you have next steps'

/**
 * Whether this message is the continuation that opencode made for this compaction: it says
 * `continue`, or repeats the request that was too large.
 */
function continuationOf({ asked, part }: Marker, message: Fields | undefined): Continuation | null {
  if (infoOf(message)['role'] !== 'user') return null
  const texts = objectsOf(message?.['parts'])
  const parts = userParts(texts)
  const [draft, ...more] = userMessages(parts, 0)
  if (draft?.message.role !== 'user' || more.length > 0) return null
  const found = { message: draft.message, metadata: { compaction_continue: true } }
  if (texts.some(saysContinue)) return { kind: 'mid-task', ...found }
  if (part['overflow'] !== true || !asked || wordsOf(parts) !== asked.words) return null
  if (!parts.some(isAttached)) return { kind: 'unanswered', ...found, of: asked.seq }
  const metadata = { ...found.metadata, had_media: true }
  return { kind: 'media', ...found, metadata, of: asked.seq }
}

function saysContinue({ synthetic, metadata, text }: Fields): boolean {
  if (synthetic !== true) return false
  if (fieldsOf(metadata)?.['compaction_continue'] === true) return true
  return nameOf(text)?.startsWith(continueText) === true
}

/** The human's words, without the replacements for media. */
function wordsOf(parts: readonly OriginPart[]): string {
  const said = parts.filter((given) => given.origin === 'human' && !isAttached(given))
  return said.flatMap(({ part }) => (part.type === 'text' ? [part.text] : [])).join('\n')
}

function isAttached({ part }: OriginPart): boolean {
  return part.type === 'text' && part.text.startsWith('[Attached ')
}
