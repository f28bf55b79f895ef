import type { InsideClient } from '../client-trial.ts'

/** A client that lives a long life, and what of Throughline it takes. */
export type LongClient = Pick<
  InsideClient,
  | 'client'
  | 'window'
  | 'strict'
  | 'read'
  | 'run'
  | 'write'
  | 'asksForSummary'
  | 'summary'
  | 'prepare'
  | 'set'
  | 'hasSlot'
  | 'first'
  | 'again'
  | 'reach'
  | 'loads'
> & {
  /** What the user types behind `throughline install`, if anything can be installed in it. */
  word?: string
  /** It is started behind the gateway, by `throughline run`. */
  isBehind?: true
}
