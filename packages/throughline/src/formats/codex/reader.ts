import { askedByAgent } from '../../log/asked-by-agent.ts'
import {
  compact,
  isMessage,
  newSessionState,
  note,
  noteUnread,
  recordReader,
  rewind,
  tailOf,
  type SessionState,
} from '../conversation/session-state.ts'
import {
  countOf,
  fieldsOf,
  nameOf,
  objectsOf,
  textOf,
  timeOf,
  type Fields,
} from '../../json/fields.ts'
import { finish, newTranscript, readItem, readUsage, type Transcript } from './transcript.ts'
import { give, keyOf } from '../reading/grown-log.ts'
import { outputText } from '../../log/message.ts'
import { blocksIn, rowFor, usage } from '../conversation/parts.ts'
import type { FormatReader } from '../format.ts'
import type { MessageDraft, Seq } from '../../log/entry.ts'

interface State extends SessionState {
  transcript: Transcript
  /** By content: the entries that say it, which a compaction may repeat. */
  said: Map<number, Seq[]>
  /** The human's messages, oldest first: a roll-back counts these. */
  humans: { seq: Seq; size: number }[]
  /** The newest texts in the user's place, which events repeat. */
  items: string[]
  /** What an event says that no item has said yet. */
  shown: string[]
  /** The newest compaction: the view never goes back before it. */
  floor: Seq
  /** The running total of the newest token count. */
  total: number
  identified: boolean
  /** Who asks: in the session of a sub-agent, once the history that it took over has ended, its parent. */
  asks: 'human' | 'parent' | 'agent'
}

export function codexReader(): FormatReader {
  const transcript = newTranscript((draft) => void giveMessage(state, draft))
  const state: State = {
    ...newSessionState(),
    conversation: transcript.conversation,
    transcript,
    said: new Map(),
    humans: [],
    items: [],
    shown: [],
    floor: 0,
    total: 0,
    identified: false,
    asks: 'human',
  }
  const end = (): void => {
    giveShown(state)
    finish(transcript)
  }
  return recordReader(state, readRecord, end, spoken)
}

/** Items of the model's API, and what was put in their place; the rest is for the screen. */
function spoken(type: string, record: Fields): boolean {
  if (isMessage(record)) return true
  if (type === 'event_msg') return false
  const {
    call_id: call,
    output,
    arguments: input,
    replacement_history: history,
  } = fieldsOf(record['payload']) ?? {}
  return itemTypes.test(type) || history !== undefined || (call && (output ?? input)) !== undefined
}

const itemTypes =
  /^(?:response_item|compacted|message|function_call|function_call_output|reasoning)$/

type Reads = (state: State, payload: Fields) => void

function readRecord(state: State, record: Fields): void {
  const payload = fieldsOf(record['payload'])
  if (!payload) return
  state.at = timeOf(record['timestamp']) ?? state.at
  rowFor(records, record['type'])?.(state, ownRole(record, payload))
}

const records: Readonly<Record<string, Reads>> = {
  response_item: readResponseItem,
  event_msg: (state, payload) => rowFor(events, payload['type'])?.(state, payload),
  compacted: readCompacted,
  turn_context(state, { model }) {
    note(state, { model })
    state.transcript.model = nameOf(model) ?? state.transcript.model
  },
  session_meta: readMeta,
}

const events: Readonly<Record<string, Reads>> = {
  token_count: readTokenCount,
  task_started: (state, { model_context_window: window }) => note(state, { window }),
  turn_aborted({ transcript: { step } }) {
    if (step) step.interrupted = true
  },
  thread_name_updated: (state, { thread_name: title }) => note(state, { title }),
  user_message: readShown,
  thread_rolled_back: (state, { num_turns: turns }) => rollBack(state, countOf(turns) ?? 0),
}

function readResponseItem(state: State, payload: Fields): void {
  const blocks = payload['role'] === 'user' ? blocksIn(payload['content']) : []
  const text = squeezed(blocks.map((block) => textOf(block['text']) ?? '').join(''))
  if (text === '') {
    giveShown(state)
    state.items = []
  } else state.items.push(text)
  state.shown = state.shown.filter((words) => !text.endsWith(squeezed(words)))
  readItem(state.transcript, payload, state.at)
}

