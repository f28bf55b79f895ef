import { RetryError } from 'ai'

/** What the provider really said: after retries the SDK throws an error of its own around it. */
export function providerError(error: unknown): unknown {
  return RetryError.isInstance(error) ? (error.lastError ?? error) : error
}
