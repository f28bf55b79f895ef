import { describe, expect, it } from 'vitest'
import { assistant, call, human, logFrom, result, tool } from '../testing/generate/build.ts'
import { contextOf } from './context/context.ts'
import { checkRewind, entriesIn, historyOf, rangesAt, rangesOf, rewindsIn } from './history.ts'
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

  it('can go to the beginning and to what there is, and to nothing else', () => {
    const log = logFrom(said)
    for (const seq of [0, 1, 4]) expect(() => checkRewind(log, seq)).not.toThrow()
    for (const seq of [-1, 5]) {
      expect(() => checkRewind(log, seq)).toThrow(
        expect.objectContaining({ code: 'REF_NOT_FOUND', ref: `${seq}`, newest: 4 }),
      )
    }
    expect(() => checkRewind(logFrom([]), 1)).toThrow(expect.objectContaining({ newest: 0 }))
  })

  it('leave ranges in force, of which those that go on behind a gap say so', () => {
    const drafts = [...said, rewind(3, 5), human('e'), rewind(1, 3), human('f')]
    const rewinds = rewindsIn(logFrom(drafts))
    const left = rewinds.map(({ seq, active }) => ({ seq, ranges: rangesOf(active) }))
    expect(left).toEqual([
      { seq: 5, ranges: [{ from: 1, to: 3 }] },
      {
        seq: 7,
        ranges: [
          { from: 1, to: 1 },
          { from: 3, to: 3, resumed: true },
          { from: 6, to: 6, resumed: true },
        ],
      },
    ])
    expect(rangesAt(rewinds, 4)).toEqual([{ from: 1, to: 4 }])
    expect(rangesAt(rewinds, 5)).toEqual([{ from: 1, to: 3 }])
    expect(rangesAt(rewinds, 6)).toEqual([
      { from: 1, to: 3 },
      { from: 6, to: 6 },
    ])
    expect(rangesAt([], 0)).toEqual([])
    expect([...entriesIn(logFrom(drafts), rangesAt(rewinds, 8))].map(({ seq }) => seq)).toEqual([
      1, 3, 6, 8,
    ])
  })

  it('keep a result of what is still there whole, and show the rest as late', () => {
    const drafts = [human('go'), assistant([call('a', 'x')]), human('and?'), rewind(2)]
    const late = tool(result('a', 'x', 'here'))
    const { items } = contextOf(logFrom([...drafts, late]))
    expect(items.map(({ type, seq }) => `${type} ${seq}`)).toEqual([
      'message 1',
      'message 2',
      'message 5',
    ])
  })

  it('by the hundred cost no more than their number', () => {
    const drafts: EntryDraft[] = [...said]
    for (let round = 0; round < 300; round++) drafts.push(rewind(2, 3))
    expect(seqs(drafts)).toEqual({ context: [1, 2, 3, 4], history: [1, 2, 3, 4] })
  })
})
