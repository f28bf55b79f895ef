import { calibrate } from '../tokens/calibration.ts'
import { OverflowError } from './errors.ts'
import { overflowOf } from './overflow.ts'
import { isAbortOf } from './abort.ts'
import { openCalls, waitsForSomeone } from './waiting.ts'
import { abortedResult } from '../compaction/render.ts'
import type { EntryDraft, FinishReason, MessageDraft, Seq, Usage } from '../log/entry.ts'
import type { AssistantMessage, Message, ToolMessage, ToolResultPart } from '../log/message.ts'
import type { StopReason } from './events.ts'
import type { Session } from './session.ts'

/** One request to a model, its tools run: the port between the loop and a provider. */
export type RunStep = (request: StepRequest, options: StepOptions) => Promise<StepResult>

export interface StepRequest {
  system?: string
  messages: Message[]
}

export interface StepOptions {
  signal?: AbortSignal
  /** Called with every part of the model's stream. */
  onPart: (part: unknown) => void
}

export interface StepResult {
  /** The assistant's message, and the results of its calls as far as there are any. */
  messages: (AssistantMessage | ToolMessage)[]
  finish: FinishReason
  usage?: Usage
  model?: string
}

export interface RunOptions {
  session: Session
  step: RunStep
  signal?: AbortSignal
  /** Steps after which the run stops by itself. */
  maxSteps?: number
}

export interface RunResult {
  reason: StopReason
  steps: number
}

/**
 * The loop (T1): measure, compact if need be, ask the model, run its tools, again; until the
 * model finishes, waits for someone, or is stopped. A provider's overflow error compacts once
 * for a step and asks again.
 * @throws ContextFloorError if not even the least context fits the window.
 * @throws OverflowError if the provider refuses the compacted context too.
 */
export async function run({
  session,
  step,
  signal,
  maxSteps = Infinity,
}: RunOptions): Promise<RunResult> {
  let steps = 0
  try {
    while (steps < maxSteps) {
      if (waitsForSomeone(session.context().items)) return stopped('pending')
      steps += 1
      const result = await oneStep(session, step, steps, signal)
      const reason = stopReason(session, result)
      if (reason) return stopped(reason)
    }
    return stopped('step-limit')
  } catch (error) {
    if (!isAbortOf(error, signal)) throw error
    return stopped('aborted')
  }

  function stopped(reason: StopReason): RunResult {
    session.emit({ type: 'stopped', reason })
    return { reason, steps }
  }
}

async function oneStep(
  session: Session,
  step: RunStep,
  number: number,
  signal: AbortSignal | undefined,
): Promise<StepResult> {
  const signals = signal ? { signal } : {}
  await session.fit(signals)
  for (let recovered = false; ; recovered = true) {
    signal?.throwIfAborted()
    const { tokens } = session.measure()
    const { seq: since } = session.context()
    session.emit({ type: 'step-started', step: number, tokens })
    try {
      const result = await step(requestOf(session), {
        ...signals,
        onPart: (part) => session.emit({ type: 'part', part }),
      })
      await record(session, result)
      session.emit({
        type: 'step-finished',
        step: number,
        finish: result.finish,
        ...(result.usage && { usage: result.usage }),
      })
      return result
    } catch (error) {
      const overflow = isAbortOf(error, signal) ? undefined : overflowOf(error)
      if (!overflow) throw error
      await recover(session, error, { ...overflow, tokens, since, recovered, ...signals })
    }
  }
}

// No model has a smaller window: a provider's text that says so means something else.
const smallestWindow = 1_000

/** Learns the real window and compacts, once for a step and only where that is allowed. */
async function recover(
  session: Session,
  error: unknown,
  {
    limit,
    tokens,
    since,
    recovered,
    signal,
  }: { limit?: number; tokens: number; since: Seq; recovered: boolean; signal?: AbortSignal },
): Promise<void> {
  session.emit({ type: 'overflow', ...(limit !== undefined && { limit }) })
  if (recovered || !session.policy.auto) throw new OverflowError({ tokens, limit, cause: error })
  // Where the provider names no limit, the request itself shows that the window is smaller.
  const learned = limit ?? Math.floor(tokens * 0.9)
  if (learned >= smallestWindow && learned < session.window.context) {
    const { model } = session.frame
    await session.append({
      kind: 'observation',
      at: session.now(),
      observation: { type: 'limit', tokens: learned, ...(model !== undefined && { model }) },
    })
  }
  const report = await session.recover({ since, ...(signal && { signal }) })
  // Where it fits, somebody else has compacted it meanwhile.
  if (report.action === 'none' && report.reason !== 'fits') {
    throw new OverflowError({ tokens, limit, cause: error })
  }
}

function requestOf(session: Session): StepRequest {
  const { system } = session.frame
  return { ...(system !== undefined && { system }), messages: session.messages() }
}

async function record(session: Session, result: StepResult): Promise<void> {
  const at = session.now()
  const drafts = result.messages.map((message): EntryDraft => {
    const draft: MessageDraft = {
      kind: 'message',
      at,
      message,
      origin: message.role === 'assistant' ? 'model' : 'tool',
    }
    if (message.role !== 'assistant') return draft
    return {
      ...draft,
      finish: result.finish,
      ...(result.usage && { usage: result.usage }),
      ...(result.model !== undefined && { model: result.model }),
    }
  })
  const calibration = calibrationDraft(session, result, at)
  if (drafts.length > 0)
    await session.append(...drafts, ...closingDraft(result, at), ...calibration)
}

const brokenOff: ReadonlySet<FinishReason> = new Set([
  'aborted',
  'length',
  'content-filter',
  'error',
])

/** Calls that nobody will answer any more: the step ended before they were run. */
function closingDraft({ finish, messages }: StepResult, at: number): EntryDraft[] {
  const calls = brokenOff.has(finish) ? openCalls(messages) : []
  if (calls.length === 0) return []
  const content = calls.map(({ toolCallId, toolName }): ToolResultPart => {
    const output = { type: 'error-text', value: abortedResult } as const
    return { type: 'tool-result', toolCallId, toolName, output }
  })
  return [{ kind: 'message', at, message: { role: 'tool', content }, origin: 'synthetic' }]
}

// A change smaller than this is noise, and would fill the log.
const noticeable = 0.02

function calibrationDraft(session: Session, { usage }: StepResult, at: number): EntryDraft[] {
  if (!usage) return []
  const { model } = session.frame
  const { ratio } = session.counter
  const estimate = session.estimate()
  const next = calibrate(ratio, { estimate, reported: usage.inputTokens })
  if (Math.abs(next - ratio) < noticeable) return []
  const observation = {
    type: 'calibration',
    ratio: next,
    ...(model !== undefined && { model }),
  } as const
  return [{ kind: 'observation', at, observation }]
}

function stopReason(session: Session, { finish, messages }: StepResult): StopReason | undefined {
  if (finish === 'aborted') return 'aborted'
  if (waitsForSomeone(session.context().items)) return 'pending'
  if (messages.at(-1)?.role === 'tool') return undefined
  return finish === 'length' || finish === 'content-filter' ? finish : 'finished'
}