/** A text without its blanks: an event joins the blocks of its item in its own way. */
function squeezed(text: string): string {
  return text.replace(/\s+/g, '')
}

/** Codex shows what an item says by an event after it: where the item is lost, the event is left. */
function readShown(state: State, { message }: Fields): void {
  const words = textOf(message)?.trim() ?? ''
  if (words === '') return
  const said = state.items.findIndex((text) => text.endsWith(squeezed(words)))
  if (said >= 0) state.items.splice(said, 1)
  else state.shown.push(words)
}

/** Gives the words of events whose items are lost. */
function giveShown({ shown, transcript, at }: State): void {
  for (const text of shown.splice(0)) {
    const content = [{ type: 'input_text', text }]
    readItem(transcript, { type: 'message', role: 'user', content }, at)
  }
}

/** Messages that we wrote as the harness's have a user's role and our mark next to it. */
function ownRole(record: Fields, payload: Fields): Fields {
  const harness = fieldsOf(record['throughline'])?.['origin'] === 'harness'
  return harness && payload['role'] === 'user' ? { ...payload, role: 'harness' } : payload
}

/** What the call for a sub-agent returns in the history that the sub-agent takes over. */
const FORKED = /^You are the newly spawned agent\b/

function giveMessage(state: State, given: MessageDraft): Seq {
  if (state.asks === 'parent' && given.message.role === 'tool') {
    const forked = given.message.content.some(
      (part) => part.type === 'tool-result' && FORKED.test(outputText(part.output)),
    )
    if (forked) state.asks = 'agent'
  }
  const byAgent = state.asks === 'agent' && given.origin === 'human'
  const draft = byAgent ? { ...given, metadata: { ...given.metadata, ...askedByAgent } } : given
  const seq = give(state.drafts, draft)
  for (const key of new Set([keyOf(draft), keyOf(answerOf(draft))])) {
    const same = state.said.get(key)
    if (same) same.push(seq)
    else state.said.set(key, [seq])
  }
  if (draft.origin === 'human') {
    const { content } = draft.message
    state.humans.push({ seq, size: typeof content === 'string' ? content.length : 1000 })
  }
  return seq
}

/** A fork repeats the record of the session it came from: the first one is its own. */
function readMeta(state: State, payload: Fields): void {
  if (state.identified) return
  state.identified = true
  const { id, cwd: directory } = payload
  const instructions = payload['base_instructions'] ?? payload['instructions']
  note(state, { id, directory, system: fieldsOf(instructions)?.['text'] ?? instructions })
  // A sub-agent may begin with the history of its parent, in which the human speaks.
  const isSubAgent = fieldsOf(payload['source'])?.['subagent'] !== undefined
  if (isSubAgent) state.asks = nameOf(payload['forked_from_id']) === undefined ? 'agent' : 'parent'
}

/** Codex repeats the last count when nothing was sent: only a new total means a new response. */
function readTokenCount(state: State, payload: Fields): void {
  const info = fieldsOf(payload['info']) ?? {}
  const total = countOf(fieldsOf(info['total_token_usage'])?.['total_tokens'])
  note(state, { window: info['model_context_window'] })
  if (total === undefined || total === state.total) return
  state.total = total
  const last = fieldsOf(info['last_token_usage']) ?? {}
  const counted = usage({
    input: [last['input_tokens']],
    output: [last['output_tokens']],
    cacheRead: last['cached_input_tokens'],
  })
  readUsage(state.transcript, counted)
}

function rollBack(state: State, turns: number): void {
  giveShown(state)
  finish(state.transcript)
  if (turns === 0 || state.drafts.given === 0) return
  const kept = Math.max(0, state.humans.length - turns)
  const first = state.humans[kept]
  state.humans.length = kept
  rewind(state, Math.max(state.floor, (first?.seq ?? 1) - 1))
}

const unreadable =
  'Codex compacted the session here. Its own summary is encrypted and cannot be read; the messages it kept word for word follow.'

