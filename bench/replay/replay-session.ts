import { setImmediate as nextTurn } from 'node:timers/promises'
import { estimatedTokens, toModel, plus } from '../../packages/throughline/src/tokens/units.ts'
import { measureFrame } from '../../packages/throughline/src/compaction/measure/measure.ts'
import { abortedResults } from '../../packages/throughline/src/log/open-calls.ts'
import { unitsOf } from '../../packages/throughline/src/log/steps.ts'
import { run } from '../../packages/throughline/src/session/loop/loop.ts'
import { openSession } from '../../packages/throughline/src/session/session.ts'
import { memoryStore } from '../../packages/throughline/src/stores/memory.ts'
import type { EstimatedTokens } from '../../packages/throughline/src/tokens/units.ts'
import type { RequestFrame } from '../../packages/throughline/src/compaction/measure/measure.ts'
import type { RunStep } from '../../packages/throughline/src/session/loop/loop.ts'
import type {
  Seq,
  EntryOf,
  FinishReason,
  MessageDraft,
} from '../../packages/throughline/src/log/entry.ts'
import type {
  Message,
  AssistantMessage,
  ToolMessage,
} from '../../packages/throughline/src/log/message.ts'
import type { Chronological, ModelOrder } from '../../packages/throughline/src/log/order.ts'
import type { Policy } from '../../packages/throughline/src/compaction/policy.ts'
import type { Template } from '../../packages/throughline/src/compaction/summary/template.ts'
import type { Report } from '../../packages/throughline/src/compaction/report.ts'
import type { Facts } from '../../packages/throughline/src/facts/facts.ts'
import type { Summarizer } from '../../packages/throughline/src/compaction/summary/with-model/summarizer.ts'
import type { SessionEvent } from '../../packages/throughline/src/session/events.ts'
import type { Window } from '../../packages/throughline/src/tokens/window.ts'

export interface ReplayOptions {
  window: Window
  policy: Policy
  template?: Template | undefined
  frame: RequestFrame
  /** Without one, summaries are local. */
  summarizer?: Summarizer | undefined
  signal: AbortSignal
  /** Called with every request, in order, and its answer. */
  onRequest?: ((request: ReplayedRequest) => void) | undefined
  /** Called before every request and after every compaction. */
  onProgress: (replay: Replay) => Promise<void>
  now: () => number
}

/** A request to the model, and its answer. */
export interface ReplayedRequest {
  /** The time of the answer, in milliseconds since 1970. */
  at: number
  messages: readonly Message[]
  answer: readonly Message[]
  /** The size of the request in tokens. */
  tokens: number
}

/** The state of a replay. */
export interface Replay {
  /** How many steps were replayed, and how many there are. */
  done: number
  of: number
  /** The size of the newest request in tokens. */
  tokens: number
  /** The size of every request in tokens, in order. */
  requests: number[]
  compactions: ReplayedCompaction[]
  /** The total size of all requests: as sent, and as they would have been without compaction. */
  sent: number
  uncompacted: number
  /** How many of them the window would not have taken without compaction. */
  tooLarge: number
  largest: { tokens: number; step: number }
}

export interface ReplayedCompaction extends Pick<Report, 'action' | 'rung' | 'before' | 'after'> {
  /** The step before whose request it was made. */
  step: number
}

/** The result of a replay. */
export interface ReplayEnd {
  replay: Replay
  usable: number
  /** What the model would see now. */
  messages: Message[]
  facts: Facts
  /** What stopped it before the session was over; the signal's reason means Ctrl-C. */
  error?: unknown
}

// The loop awaits no input: without a turn of the event loop, no Ctrl-C would get through.
const longestTurn = 15

/** Feeds a recorded session through the loop, step by step, compacting as it goes. */
export async function replaySession(
  log: Chronological,
  options: ReplayOptions,
): Promise<ReplayEnd> {
  const { window, policy, template, frame, summarizer, signal, onProgress, now } = options
  const recorded = recordedOf(log)
  const replay = newReplay(recorded)
  const branch = branchTokens()
  const waiting: Seq[] = []
  let at = log[0]?.at ?? 0
  let next = 0
  let turnedAt = now()
  const session = await openSession({
    ...frame,
    store: memoryStore(),
    id: 'replay',
    window,
    policy,
    ...(template && { template }),
    ...(summarizer && { summarizer }),
    now: () => at,
    onEvent: (event) => noteEvent(event),
  })
  const { system, tools } = measureFrame(frame, session.counter)
  const step: RunStep = async (request) => {
    const whole = system + tools + toModel(branch.tokens, session.counter.ratio)
    replay.uncompacted += whole
    if (whole > room(window)) replay.tooLarge += 1
    await onProgress(replay)
    await giveWay()
    const { messages, finish, seqs, at: time } = recorded[next++] as RecordedStep
    const answer = messages.filter(({ role }) => role === 'assistant')
    options.onRequest?.({ at: time, messages: request.messages, answer, tokens: replay.tokens })
    at = time
    waiting.push(...seqs)
    replay.done += 1
    return { messages, finish }
  }
  const giveWay = async (): Promise<void> => {
    if (now() - turnedAt <= longestTurn) return
    await nextTurn()
    turnedAt = now()
    signal.throwIfAborted()
  }
  const end = async (error?: unknown): Promise<ReplayEnd> => ({
    replay,
    usable: session.budget().usable,
    messages: session.messages(),
    facts: await session.facts(),
    ...(error !== undefined && { error }),
  })
  try {
    while (next < recorded.length) {
      signal.throwIfAborted()
      await giveWay()
      const item = recorded[next] as Recorded
      if (item.type === 'step') {
        const before = next
        await run({ session, step, signal, maxSteps: stepsFrom(recorded, next) })
        // The loop waits for a result that the recording does not hold; its agent did not.
        if (next === before) await goOnWithout(item)
        continue
      }
      next += 1
      if (item.type === 'rewind') {
        at = item.at
        await session.rewind(branch.rewind(item.to))
      } else {
        at = item.draft.at
        waiting.push(item.seq)
        await session.append(item.draft)
      }
    }
    return await end()
  } catch (error) {
    return end(error)
  }

  async function goOnWithout({ messages, seqs, at: time }: RecordedStep): Promise<void> {
    const results = abortedStep(session.context().items)
    if (results) {
      waiting.unshift(0)
      await session.append({ kind: 'message', at, origin: 'tool', message: results })
      return
    }
    next += 1
    at = time
    waiting.push(...seqs)
    replay.done += 1
    await session.append(
      ...messages.map((message): MessageDraft => {
        const origin = message.role === 'tool' ? 'tool' : 'model'
        return { kind: 'message', at, origin, message }
      }),
    )
  }

  function noteEvent(event: SessionEvent): void {
    if (event.type === 'appended') {
      for (const entry of event.entries) {
        if (entry.kind !== 'message') continue
        branch.add(waiting.shift() ?? 0, entry.seq, session.counter.message(entry.message))
      }
    } else if (event.type === 'step-started') {
      replay.tokens = event.tokens
      replay.requests.push(event.tokens)
      replay.sent += event.tokens
      const number = replay.done + 1
      if (event.tokens > replay.largest.tokens)
        replay.largest = { tokens: event.tokens, step: number }
    } else if (event.type === 'compaction-finished') {
      const { action, rung, before, after } = event.report
      const compaction = { step: replay.done + 1, action, before, after }
      replay.compactions.push(rung === undefined ? compaction : { ...compaction, rung })
    }
  }
}

