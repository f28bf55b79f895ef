/**
 * What the input of a request costs on the average until the session has grown again: if old outputs
 * are pruned now, or if all that is old is summarized. In US dollars; by usual prices where those of
 * the model are not known.
 */
export interface PruneWeighed {
  pruned: number
  summarized: number
  pricesKnown: boolean
}

/** Says whether old outputs are pruned without a summary, where that alone makes enough room. */
export type PruneAloneStrategy = (weighed: PruneWeighed) => boolean

/** The default. */
export const pruneWhereItPays: PruneAloneStrategy = ({ pruned, summarized }) => pruned <= summarized
