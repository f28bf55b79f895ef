import type { SessionFacts } from '../../formats/format.ts'
import type { Chronological } from '../../log/order.ts'

/** A stretch of a session, read separately: its entries have their own seqs. */
export interface Stretch {
  log: Chronological
  facts: SessionFacts
  /** Whether it continues something other than what comes right before it in the file. */
  goesBack?: boolean
}

/** What a preview sees of a session: its beginning and its end, or all of it. */
export interface SessionEnds {
  first: Stretch
  /** The end, if the beginning isn't everything. */
  last?: Stretch
  /** How much larger the whole is than `last`. */
  scale: number
  /** The size of the whole. */
  bytes: number
}