/** The results of the newest step where its calls have none. */
function abortedStep(items: ModelOrder): ToolMessage | undefined {
  const newest = unitsOf(items).findLast((unit) => unit.type === 'step')
  if (newest?.status !== 'pending') return undefined
  return abortedResults(newest.items.flatMap((item) => ('message' in item ? [item.message] : [])))
}

function newReplay(recorded: readonly Recorded[]): Replay {
  return {
    done: 0,
    of: recorded.filter(({ type }) => type === 'step').length,
    tokens: 0,
    requests: [],
    compactions: [],
    sent: 0,
    uncompacted: 0,
    tooLarge: 0,
    largest: { tokens: 0, step: 0 },
  }
}

/** How many steps follow each other from here. */
function stepsFrom(recorded: readonly Recorded[], start: number): number {
  let end = start
  while (recorded[end]?.type === 'step') end++
  return end - start
}

/**
 * What the context would hold without any compaction. It follows the human back to earlier points,
 * and maps each recorded entry to its entry in the replay.
 */
interface BranchTokens {
  /** The tokens of the messages that the model would see now. */
  tokens: EstimatedTokens
  add: (recorded: Seq, replayed: Seq, tokens: EstimatedTokens) => void
  /** Rewinds to a recorded entry and returns its entry in the replay. */
  rewind: (recorded: Seq) => Seq
}

export function branchTokens(): BranchTokens {
  const points: { recorded: Seq; replayed: Seq; tokens: EstimatedTokens }[] = []
  return {
    tokens: estimatedTokens(0),
    add(recorded, replayed, tokens) {
      this.tokens = plus(this.tokens, tokens)
      points.push({ recorded, replayed, tokens: this.tokens })
    },
    rewind(recorded) {
      const point = points.findLast((each) => each.recorded <= recorded)
      this.tokens = point?.tokens ?? estimatedTokens(0)
      return point?.replayed ?? 0
    },
  }
}

/** The events of a session, in the pieces in which it is replayed. */
type Recorded = RecordedStep | RecordedMessage | RecordedRewind

/** The model's answer, with the results of its calls. */
interface RecordedStep {
  type: 'step'
  at: number
  messages: (AssistantMessage | ToolMessage)[]
  finish: FinishReason
  /** The entries of the messages. */
  seqs: Seq[]
}

/** A message from the human or the harness, or a late result. */
interface RecordedMessage {
  type: 'message'
  seq: Seq
  draft: MessageDraft
}

/** The human went back to an earlier point. */
interface RecordedRewind {
  type: 'rewind'
  at: number
  to: Seq
}

/**
 * The session as it happened, without the compactions and prunings of its own harness, because the
 * replay makes its own.
 */
export function recordedOf(log: Chronological): Recorded[] {
  const recorded: Recorded[] = []
  for (const entry of log) {
    if (entry.kind === 'rewind' && entry.resume === undefined) {
      recorded.push({ type: 'rewind', at: entry.at, to: entry.to })
    }
    if (entry.kind === 'message') addMessage(recorded, entry)
  }
  return recorded
}

function addMessage(recorded: Recorded[], entry: EntryOf<'message'>): void {
  const { message, seq, at } = entry
  const last = recorded.at(-1)
  if (message.role === 'assistant') {
    recorded.push({ type: 'step', at, messages: [message], finish: finishOf(entry), seqs: [seq] })
  } else if (message.role === 'tool' && last?.type === 'step') {
    last.messages.push(message)
    last.seqs.push(seq)
  } else {
    const { usage: _, seq: __, ...draft } = entry
    recorded.push({ type: 'message', seq, draft })
  }
}

function finishOf({ finish, message }: EntryOf<'message'>): FinishReason {
  if (finish !== undefined) return finish
  const { content } = message
  const calls = typeof content !== 'string' && content.some((part) => part.type === 'tool-call')
  return calls ? 'tool-calls' : 'stop'
}

/** The most that a provider accepts in one request. */
export function room({ input, context }: Window): number {
  return input ?? context
}
