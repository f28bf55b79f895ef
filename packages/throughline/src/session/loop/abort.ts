/** Whether an error is there because of this signal. */
export function isAbortOf(error: unknown, signal: AbortSignal | undefined): boolean {
  if (!signal?.aborted) return false
  return error === signal.reason || (error instanceof Error && error.name === 'AbortError')
}
