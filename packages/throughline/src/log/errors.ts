import { ThroughlineError } from './throughline-error.ts'
import type { Seq } from './entry.ts'

/** Entries were given in another order than that of their seq. */
export class LogOrderError extends ThroughlineError<'LOG_ORDER'> {
  static override readonly code = 'LOG_ORDER'

  readonly before: Seq
  readonly seq: Seq

  constructor({ before, seq }: { before: Seq; seq: Seq }) {
    super(
      LogOrderError.code,
      `Entry ${seq} stands after entry ${before}. A log is read in order of seq: sort the entries, or read them from the store.`,
    )
    this.before = before
    this.seq = seq
  }
}

/** A ref that the session does not hold. */
export class RefNotFoundError extends ThroughlineError<'REF_NOT_FOUND'> {
  static override readonly code = 'REF_NOT_FOUND'

  readonly ref: string
  readonly newest: Seq
  /** How many parts the entry has, where there is one and only the part is missing. */
  readonly parts: number | undefined

  constructor({ ref, newest, parts }: { ref: string; newest: Seq; parts?: number | undefined }) {
    super(
      RefNotFoundError.code,
      `The session has no ref ${JSON.stringify(ref.slice(0, 40))}. A ref is seq or seq.part, and ${rangeOf(newest, parts)}.`,
    )
    this.ref = ref
    this.newest = newest
    this.parts = parts
  }
}

function rangeOf(newest: Seq, parts: number | undefined): string {
  if (parts === undefined) return `seqs run from 1 to ${newest}`
  return parts === 0 ? 'this entry has no parts' : `the parts of this entry are 0 to ${parts - 1}`
}

/** A text that cannot be redacted: it would take other text with it. */
export class RedactionError extends ThroughlineError<'REDACTION'> {
  static override readonly code = 'REDACTION'

  /** Characters. */
  readonly length: number
  readonly shortest: number

  constructor({ length, shortest }: { length: number; shortest: number }) {
    super(
      RedactionError.code,
      `A text of ${length} characters cannot be redacted: it stands in too many others. Give the whole secret, of at least ${shortest} characters.`,
    )
    this.length = length
    this.shortest = shortest
  }
}
