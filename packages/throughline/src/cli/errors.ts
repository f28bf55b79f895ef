import { ThroughlineError } from '../log/throughline-error.ts'
import { sanitizeLine } from '../log/sanitize.ts'
import type { Io } from './io.ts'

// Names of files and fields may have any length, but the line must remain readable.
const longestMessage = 1000

/** Prints on standard error what went wrong. */
export async function explainError(error: unknown, { stderr, env }: Io): Promise<void> {
  if (error instanceof ClosedPipeError) return
  await stderr.write(`throughline: ${errorText(error, env)}\n`).catch(() => undefined)
}

/** What went wrong, in one line; the stack follows only with `THROUGHLINE_DEBUG=1`. */
function errorText(error: unknown, env: Io['env']): string {
  const line = sanitizeLine(messageOf(error)).slice(0, longestMessage)
  const stack = env['THROUGHLINE_DEBUG'] === '1' && error instanceof Error ? error.stack : undefined
  return stack === undefined ? line : `${line}\n${sanitizeLine(stack, { lines: true })}`
}

function messageOf(error: unknown): string {
  if (ThroughlineError.isInstance(error)) return error.message
  const refused = refusedBySystem(error)
  if (refused !== undefined) return refused
  const what = error instanceof Error ? `${error.name}: ${error.message}` : String(error)
  return `an internal error occurred (${what}). Set THROUGHLINE_DEBUG=1 to see where, and please report it.`
}

/** What the system refused, such as a folder in a read-only one, or a write on a full disk. */
function refusedBySystem(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('syscall' in error)) return undefined
  const [, reason] = /^E[A-Z0-9]{2,20}: ([^,]{1,80}), /.exec(error.message) ?? []
  if (reason === undefined) return undefined
  const { dest, path } = error as { dest?: string; path?: string }
  const place = dest ?? path
  const [what, where] = place === undefined ? [reason, ''] : [`${place}: ${reason}`, ' there']
  return `${what} (${String(error.syscall)}). Check the permissions and the room on the disk${where}, and run it again.`
}

/** The command was called in a way that it doesn't understand. */
export class UsageError extends ThroughlineError<'USAGE'> {
  static override readonly code = 'USAGE'

  constructor(message: string) {
    super(UsageError.code, message)
  }
}

/** The command was understood but failed. */
export class CommandError extends ThroughlineError<'COMMAND'> {
  static override readonly code = 'COMMAND'

  constructor(message: string, options?: ErrorOptions) {
    super(CommandError.code, message, options)
  }
}

/** Someone pressed Ctrl-C; the message says what was done so far. */
export class InterruptedError extends ThroughlineError<'INTERRUPTED'> {
  static override readonly code = 'INTERRUPTED'

  constructor(message: string) {
    super(InterruptedError.code, message)
  }
}

/** The program that reads the output has ended, as `head` does. */
export class ClosedPipeError extends ThroughlineError<'CLOSED_PIPE'> {
  static override readonly code = 'CLOSED_PIPE'

  constructor() {
    super(ClosedPipeError.code, 'The program that reads the output has ended.')
  }
}

export function interruption(): InterruptedError {
  return new InterruptedError('interrupted; nothing was written.')
}

export const exitCodes = { done: 0, failed: 1, usage: 2, interrupted: 130 } as const

export function exitCodeOf(error: unknown): number {
  if (error instanceof ClosedPipeError) return exitCodes.done
  if (error instanceof UsageError) return exitCodes.usage
  if (error instanceof InterruptedError) return exitCodes.interrupted
  return exitCodes.failed
}

/** The code of an error of the system, such as `ENOENT`; of anything else what it is as a string. */
export function codeOf(error: unknown): string {
  return typeof error === 'object' && error !== null && 'code' in error
    ? String(error.code)
    : String(error)
}
