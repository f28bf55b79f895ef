import {
  closeResults,
  addResult,
  giveEntries,
  giveReply,
  holds,
  newConversation,
  type Conversation,
  type Reply,
  type Result,
} from './conversation.ts'
import { draftQueue, give, takeReady, type DraftQueue } from '../reading/grown-log.ts'
import {
  countOf,
  fieldsOf,
  holdsWords,
  nameOf,
  objectsOf,
  textOf,
  type Fields,
} from '../../json/fields.ts'
import { outputText } from '../../log/message.ts'
import { placeholder, utf8Bytes } from '../../compaction/prune/placeholder.ts'
import { ref } from '../../log/ref.ts'
import { sourceOf } from './parts.ts'
import { userMessages, type OriginPart } from './user-messages.ts'
import type {
  Continuation,
  EntryDraft,
  MessageDraft,
  Metadata,
  Replacement,
  Seq,
  TailItem,
} from '../../log/entry.ts'
import type { FormatReader, SessionFacts } from '../format.ts'

/** What a reader knows of its session, and how many records the model never saw, by reason. */
export interface Told {
  facts: SessionFacts
  omitted: Record<string, number>
  /** What holds words that nobody here understands. */
  unread: string[]
}

export function newTold(): Told {
  return { facts: {}, omitted: {}, unread: [] }
}

/** What a reader of any format keeps: its finished drafts, and what it knows of the session. */
export interface SessionState extends Told {
  drafts: DraftQueue
  conversation: Conversation
  /** The time of the newest record that had one. */
  at: number
}

/** The state before the first record. `note` gets each draft of the conversation with its seq. */
export function newSessionState(note?: (seq: Seq, draft: EntryDraft) => void): SessionState {
  const drafts = draftQueue()
  const conversation = newConversation((draft) => {
    const seq = give(drafts, draft)
    note?.(seq, draft)
  })
  return { ...newTold(), drafts, conversation, at: 0 }
}

/**
 * A reader made of functions: one reads a record, one adds what is left after the last. A record that
 * holds words and gives the session nothing is reported; one whose words are given later is said to be
 * held (`givingHeld`). `spoken` says in which records a conversation stands, by their `type` or by
 * what they hold: a client adds other kinds with each version.
 */
export function recordReader<State extends SessionState>(
  state: State,
  read: (state: State, record: Fields) => void,
  finish: (state: State) => void = () => {},
  spoken?: (type: string, record: Fields) => boolean,
): FormatReader {
  let count = 0
  return {
    push(value) {
      const record = fieldsOf(value)
      count++
      const type = nameOf(record?.['type'])
      const aside = record && spoken && type !== undefined
      if (aside && !spoken(type, record)) read(state, record)
      else if (record) readWhole(state, record, read, `record ${count}`)
      return takeReady(state.drafts)
    },
    unread: () => takeUnread(state),
    end() {
      finish(state)
      closeResults(state.conversation)
      return takeReady(state.drafts)
    },
    facts: () => factsWith(state),
  }
}

/** Whether a record or a field of it has a role and says something, whatever the record calls itself. */
export function isMessage(record: Fields): boolean {
  return [record, ...objectsOf(Object.values(record))].some(
    ({ role, content, parts }) => nameOf(role) !== undefined && holdsWords(content ?? parts, true),
  )
}

/** Reads a record, and notes it if it holds words and nothing came of it. */
export function readWhole<State extends SessionState>(
  state: State,
  record: Fields,
  read: (state: State, record: Fields) => void,
  name: string,
): void {
  const before = takenBy(state)
  read(state, record)
  if (takenBy(state) === before) noteUnread(state, record, name)
}

function takenBy({ conversation, unread }: SessionState): number {
  return conversation.heard + unread.length
}

/** Notes something of a file that nobody here understands, if it holds words. */
export function noteUnread({ unread }: Told, value: unknown, name: string): void {
  if (holdsWords(value)) unread.push(`${name} has text that is not understood`)
}

/** What was noted since the last call. */
export function takeUnread({ unread }: Told): readonly string[] {
  return unread.length === 0 ? unread : unread.splice(0)
}

/** Notes that a record was understood, though nothing comes of it. */
export function pass({ conversation }: SessionState): void {
  conversation.heard++
}

/** Reasons that do not say why the words of a record are left out. */
const unclear: ReadonlySet<string> = new Set([
  'damaged',
  'empty',
  'unknown-record',
  'unknown-part',
  'call-without-id',
  'result-without-call',
])

export function isUnclear(reason: string): boolean {
  return unclear.has(reason)
}

/** Counts records that the model never saw. */
export function omit(state: SessionState, reason: string, count = 1): void {
  countOmitted(state, reason, count)
  if (!isUnclear(reason)) pass(state)
}

export function countOmitted({ omitted }: Told, reason: string, count = 1): void {
  if (count > 0) omitted[reason] = (omitted[reason] ?? 0) + count
}

/** Reads the messages of a list one by one. */
export function readEach<State extends SessionState>(
  state: State,
  messages: readonly unknown[],
  read: (state: State, message: Fields, index: number) => void,
): void {
  messages.forEach((value, index) => {
    const message = fieldsOf(value)
    const name = `message ${index + 1}`
    if (message) readWhole(state, message, () => read(state, message, index), name)
    else {
      omit(state, 'damaged')
      noteUnread(state, value, name)
    }
  })
}

