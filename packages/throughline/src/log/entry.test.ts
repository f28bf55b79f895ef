import { describe, expect, it } from 'vitest'
import { human, logFrom } from '../testing/generate/build.ts'
import { changesView, draftOf, type Entry, type EntryDraft } from './entry.ts'

describe('an entry', () => {
  it('without its place is what another session can be given', () => {
    const draft = human('hi')
    const [entry] = logFrom([draft])
    expect(draftOf(entry as Entry)).toEqual(draft)
    expect(entry).toHaveProperty('seq', 1)
  })

  it('changes the view of those before it if it is a checkpoint, a prune or a rewind', () => {
    const kinds: EntryDraft['kind'][] = [
      'message',
      'prune',
      'checkpoint',
      'pin',
      'unpin',
      'rewind',
      'observation',
    ]
    const changing = kinds.filter((kind) => changesView({ kind, seq: 1 } as Entry))
    expect(changing).toEqual(['prune', 'checkpoint', 'rewind'])
  })
})
