import { ThroughlineError } from './throughline-error.ts'

/** A value that no log can hold, or an option that is none: the host's own code is wrong. */
export class InvalidEntryError extends ThroughlineError<'INVALID_ENTRY'> {
  static override readonly code = 'INVALID_ENTRY'

  /** The path of the field: `usage.inputTokens`. */
  readonly field: string
  readonly value: unknown

  constructor({ field, value, expected }: { field: string; value: unknown; expected: string }) {
    const shown = typeof value === 'object' && value !== null ? 'an object' : String(value)
    super(
      InvalidEntryError.code,
      `${field} is ${shown.slice(0, 60)}; it must be ${expected}. Nothing was written.`,
    )
    this.field = field
    this.value = value
  }
}
