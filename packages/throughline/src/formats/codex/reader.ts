import { countOf, fieldsOf, nameOf, timeOf, type Fields } from '../../json/fields.ts'
import { draftQueue, give, takeReady, type DraftQueue } from '../reading/grown-log.ts'
import { newRepeats, replacementOf, type Repeats } from './replacement.ts'
import { finish, newTranscript, readCount, readItem, type Transcript } from './transcript.ts'
import { tokenCount } from './step.ts'
import { askedByAgent } from '../../log/asked-by-agent.ts'
import { outputText } from '../../log/message.ts'
import type { FormatReader, SessionFacts } from '../format.ts'
import type { MessageDraft, Seq, TailItem } from '../../log/entry.ts'

interface State {
  drafts: DraftQueue
  facts: SessionFacts
  at: number
  transcript: Transcript
  repeats: Repeats
  /** The human's messages, oldest first: a roll-back counts these. */
  humans: { seq: Seq; size: number }[]
  /** The newest compaction: the view never goes back before it. */
  floor: Seq
  /** The running total of the newest token count. */
  total: number
  identified: boolean
  /** Who asks: in the session of a sub-agent, once the history that it took over has ended, its parent. */
  asks: 'human' | 'parent' | 'agent'
}

/** A fresh reader for one rollout. */
export function codexReader(): FormatReader {
  const state = newState()
  return {
    push(value) {
      const record = fieldsOf(value)
      const payload = fieldsOf(record?.['payload'])
      if (record && payload) {
        state.at = timeOf(record['timestamp']) ?? state.at
        readRecord(state, record['type'], ownRole(record, payload))
      }
      return takeReady(state.drafts)
    },
    end() {
      finish(state.transcript)
      return takeReady(state.drafts)
    },
    facts: () => ({ ...state.facts }),
  }
}

function newState(): State {
  const state: State = {
    drafts: draftQueue(),
    facts: {},
    at: 0,
    transcript: newTranscript((draft) => void giveMessage(state, draft), new Map()),
    repeats: newRepeats(),
    humans: [],
    floor: 0,
    total: 0,
    identified: false,
    asks: 'human',
  }
  return state
}

function readRecord(state: State, type: unknown, payload: Fields): void {
  switch (type) {
    case 'response_item':
      return readItem(state.transcript, payload, state.at)
    case 'event_msg':
      return readEvent(state, payload)
    case 'compacted':
      return readCompacted(state, payload)
    case 'turn_context':
      return readTurn(state, payload)
    case 'session_meta':
      return readMeta(state, payload)
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
  state.repeats.add(seq, draft)
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
  const id = nameOf(payload['id'])
  const directory = nameOf(payload['cwd'])
  const instructions = payload['base_instructions'] ?? payload['instructions']
  const system = nameOf(fieldsOf(instructions)?.['text']) ?? nameOf(instructions)
  if (id) state.facts.id = id
  // A sub-agent may begin with the history of its parent, in which the human speaks.
  const isSubAgent = fieldsOf(payload['source'])?.['subagent'] !== undefined
  if (isSubAgent) state.asks = nameOf(payload['forked_from_id']) === undefined ? 'agent' : 'parent'
  if (directory) state.facts.directory = directory
  if (system) state.facts.system = system
}

function readTurn(state: State, payload: Fields): void {
  const model = nameOf(payload['model'])
  if (!model) return
  state.facts.model = model
  state.transcript.model = model
}

function readEvent(state: State, payload: Fields): void {
  switch (payload['type']) {
    case 'token_count':
      return readTokenCount(state, payload)
    case 'task_started':
      return noteWindow(state, countOf(payload['model_context_window']))
    case 'turn_aborted':
      if (state.transcript.step) state.transcript.step.interrupted = true
      return
    case 'thread_name_updated': {
      const title = nameOf(payload['thread_name'])
      if (title) state.facts.title = title
      return
    }
    case 'thread_rolled_back':
      return rollBack(state, countOf(payload['num_turns']) ?? 0)
  }
}

/** Codex repeats the last count when nothing was sent: only a new total means a new response. */
function readTokenCount(state: State, payload: Fields): void {
  const count = tokenCount(payload)
  noteWindow(state, count.window)
  if (count.total === undefined || count.total === state.total) return
  state.total = count.total
  readCount(state.transcript, count)
}

function noteWindow(state: State, window: number | undefined): void {
  if (window) state.facts.window = window
}

function rollBack(state: State, turns: number): void {
  finish(state.transcript)
  if (turns === 0 || state.drafts.given === 0) return
  const kept = Math.max(0, state.humans.length - turns)
  const first = state.humans[kept]
  state.humans.length = kept
  const to = Math.max(state.floor, (first?.seq ?? 1) - 1)
  give(state.drafts, { kind: 'rewind', at: state.at, to })
}

const unreadable =
  'Codex compacted the session here. Its own summary is encrypted and cannot be read; the messages it kept word for word follow.'

function readCompacted(state: State, payload: Fields): void {
  finish(state.transcript)
  const { transcript, drafts, at } = state
  const { summary, encrypted, messages } = replacementOf(payload, at, transcript.tools)
  const tail = messages ? keptTail(state, messages) : humanTail(state)
  state.floor = give(drafts, {
    kind: 'checkpoint',
    at,
    base: drafts.given,
    summary: summary ?? unreadable,
    summarizer: 'codex',
    tail,
    continuation: null,
    metadata: encrypted === undefined ? {} : { codex: { encryptedContent: encrypted } },
  })
}

/** The entries that the replacement repeats; any further ones are added first. */
function keptTail(state: State, messages: readonly MessageDraft[]): TailItem[] {
  const found = state.repeats.find(messages)
  return messages.map((draft, index) => {
    const metadata = { ...draft.metadata, restored: true }
    const seq = found[index] ?? giveMessage(state, { ...draft, metadata })
    return { type: 'entry', seq }
  })
}

/** About 20,000 tokens: how much Codex keeps of the human's messages if it lists none. */
const humanTailSize = 80_000
const longestHumanTail = 2000

function humanTail(state: State): TailItem[] {
  const newest = state.humans.slice(-longestHumanTail)
  let size = 0
  const first = newest.findLastIndex((human) => (size += human.size) > humanTailSize)
  return newest.slice(first + 1).map(({ seq }) => ({ type: 'entry', seq }))
}
