import { ThroughlineError } from '../log/throughline-error.ts'

/** What the system calls the reason of an error: `EACCES`, … */
export function codeOf(error: unknown): string {
  return typeof error === 'object' && error !== null && 'code' in error
    ? String(error.code)
    : String(error)
}

/** A session is there and could not be read from where its harness keeps it. */
export class UnreadableSessionError extends ThroughlineError<'UNREADABLE_SESSION'> {
  static override readonly code = 'UNREADABLE_SESSION'

  readonly file: string

  constructor({ file, cause }: { file: string; cause: unknown }) {
    const reason = cause instanceof Error ? cause.message : codeOf(cause)
    super(
      UnreadableSessionError.code,
      `${file} could not be read: ${reason}. If its harness is writing to it, try again.`,
      { cause },
    )
    this.file = file
  }
}
