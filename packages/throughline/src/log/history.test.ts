import { describe, expect, it } from 'vitest'
import { assistant, human, logFrom } from '../testing/generate/build.ts'
import { contextOf } from './context.ts'
import { historyOf } from './history.ts'
import type { EntryDraft, Seq } from './entry.ts'

const rewind = (to: Seq, resume?: Seq): EntryDraft => ({
  kind: 'rewind',
  at: 0,
  to,
  ...(resume !== undefined && { resume }),
})

const seqs = (drafts: EntryDraft[]): { context: Seq[]; history: Seq[] } => {
  const log = logFrom(drafts)
  return {
    context: contextOf(log).items.map(({ seq }) => seq),
    history: historyOf(log).entries.map(({ seq }) => seq),
  }
}

const said = [human('a'), assistant('b'), human('c'), assistant('d')]

describe('rewinds', () => {
  it('leave out what stands between `to` and `resume`, also where that was rewound in part', () => {
    const drafts = [...said, rewind(3, 5), human('e'), rewind(1, 3)]
    expect(seqs(drafts).context).toEqual([1, 3, 6])
  })

  it('to what comes later, or with a part that stands twice, do no harm', () => {
    expect(seqs([...said, rewind(99)]).context).toEqual([1, 2, 3, 4])
    expect(seqs([...said, rewind(5)]).context).toEqual([1, 2, 3, 4])
    expect(seqs([...said, rewind(3, 1)]).context).toEqual([1, 2, 3, 4])
    expect(seqs([...said, rewind(-1)]).context).toEqual([])
  })

  it('by the hundred cost no more than their number', () => {
    const drafts: EntryDraft[] = [...said]
    for (let round = 0; round < 300; round++) drafts.push(rewind(2, 3))
    expect(seqs(drafts)).toEqual({ context: [1, 2, 3, 4], history: [1, 2, 3, 4] })
  })
})
