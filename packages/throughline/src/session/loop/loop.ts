import { ThroughlineError } from '../../log/throughline-error.ts'
import { refusalsOf } from './refusals.ts'
import { StepFailedError } from './step-failed-error.ts'
import { stepRecord, type StepResult, type StepRecord } from './step-record.ts'
import { waitsForSomeone } from '../../log/open-calls.ts'
import type { FinishReason } from '../../log/entry.ts'
import type { Message } from '../../log/message.ts'
import type { StopReason } from '../events.ts'
import type { Session } from '../session.ts'

/** Makes one request to a model and runs its tools: the port between the loop and a provider. */
export type RunStep = (request: StepRequest, options: StepOptions) => Promise<StepResult>

export interface StepRequest {
  system?: string
  messages: Message[]
}

export interface StepOptions {
  signal?: AbortSignal
  /** Called with every part of the model's stream. */
  onPart: (part: unknown) => void
  /**
   * Saves what is certain before the step ends, so that a crash doesn't lose it: the model's answer
   * before its tools run, and each result as it arrives. The step waits for the save and doesn't
   * return the same messages again when it ends.
   */
  keep?: (part: StepResult) => Promise<void>
}

/** What a run needs: a session, and the step that asks the model. */
export interface RunOptions {
  session: Session
  step: RunStep
  signal?: AbortSignal
  /** The run stops by itself after this many steps. */
  maxSteps?: number
}

/** Why a run stopped, and how many steps it took. */
export interface RunResult {
  reason: StopReason
  steps: number
}

/**
 * The loop (T1): measures the request, compacts it if it does not fit, asks the model and runs its
 * tools, until the model finishes, waits for someone, or is stopped. If the provider reports that
 * the context is too long, the loop compacts it and asks again, once for each step. If the provider
 * refuses reasoning, or a call without its reasoning, the session remembers that, and the loop asks
 * again.
 *
 * A summary that is being prepared is given up if the run is aborted or fails. After any other run,
 * its preparation continues for the next run, until the session is closed.
 * @throws ContextFloorError if even the smallest possible context doesn't fit the window.
 * @throws OverflowError if the provider refuses the compacted context too.
 * @throws StepFailedError if a step fails in any other way; what was said before it is kept.
 */
export async function run({
  session,
  step,
  signal,
  maxSteps = Infinity,
}: RunOptions): Promise<RunResult> {
  let steps = 0
  session.emit({ type: 'run-started' })
  try {
    while (steps < maxSteps) {
      if (waitsForSomeone(session.context().items)) return stopped('pending')
      steps += 1
      const result = await oneStep(session, step, steps, signal)
      const reason = stopReason(session, result)
      if (reason === 'aborted') await session.stopPreparing()
      if (reason) return stopped(reason)
    }
    return stopped('step-limit')
  } catch (error) {
    await session.stopPreparing()
    if (isAbortOf(error, signal)) return stopped('aborted')
    session.emit({ type: 'run-failed', error })
    throw error
  }

  function stopped(reason: StopReason): RunResult {
    session.emit({ type: 'stopped', reason })
    return { reason, steps }
  }
}

interface FinishedStep {
  finish: FinishReason
  messages: readonly Message[]
}

async function oneStep(
  session: Session,
  step: RunStep,
  number: number,
  signal: AbortSignal | undefined,
): Promise<FinishedStep> {
  const signals = signal ? { signal } : {}
  await session.fit(signals)
  const refusals = refusalsOf(session)
  for (;;) {
    signal?.throwIfAborted()
    const { tokens } = session.measure()
    session.emit({ type: 'step-started', step: number, tokens })
    const record = stepRecord(session)
    try {
      const result = await step(requestOf(session), {
        ...signals,
        onPart: (part) => session.emit({ type: 'part', part }),
        keep: record.keep,
      })
      await record.end(result)
      session.emit({
        type: 'step-finished',
        step: number,
        finish: result.finish,
        ...(result.usage && { usage: result.usage }),
        ...(result.model !== undefined && { model: result.model }),
      })
      return { finish: result.finish, messages: record.messages }
    } catch (error) {
      session.emit({ type: 'step-failed', step: number, error })
      // For example, a store error: the step itself never throws these.
      if (ThroughlineError.isInstance(error)) throw error
      const aborted = isAbortOf(error, signal)
      const failure = aborted ? error : new StepFailedError({ step: number, cause: error })
      if (record.messages.length > 0) throw await afterAnswer(record, failure)
      if (aborted) throw failure
      if (!(await refusals.recover(error, signals))) throw failure
    }
  }
}

/** Keeps what the model has said; gives up the calls it asked for. */
async function afterAnswer(record: StepRecord, error: unknown): Promise<unknown> {
  try {
    await record.giveUp()
    return error
  } catch (second) {
    return new AggregateError([error, second], 'A step failed, and so did saving its outcome.')
  }
}

function requestOf(session: Session): StepRequest {
  const { system } = session.frame
  return { ...(system !== undefined && { system }), messages: session.messages() }
}

function stopReason(session: Session, { finish, messages }: FinishedStep): StopReason | undefined {
  if (finish === 'aborted') return 'aborted'
  if (waitsForSomeone(session.context().items)) return 'pending'
  if (messages.at(-1)?.role === 'tool') return undefined
  return finish === 'length' || finish === 'content-filter' ? finish : 'finished'
}

/** Whether this signal caused an error. */
function isAbortOf(error: unknown, signal: AbortSignal | undefined): boolean {
  if (!signal?.aborted) return false
  return error === signal.reason || (error instanceof Error && error.name === 'AbortError')
}
