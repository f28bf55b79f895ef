import { RetryError } from 'ai'

/** The provider's own error: after retries, the SDK wraps it in one of its own. */
export function providerError(error: unknown): unknown {
  return RetryError.isInstance(error) ? (error.lastError ?? error) : error
}
