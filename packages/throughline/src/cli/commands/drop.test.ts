import { describe, expect, it } from 'vitest'
import { newTestStore, testStoreWithSession } from '../testing/new-store.ts'

describe('drop', () => {
  it('takes messages from what the model sees, and undo brings them back', async () => {
    const { done, json } = await testStoreWithSession()
    const before = await done('show', 'made', '--context')
    const dropped = await json('drop', 'made', '2', '6')
    expect(dropped.dropped).toEqual(expect.arrayContaining(['3.0']))
    expect(dropped.tokens.after).toBeLessThan(dropped.tokens.before)
    expect(await done('show', 'made', '--context')).toMatch(
      /<dropped tool="Read" tokens="\d+" ref="3\.0" \/>/,
    )
    expect(await done('show', 'made', '3')).toContain('const value0x0x0')
    expect(await done('undo', 'made')).toContain('Undid the pruning')
    expect(await done('show', 'made', '--context')).toBe(before)
  })

  it.each([
    [['made', '168'], 1, 'the newest step'],
    [['made', '9999'], 1, 'no ref "9999"'],
    [['made', 'x'], 2, 'a ref is the number'],
    [['made'], 2, 'which ref?'],
  ] as const)('refuses %j', async (argv, code, message) => {
    const { fails, read } = await testStoreWithSession()
    const before = await read('made')
    expect(await fails(code, ['drop', ...argv])).toContain(message)
    expect(await read('made')).toEqual(before)
  })

  it('says how a file gets into the store', async () => {
    const { done, fails } = newTestStore()
    await done('import', 'session.jsonl', '--as', 'other')
    expect(await fails(1, ['drop', 'session.jsonl', '2'])).toContain(
      'throughline import session.jsonl',
    )
  })
})
