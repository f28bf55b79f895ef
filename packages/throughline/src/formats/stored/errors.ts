import { ThroughlineError } from '../../log/throughline-error.ts'
import type { Seq } from '../../log/entry.ts'

/** Why a session can't be added to the one that the store holds under its name. */
export type Divergence =
  /** The stored one was not imported from such a file. */
  | 'another'
  /** Both begin alike and then differ. */
  | 'diverged'
  /** Its newest step was imported half written, and the stored session has continued since. */
  | 'went-on'

/** The store holds another session under this name. */
export class ImportConflictError extends ThroughlineError<'IMPORT_CONFLICT'> {
  static override readonly code = 'IMPORT_CONFLICT'

  readonly session: string
  readonly divergence: Divergence
  /** The first entry of the stored session that differs; 0 if nothing is shared. */
  readonly seq: Seq

  constructor(details: { session: string; divergence: Divergence; seq: Seq }) {
    const { session, divergence, seq } = details
    super(
      ImportConflictError.code,
      `The store already has a session ${JSON.stringify(session)} ${reasons[divergence](seq)}. Nothing was changed. Import it under another name.`,
    )
    this.session = session
    this.divergence = divergence
    this.seq = seq
  }
}

const reasons: Readonly<Record<Divergence, (seq: Seq) => string>> = {
  another: () => 'that was not imported from such a file',
  diverged: (seq) => `that differs, starting at entry ${seq}`,
  'went-on': (seq) => `that has continued after entry ${seq}, which is complete only in this file`,
}
