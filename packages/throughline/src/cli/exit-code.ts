import { ClosedPipeError, InterruptedError, UsageError } from './errors.ts'

/** What the process ends with. */
export const exitCodes = { done: 0, failed: 1, usage: 2, interrupted: 130 } as const

export function exitCodeOf(error: unknown): number {
  if (error instanceof ClosedPipeError) return exitCodes.done
  if (error instanceof UsageError) return exitCodes.usage
  if (error instanceof InterruptedError) return exitCodes.interrupted
  return exitCodes.failed
}
