import { errorLine } from '../../log/error-line.ts'
import { errorWords } from '../../json/error-words.ts'
import { isProxyRefusal, passing, refusedIn } from '../../compaction/summary/with-model/refused.ts'
import { ThroughlineError } from '../../log/throughline-error.ts'

/**
 * A step didn't finish: its provider refused or failed, the connection broke, or it timed out. The
 * original error is the `cause`. The log is valid: run the session again to continue.
 */
export class StepFailedError extends ThroughlineError<'STEP_FAILED'> {
  static override readonly code = 'STEP_FAILED'

  /** Counted from 1 within its run. */
  readonly step: number
  /** The provider's HTTP status, if there is one. */
  readonly status: number | undefined
  /** Whether repeating the same request may succeed. */
  readonly retryable: boolean

  constructor({ step, cause }: { step: number; cause: unknown }) {
    const status = statusOf(cause)
    const retryable = isRetryable(cause, status)
    super(
      StepFailedError.code,
      `Step ${step} failed${status === undefined ? '' : ` with status ${status}`}: ${sentence(cause)} ${adviceFor(cause, { status, retryable })}`,
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

// Errors by which the AI SDK reports, before it sends a request, that something is set up wrong.
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

// Too early. The AI SDK does not know it.
const tooEarly = 425

function isRetryable(cause: unknown, status: number | undefined): boolean {
  if (status === tooEarly) return true
  if (isProxyRefusal(cause) || refusedIn(cause) === 'money') return false
  if (typeof cause === 'object' && cause !== null && 'isRetryable' in cause) {
    return cause.isRetryable === true || isBrokenAnswer(cause)
  }
  if (cause instanceof Error && setUpWrongly.has(cause.name)) return false
  // Without a status, no provider refused it: the connection broke or it timed out.
  return status === undefined || passing.has(status) || status >= 500
}

/** An answer that could not be read: nothing was refused. */
function isBrokenAnswer(cause: object): boolean {
  const status = 'statusCode' in cause ? cause.statusCode : undefined
  return typeof status === 'number' && status >= 200 && status < 300
}

function sentence(cause: unknown): string {
  const reason = cause instanceof Error && cause.message ? errorLine(cause) : 'no reason was given'
  return /[.!?…]$/.test(reason) ? reason : `${reason}.`
}

function adviceFor(
  cause: unknown,
  { status, retryable }: { status: number | undefined; retryable: boolean },
): string {
  if (isProxyRefusal(cause)) return 'Set the name and the password of the proxy in its address.'
  if (refusedIn(cause) === 'money') return 'Add credit to your account with the provider.'
  if (status === 401 || status === 403) return 'Check the provider’s API key and its permissions.'
  if (retryable) {
    return 'Run the session again to continue from here. If this happens often, raise maxRetries or the step’s timeout.'
  }
  return 'The same request will be refused again: check the model’s settings.'
}
