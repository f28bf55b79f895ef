import type { Seq, TailItem } from '../../log/entry.ts'

/** Entries from the first to the last. */
export interface Span {
  first: Seq
  last: Seq
}

const longestTail = 2000

/** The entries of these spans, each once, in the order of the spans; of very many the last ones. */
export function tailWithin(spans: readonly Span[]): TailItem[] {
  const seqs: Seq[] = []
  const known = new Set<Seq>()
  for (const { first, last } of spans.toReversed()) {
    for (let seq = last; seq >= first && seqs.length < longestTail; seq--) {
      if (!known.has(seq)) seqs.push(seq)
      known.add(seq)
    }
  }
  return seqs.toReversed().map((seq) => ({ type: 'entry', seq }))
}
