import type { SessionFacts } from '../../formats/format.ts'
import type { Chronological } from '../../log/order.ts'

/** A stretch of a session, read by itself: its entries have seqs of their own. */
export interface Stretch {
  log: Chronological
  facts: SessionFacts
  /** Whether it follows something else than what stands right before it in the file. */
  goesBack?: boolean
}

/** What a preview sees of a session: its beginning and its end, or all of it. */
export interface SessionEnds {
  first: Stretch
  /** The end, where the beginning is not all. */
  last?: Stretch
  /** How much larger the whole is than `last`. */
  scale: number
  /** Of the whole. */
  bytes: number
}
