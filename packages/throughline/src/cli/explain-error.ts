import { ThroughlineError } from '../log/throughline-error.ts'
import { ClosedPipeError } from './errors.ts'
import { sanitizeLine } from '../log/sanitize.ts'
import type { Io } from './io.ts'

// Names of files and fields may have any length, but the line must remain readable.
const longestMessage = 1000

/**
 * Prints in one line on standard error what went wrong. The stack is shown only with
 * `THROUGHLINE_DEBUG=1`.
 */
export async function explainError(error: unknown, { stderr, env }: Io): Promise<void> {
  if (error instanceof ClosedPipeError) return
  const line = sanitizeLine(messageOf(error)).slice(0, longestMessage)
  const stack = env['THROUGHLINE_DEBUG'] === '1' && error instanceof Error ? error.stack : undefined
  const text = stack === undefined ? line : `${line}\n${sanitizeLine(stack, { lines: true })}`
  await stderr.write(`throughline: ${text}\n`).catch(() => undefined)
}

function messageOf(error: unknown): string {
  if (ThroughlineError.isInstance(error)) return error.message
  const what = error instanceof Error ? `${error.name}: ${error.message}` : String(error)
  return `an internal error occurred (${what}). Set THROUGHLINE_DEBUG=1 to see where, and please report it.`
}
