import { describe, expect, it } from 'vitest'
import { testStoreWithSession } from '../testing/new-store.ts'

describe('fork', () => {
  it('copies a session, or its beginning, and leaves the original alone', async () => {
    const { done, read, json } = await testStoreWithSession()
    const before = await read('made')
    expect(await done('fork', 'made')).toBe(
      'Forked made as fork-of-made: all 169 entries.\nTo delete it: throughline delete fork-of-made\n',
    )
    expect(await read('fork-of-made')).toEqual(before)
    expect((await json('fork', 'made')).session).toBe('fork-2-of-made')
    expect(await done('fork', 'made', '--at', '14', '--as', 'try')).toContain('entries 1 to 14')
    expect((await read('try')).slice(0, 14)).toEqual(before.slice(0, 14))
    // What its file told is known also where the note about it stands behind the entry.
    expect((await json('report', '--fill', 'try')).session).toMatchObject({
      model: 'claude-opus-4-5-20251101',
    })
    await done('compact', 'fork-of-made')
    expect(await read('made')).toEqual(before)
  })

  it.each([
    [2, ['--at', '0'], '--at must be the number of an entry'],
    [2, ['--at', 'end'], '--at must be the number of an entry'],
    [1, ['--at', '999'], 'seqs run from 1 to 169'],
    [2, ['--as', ' x'], '--as must be a plain name'],
    [1, ['--as', 'made'], 'The store already has a session "made"'],
  ])('ends with %d and one line at %j', async (code, options, message) => {
    const { fails, json } = await testStoreWithSession()
    expect(await fails(code, ['fork', 'made', ...options])).toContain(message)
    expect((await json('list', '--stored')).total).toBe(1)
  })
})
