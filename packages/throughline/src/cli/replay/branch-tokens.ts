import type { Seq } from '../../log/entry.ts'

/**
 * What the context would hold if nothing were ever compacted. It follows the human back to
 * earlier points, and knows which entry of the replay each recorded one became.
 */
export interface BranchTokens {
  /** Of the messages that the model would see now. */
  tokens: number
  add: (recorded: Seq, replayed: Seq, tokens: number) => void
  /** Goes back to a recorded entry, and says which one it is in the replay. */
  rewind: (recorded: Seq) => Seq
}

export function branchTokens(): BranchTokens {
  const points: { recorded: Seq; replayed: Seq; tokens: number }[] = []
  return {
    tokens: 0,
    add(recorded, replayed, tokens) {
      this.tokens += tokens
      points.push({ recorded, replayed, tokens: this.tokens })
    },
    rewind(recorded) {
      const point = points.findLast((each) => each.recorded <= recorded)
      this.tokens = point?.tokens ?? 0
      return point?.replayed ?? 0
    },
  }
}
