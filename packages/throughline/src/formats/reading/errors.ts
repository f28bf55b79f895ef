import { ThroughlineError } from '../../log/throughline-error.ts'

/** A session file that holds nothing. */
export class EmptySessionError extends ThroughlineError<'SESSION_EMPTY'> {
  static override readonly code = 'SESSION_EMPTY'

  readonly bytes: number

  constructor({ bytes }: { bytes: number }) {
    super(
      EmptySessionError.code,
      bytes === 0
        ? 'The session is empty: 0 bytes were read. Give a session file that a client has written to.'
        : `The session is empty: its ${bytes} bytes hold no record. Give a session file that a client has written to.`,
    )
    this.bytes = bytes
  }
}

/** A file that is no session of a known format. */
export class UnknownSessionError extends ThroughlineError<'SESSION_UNKNOWN'> {
  static override readonly code = 'SESSION_UNKNOWN'

  /** What stands there instead. */
  readonly found: string
  /** Where it stands, counted from 1. */
  readonly line: number
  readonly formats: readonly string[]

  constructor(details: { found: string; line: number; formats: readonly NamedPlace[] }) {
    const known = details.formats.map(({ name, place }) => `${name} (${place})`).join(', ')
    super(
      UnknownSessionError.code,
      `Not a session that Throughline knows: line ${details.line} holds ${details.found}. Known formats: ${known}. Give the session file that the client itself wrote.`,
    )
    this.found = details.found
    this.line = details.line
    this.formats = details.formats.map(({ name }) => name)
  }
}

interface NamedPlace {
  name: string
  place: string
}
