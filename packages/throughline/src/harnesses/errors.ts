import { ThroughlineError } from '../log/throughline-error.ts'

/** The system's code for an error: `EACCES`, … */
export function codeOf(error: unknown): string {
  return typeof error === 'object' && error !== null && 'code' in error
    ? String(error.code)
    : String(error)
}

/** A session exists but could not be read. */
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
