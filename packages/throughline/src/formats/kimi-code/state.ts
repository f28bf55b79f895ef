import { omit } from '../conversation/session-state.ts'
import { newSessionState, type SessionState } from '../conversation/session-state.ts'
import {
  addResult,
  closeResults,
  giveReply,
  type Reply,
  type Result,
} from '../conversation/conversation.ts'
import { give } from '../reading/grown-log.ts'
import type { AssistantPart } from '../../log/message.ts'
import type { MessageDraft, Seq, TailItem } from '../../log/entry.ts'

/** What is known while records are read. */
export interface State extends SessionState {
  step: Step | undefined
  /** The messages of the context as Kimi counts them, oldest first. */
  context: Placed[]
}

/** A step that is being recorded: its results may come before the rest of its reply. */
interface Step {
  id: string
  parts: AssistantPart[]
  reply: Pick<Reply, 'usage' | 'finish'>
  results: Omit<Result, 'at'>[]
  /** What came while its calls were open. */
  behind: (() => void)[]
}

/** A message of the context, and the entries that it became. */
interface Placed {
  first: Seq
  last: Seq
  /** Kimi keeps words of the human in a compaction, and goes back to them. */
  is: 'prompt' | 'injection' | 'reply' | 'result' | 'summary'
  id?: string | undefined
}

export function newState(): State {
  return { ...newSessionState(), step: undefined, context: [] }
}

/** Begins a step; one that was open is over. */
export function beginStep(state: State, id: string): void {
  endStep(state)
  state.step = { id, parts: [], reply: {}, results: [], behind: [] }
}

/** Gives the open step: its reply, its results, and what came while its calls were open. */
export function endStep(state: State): void {
  const { step } = state
  state.step = undefined
  if (!step) return
  placeReply(state, { parts: step.parts, ...step.reply })
  for (const result of step.results) placeResult(state, result)
  for (const message of step.behind) message()
}

export function placeReply(state: State, reply: Omit<Reply, 'at' | 'model'>): void {
  const { conversation, drafts, at, facts, context } = state
  const given = giveReply(conversation, { ...reply, at, model: facts.model })
  if (!given) return omit(state, 'unfinished')
  context.push({ first: drafts.given, last: drafts.given, is: 'reply' })
}

/** The results of a step are one entry, which is given when none is missing. */
export function placeResult(
  { conversation, drafts, at, context }: State,
  result: Omit<Result, 'at'>,
) {
  addResult(conversation, { ...result, at })
  const seq = conversation.results.length > 0 ? drafts.given + 1 : drafts.given
  context.push({ first: seq, last: seq, is: 'result' })
}

/** Adds what stands in the user's place. */
export function placeUsers(
  { conversation, drafts, context }: State,
  messages: readonly MessageDraft[],
  what: Pick<Placed, 'is' | 'id'>,
): void {
  if (messages.length === 0) return
  closeResults(conversation)
  conversation.open.clear()
  const first = drafts.given + 1
  for (const message of messages) conversation.give(message)
  context.push({ first, last: drafts.given, ...what })
}

/** Goes back to where the context held so many messages. */
export function goBackTo(state: State, count: number): void {
  endStep(state)
  closeResults(state.conversation)
  const first = state.context[count]?.first
  if (first === undefined) return
  state.context.splice(count)
  give(state.drafts, { kind: 'rewind', at: state.at, to: first - 1 })
}

/** Going back so many prompts, never behind a compaction; how many messages then remain. */
export function countBefore({ context }: State, prompts: number): number | undefined {
  let missing = prompts
  for (let index = context.length - 1; index >= 0; index--) {
    const placed = context[index]
    if (placed?.is === 'summary') return undefined
    if (placed?.is !== 'prompt' || --missing > 0) continue
    let count = index
    const ownedBy = (before: number): boolean =>
      placed.id !== undefined &&
      context[before]?.is === 'injection' &&
      context[before].id === placed.id
    while (ownedBy(count - 1)) count--
    return count
  }
  return undefined
}

/** Puts a compaction in the place of the context, and of the messages that it keeps. */
export function placeCheckpoint(
  state: State,
  kept: readonly Placed[],
  summary: { text: string; preTokens: number | undefined },
): void {
  const { drafts, at } = state
  const seq = give(drafts, {
    kind: 'checkpoint',
    at,
    base: drafts.given,
    summary: summary.text.trim() === '' ? noSummary : summary.text,
    summarizer: 'kimi-code',
    tail: tailOf(kept),
    continuation: null,
    metadata: summary.preTokens === undefined ? {} : { preTokens: summary.preTokens },
  })
  state.context = [...kept, { first: seq, last: seq, is: 'summary' }]
}

const noSummary = 'Kimi Code compacted the session here. Its file contains no summary.'
const longestTail = 500

function tailOf(kept: readonly Placed[]): TailItem[] {
  const seqs = new Set<Seq>()
  for (const { first, last, is } of kept) {
    // A checkpoint is never part of another one's tail, and no result is without its call.
    if (is === 'summary' || (is === 'result' && !seqs.has(first - 1) && !seqs.has(first))) continue
    for (let seq = first; seq <= last; seq++) seqs.add(seq)
  }
  return [...seqs].slice(-longestTail).map((seq) => ({ type: 'entry', seq }))
}
