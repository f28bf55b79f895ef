import { ThroughlineError } from '../../log/throughline-error.ts'
import type { Seq } from '../../log/entry.ts'

/** Why a session cannot be added to the one that the store holds under its name. */
export type Divergence =
  /** The stored one was not imported from such a file. */
  | 'another'
  /** Both begin alike, and then say different things. */
  | 'diverged'
  /** Its newest step was imported half written, and the stored session has gone on since. */
  | 'went-on'

/** The store holds another session under this name. */
export class ImportConflictError extends ThroughlineError<'IMPORT_CONFLICT'> {
  static override readonly code = 'IMPORT_CONFLICT'

  readonly session: string
  readonly divergence: Divergence
  /** The first entry of the stored session that says something else; 0 if nothing is shared. */
  readonly seq: Seq

  constructor(details: { session: string; divergence: Divergence; seq: Seq }) {
    const { session, divergence, seq } = details
    super(
      ImportConflictError.code,
      `The store holds a session ${JSON.stringify(session)} already, ${reasons[divergence](seq)}. Nothing was changed. Import it under another name.`,
    )
    this.session = session
    this.divergence = divergence
    this.seq = seq
  }
}

const reasons: Readonly<Record<Divergence, (seq: Seq) => string>> = {
  another: () => 'which does not come from such a file',
  diverged: (seq) => `which says something else from entry ${seq} on`,
  'went-on': (seq) =>
    `which has gone on from entry ${seq}, of which the file only now holds the whole`,
}
