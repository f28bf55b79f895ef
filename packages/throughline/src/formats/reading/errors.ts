import { ThroughlineError } from '../../log/throughline-error.ts'

/** A session file without content. */
export class EmptySessionError extends ThroughlineError<'SESSION_EMPTY'> {
  static override readonly code = 'SESSION_EMPTY'

  readonly bytes: number

  constructor({ bytes }: { bytes: number }) {
    super(
      EmptySessionError.code,
      bytes === 0
        ? 'The session is empty: 0 bytes were read. Use a session file that a client has written to.'
        : `The session is empty: its ${bytes} bytes contain no record. Use a session file that a client has written to.`,
    )
    this.bytes = bytes
  }
}

/** A file that isn't a session in a known format. */
export class UnknownSessionError extends ThroughlineError<'SESSION_UNKNOWN'> {
  static override readonly code = 'SESSION_UNKNOWN'

  /** What the file contains instead. */
  readonly found: string
  readonly line: number
  readonly formats: readonly string[]

  constructor(details: { found: string; line: number; formats: readonly NamedPlace[] }) {
    const { found, line, formats } = details
    const [only, ...others] = formats
    const isOne = only !== undefined && others.length === 0
    const what = isOne ? `a session of ${only.name}` : 'a session that Throughline knows'
    const list = isOne ? '' : `; docs/formats.md lists all ${formats.length} formats`
    super(
      UnknownSessionError.code,
      `This is not ${what}: line ${line} contains ${found}. Use the file that the client itself wrote${list}.`,
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
