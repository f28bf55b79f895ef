import { errorWords } from '../overflow/error-words.ts'
import { ThroughlineError } from '../../log/throughline-error.ts'

/**
 * A step came to no end: its provider refused or failed, the connection broke, or a time ran out.
 * What was thrown is the `cause`. The log is legal: to go on, run the session again.
 */
export class StepFailedError extends ThroughlineError<'STEP_FAILED'> {
  static override readonly code = 'STEP_FAILED'

  /** Counted from 1, in its run. */
  readonly step: number
  /** The provider's HTTP status, where there is one. */
  readonly status: number | undefined
  /** Whether the same request may be answered another time. */
  readonly retryable: boolean

  constructor({ step, cause }: { step: number; cause: unknown }) {
    const status = statusOf(cause)
    const retryable = isRetryable(cause, status)
    super(
      StepFailedError.code,
      `Step ${step} failed${status === undefined ? '' : ` with the status ${status}`}: ${sentence(cause)} ${adviceFor(status, retryable)}`,
      { cause },
    )
    this.step = step
    this.status = status
    this.retryable = retryable
  }
}

function statusOf(cause: unknown): number | undefined {
  return errorWords(cause)
    .flatMap(({ statuses }) => statuses)
    .find((status) => status >= 400)
}

// Names under which the AI SDK says, before it asks anybody, that something was set up wrongly.
const setUpWrongly: ReadonlySet<string> = new Set([
  'AI_LoadAPIKeyError',
  'AI_LoadSettingError',
  'AI_InvalidArgumentError',
  'AI_InvalidPromptError',
  'AI_NoSuchModelError',
  'AI_NoSuchProviderError',
  'AI_UnsupportedFunctionalityError',
  'AI_UnsupportedModelVersionError',
])

function isRetryable(cause: unknown, status: number | undefined): boolean {
  if (typeof cause === 'object' && cause !== null && 'isRetryable' in cause) {
    return cause.isRetryable === true
  }
  if (cause instanceof Error && setUpWrongly.has(cause.name)) return false
  // Without a status nobody has refused it: the connection broke, or a time ran out.
  return status === undefined || status === 408 || status === 409 || status === 429 || status >= 500
}

const longestReason = 500

function sentence(cause: unknown): string {
  const message = cause instanceof Error && cause.message ? cause.message : 'no reason was given'
  const reason = message.slice(0, longestReason).trim()
  return /[.!?…]$/.test(reason) ? reason : `${reason}.`
}

function adviceFor(status: number | undefined, retryable: boolean): string {
  if (status === 401 || status === 403)
    return 'Look at the key of the provider and at what it may do.'
  if (retryable) {
    return 'Run the session again to go on from where it is; if this happens often, raise maxRetries or the timeout of the step.'
  }
  return 'The same request will be refused again: look at the settings of the model.'
}
