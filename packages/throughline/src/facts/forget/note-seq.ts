import type { Seq } from '../../log/entry.ts'

/** How many of the newest entries a fact names. */
export const mostSeqs = 16

/** Names the entry, in a list no longer than it need be: one that is pushed to has room for 16 more. */
export function noteSeq(fact: { seqs: Seq[] }, seq: Seq): void {
  if (fact.seqs.at(-1) !== seq) fact.seqs = [...fact.seqs.slice(1 - mostSeqs), seq]
}