/** What the records have said about the session so far. */
export function factsWith({ facts, omitted }: Told): SessionFacts {
  return { ...facts, ...(Object.keys(omitted).length > 0 && { omitted: { ...omitted } }) }
}

type Known = Partial<Record<Exclude<keyof SessionFacts, 'omitted'>, unknown>>

/** Notes what a record says about the session: what is said last counts. */
export function note({ facts }: Told, known: Known): void {
  for (const [name, value] of Object.entries(known)) {
    const fact = name === 'window' ? countOf(value) : nameOf(value)
    if (fact) Object.assign(facts, { [name]: fact })
  }
}

/** The same where what is said first counts. */
export function noteFirst(told: Told, known: Known): void {
  const { facts } = told
  note(told, Object.fromEntries(Object.entries(known).filter(([name]) => !(name in facts))))
}

/** Gives what stands in the user's place: no more results are awaited. */
export function say(
  { conversation, at }: SessionState,
  parts: readonly OriginPart[],
  metadata?: Metadata,
): MessageDraft[] {
  const drafts = userMessages(parts, at, metadata)
  if (drafts.length === 0) return drafts
  giveEntries(conversation, drafts)
  conversation.open.clear()
  return drafts
}

/** The same, but what the harness says while calls are open goes after their results. */
export function sayInTurn(
  state: SessionState,
  parts: readonly OriginPart[],
  metadata?: Metadata,
): 'said' | 'held' | 'nothing' {
  const drafts = userMessages(parts, state.at, metadata)
  if (drafts.length === 0) return 'nothing'
  if (holds(state.conversation, drafts)) return 'held'
  say(state, parts, metadata)
  return 'said'
}

/** Adds a reply; one that says nothing is counted as unfinished. */
export function reply(
  state: SessionState,
  said: Omit<Reply, 'at'>,
  otherwise = 'unfinished',
): boolean {
  const given = giveReply(state.conversation, { at: state.at, ...said })
  if (!given) countOmitted(state, otherwise)
  return given
}

/** Adds a result; one that names no call is left out. */
export function result(
  { conversation, at }: SessionState,
  { toolCallId, ...given }: Omit<Result, 'at' | 'toolCallId'> & { toolCallId: unknown },
): void {
  const id = nameOf(toolCallId)
  if (id !== undefined) addResult(conversation, { at, ...given, toolCallId: id })
}

/** A client's own compaction, as its file tells it. */
export interface Compacted {
  /** The format's name, and the client's for people. */
  by: string
  label: string
  summary: unknown
  tail?: readonly TailItem[]
  /** The newest entry that it covers; all of them if nothing is said. */
  base?: Seq
  continuation?: Continuation | null
  preTokens?: unknown
  /** The record that holds it. */
  id?: unknown
  metadata?: Metadata
}

/** Adds a compaction, and returns its seq. */
export function compact(state: SessionState, compacted: Compacted): Seq {
  closeResults(state.conversation)
  pass(state)
  const { drafts, at } = state
  const { by, label, tail = [], base = drafts.given, id, metadata } = compacted
  const summary = textOf(compacted.summary) ?? ''
  const preTokens = countOf(compacted.preTokens)
  return give(drafts, {
    kind: 'checkpoint',
    at,
    base,
    summary:
      summary.trim() === ''
        ? `${label} compacted the session here. Its file contains no summary.`
        : summary,
    summarizer: by,
    tail: [...tail],
    continuation: compacted.continuation ?? null,
    metadata: { ...(preTokens !== undefined && { preTokens }), ...sourceOf(id), ...metadata },
  })
}

/** Entries that a compaction keeps. */
export function tailOf(seqs: readonly Seq[]): TailItem[] {
  return seqs.map((seq) => ({ type: 'entry', seq }))
}

/** The seqs from the first to the last. */
export function seqsBetween(first: Seq, last: Seq): Seq[] {
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => first + index)
}

/** Goes back to where this entry was the newest. */
export function rewind({ drafts, at, conversation }: SessionState, to: Seq): void {
  closeResults(conversation)
  give(drafts, { kind: 'rewind', at, to })
}

/** Shows the model something else in the place of parts. */
export function prune(
  state: SessionState,
  replacements: Replacement[],
  metadata: Metadata = {},
  when = state.at,
): void {
  const { drafts } = state
  if (replacements.length === 0) return
  pass(state)
  give(drafts, { kind: 'prune', at: when, base: drafts.given, replacements, metadata })
}

/** Where results stand and how long they are, by their calls. */
export type Results = Map<string, GivenResult>

interface GivenResult {
  seq: Seq
  part: number
  tool: string
  bytes: number
  length: number
}

/** Notes where the results in a draft stand. */
export function noteResults(results: Results, seq: Seq, draft: EntryDraft): void {
  if (draft.kind !== 'message' || draft.message.role !== 'tool') return
  draft.message.content.forEach((given, part) => {
    if (given.type !== 'tool-result') return
    const text = outputText(given.output)
    const { toolCallId, toolName: tool } = given
    results.set(toolCallId, { seq, part, tool, bytes: utf8Bytes(text), length: text.length })
  })
}

/** The placeholder of a result that was cleared. */
export function cleared(given: GivenResult): Replacement {
  const name = ref(given.seq, given.part)
  return { how: 'pruned', ref: name, text: placeholder({ ...given, ref: name }) }
}
