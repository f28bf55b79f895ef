import { describe, expect, it } from 'vitest'
import { newTestStore, testStoreWithSession } from '../testing/new-store.ts'

describe('drop', () => {
  it('takes messages from what the model sees, and undo brings them back', async () => {
    const { done, json } = await testStoreWithSession()
    const before = await done('report', '--history', 'made', '--context')
    const dropped = await json('drop', 'made', '2', '6')
    expect(dropped.dropped).toEqual(expect.arrayContaining(['3.0']))
    expect(dropped.tokens.after).toBeLessThan(dropped.tokens.before)
    expect(await done('report', '--history', 'made', '--context')).toMatch(
      /<dropped tool="Read" tokens="\d+" ref="3\.0" \/>/,
    )
    expect(await done('report', '--history', 'made', '3')).toContain('const value0x0x0')
    expect(await done('undo', 'made')).toMatch(
      /^Undid the drop at entry .*\nTo drop it again: throughline drop made 2 6\n$/,
    )
    expect(await done('report', '--history', 'made', '--context')).toBe(before)
  })

  it('takes ranges and lists of them, says what stays, and undo brings all back in one', async () => {
    const { done, json } = await testStoreWithSession()
    const before = await done('report', '--history', 'made', '--context')
    const dropped = await json('drop', 'made', '2-9', '12,14–15', '[20]')
    expect(dropped.dropped).toEqual(expect.arrayContaining(['3.0', '7.0', '13.0', '15.0', '20.1']))
    expect(await done('undo', 'made')).toContain('Undid the drop')
    expect(await done('report', '--history', 'made', '--context')).toBe(before)
    const { entries } = (await json('list', '--stored')).sessions[0]
    const all = await done('drop', 'made', `1-${entries}`)
    expect(all).toMatch(/Stays: .*\d+ \(the latest request or the newest step\)/)
    expect(await done('undo', 'made')).toContain('Undid the drop')
    expect(await done('report', '--history', 'made', '--context')).toBe(before)
  })

  it.each([
    [['made', '168'], 1, 'the newest step'],
    [['made', '9999'], 1, 'no ref "9999"'],
    [['made', 'x'], 2, 'a ref is the number'],
    [['made', '20-12'], 2, 'write 12-20'],
    [['made', '12-'], 2, 'or a range such as 12-20'],
    [['made', ','], 2, 'a ref is the number'],
    [['made', '160-9999'], 1, 'no ref "9999"'],
    [['made'], 2, 'which ref?'],
  ] as const)('refuses %j', async (argv, code, message) => {
    const { fails, read } = await testStoreWithSession()
    const before = await read('made')
    expect(await fails(code, ['drop', ...argv])).toContain(message)
    expect(await read('made')).toEqual(before)
  })

  it('keeps the newest step where a pin stands behind it', async () => {
    const { done, fails } = await testStoreWithSession()
    await done('pin', 'made', 'The release is on Friday.')
    expect(await fails(1, ['drop', 'made', '168'])).toContain('the newest step')
  })

  it('says how a file gets into the store', async () => {
    const { done, fails } = newTestStore()
    await done('import', 'session.jsonl', '--as', 'other')
    expect(await fails(1, ['drop', 'session.jsonl', '2'])).toContain(
      'throughline import session.jsonl',
    )
  })
})