function readCompacted(state: State, payload: Fields): void {
  giveShown(state)
  finish(state.transcript)
  const { summary, encrypted, kept } = replacementIn(payload)
  if (summary === undefined && !kept) noteUnread(state, payload, 'a compaction')
  const tail = kept ? keptTail(state, kept) : humanTail(state)
  const metadata = encrypted === undefined ? {} : { codex: { encryptedContent: encrypted } }
  state.floor = compact(state, {
    by: 'codex',
    label: 'Codex',
    summary: summary ?? unreadable,
    tail: tailOf(tail),
    metadata,
  })
}

/** What a `compacted` record puts in place of everything before it. */
interface Replacement {
  /** The summary in Codex's own words, if they can be read. */
  summary: string | undefined
  /** The provider's own summary, which only the provider can read. */
  encrypted: string | undefined
  /** The items that were kept word for word; `undefined` if the record doesn't list them. */
  kept: Fields[] | undefined
}

const summaryStart = 'Another language model started to solve this problem'

function replacementIn(payload: Fields): Replacement {
  const history = payload['replacement_history']
  const items = blocksIn(history ?? [])
  const isSummary = (item: Fields): boolean => userText(item).trimStart().startsWith(summaryStart)
  const written = items.findLast(isSummary)
  const summary = nameOf(payload['message']) ?? (written && userText(written))
  const isOpaque = ({ type }: Fields): boolean => opaqueTypes.has(type)
  const isRepeated = (item: Fields): boolean =>
    summary !== undefined &&
    (isSummary(item) || (item['role'] === 'user' && userText(item).endsWith(summary)))
  return {
    summary,
    encrypted: nameOf(items.find(isOpaque)?.['encrypted_content']),
    kept: Array.isArray(history)
      ? items.filter((item) => !isOpaque(item) && !isRepeated(item))
      : undefined,
  }
}

const opaqueTypes: ReadonlySet<unknown> = new Set([
  'compaction',
  'compaction_summary',
  'context_compaction',
])

function userText({ role, content }: Fields): string {
  if (role !== 'user') return ''
  if (typeof content === 'string') return content
  return objectsOf(content)
    .map((block) => textOf(block['text']) ?? '')
    .join('\n')
}

/** The entries that the replacement repeats; any further ones are added first. */
function keptTail(state: State, items: readonly Fields[]): Seq[] {
  const drafts: MessageDraft[] = []
  const { conversation } = state.transcript
  const repeated = newTranscript((draft) => drafts.push(draft), conversation.tools)
  for (const item of items) {
    const { heard } = repeated.conversation
    readItem(repeated, item, state.at)
    if (repeated.conversation.heard === heard) noteUnread(state, item, 'a kept message')
  }
  finish(repeated)
  const used = new Map<number, number>()
  // Codex drops the oldest first, so equal messages are matched from the newest on, each once.
  const found = drafts.toReversed().map((draft) => {
    const key = keyOf(draft)
    const count = (used.get(key) ?? 0) + 1
    used.set(key, count)
    return state.said.get(key)?.at(-count)
  })
  return drafts.map((draft, index) => {
    const metadata = { ...draft.metadata, restored: true }
    return found.at(-1 - index) ?? giveMessage(state, { ...draft, metadata })
  })
}

/** The answer alone, where a response without calls says something else before it. */
function answerOf(draft: MessageDraft): MessageDraft {
  const { message } = draft
  if (message.role !== 'assistant' || typeof message.content === 'string') return draft
  const called = message.content.some((part) => part.type === 'tool-call' && !part.providerExecuted)
  const answer = message.content.filter(
    (part) =>
      part.type === 'text' && part.providerOptions?.['openai']?.['phase'] === 'final_answer',
  )
  if (called || answer.length === 0) return draft
  return { ...draft, message: { ...message, content: answer } }
}

/** About 20,000 tokens: how much Codex keeps of the human's messages if it lists none. */
const humanTailSize = 80_000
const longestHumanTail = 2000

function humanTail({ humans }: State): Seq[] {
  const newest = humans.slice(-longestHumanTail)
  let size = 0
  const first = newest.findLastIndex((human) => (size += human.size) > humanTailSize)
  return newest.slice(first + 1).map(({ seq }) => seq)
}
