import { describe, expect, it } from 'vitest'
import { testStoreWithSession } from '../testing/new-store.ts'

describe('recall', () => {
  it('finds words, files and refs in all that was ever said', async () => {
    const { done } = await testStoreWithSession()
    await done('compact', 'made', '--window', '16k')
    expect(await done('recall', 'made', 'value0x0x7')).toMatch(
      /^=== Read answers \[3\.0\]\n[^]*8→ +const value0x0x7 = compute\(7\)[^]*\n\[characters [\d,]+ to [\d,]+ of [\d,]+\]\n$/,
    )
    expect(await done('recall', 'made', '2.0')).toBe('=== assistant [2.0]\nLooking at step 0.0.\n')
    expect(await done('recall', 'made', '[2.0]')).toBe(await done('recall', 'made', '2.0'))
    expect(await done('recall', 'made', '--path', 'part3/file1.ts')).toContain(
      '=== assistant calls Edit [',
    )
    expect(await done('recall', 'made', 'value0x0x7', 'zebra')).toMatch(
      /^No message has all of these words; these have some of them\.\n\n===/,
    )
  })

  it('says the same of a file', async () => {
    const { done } = await testStoreWithSession()
    expect(await done('recall', 'session.jsonl', '2')).toBe(await done('recall', 'made', '2'))
  })

  it('says how to go on, and goes on there', async () => {
    const { run, done, json, file, directory } = await testStoreWithSession()
    const setting = { cwd: directory, env: { THROUGHLINE_STORE: file } }
    const first = await run(['recall', 'made', 'please make', '--tokens', '300'], setting)
    const [, next = ''] = /^There is more: throughline (.*)\n$/.exec(first.err) ?? []
    expect(next).toMatch(/^recall made 'please make' --offset \d+$/)
    const offset = /\d+$/.exec(next)?.[0] ?? ''
    const second = await done('recall', 'made', 'please make', '--offset', offset)
    expect(second).not.toBe(first.out)
    const { passages, match } = await json('recall', 'made', 'please make')
    expect(match).toBe('all')
    expect(passages[0]).toMatchObject({ who: 'human', what: 'text', start: 0 })
  })

  it.each([
    [2, [], 'what should be recalled?'],
    [2, ['a', '--path', 'b'], 'use only one'],
    [2, ['a', '--offset', 'x'], '--offset must be a whole number'],
    [2, ['a', '--tokens', 'x'], '--tokens must be a number of tokens'],
    [2, ['!?'], 'no letter and no digit'],
    [1, ['999'], 'no ref "999"'],
    [1, ['nowheretobefound'], 'nothing was found in made. Try other words'],
    [1, ['--path', 'nowhere.ts'], 'nothing was found in made. Give a part of the path'],
    [1, ['value', '--offset', '99999'], 'Use a smaller --offset'],
    [1, ['x'.repeat(2000)], 'at most 1000 characters'],
  ])('ends with %d and one line at %j', async (code, options, message) => {
    const { fails } = await testStoreWithSession()
    expect(await fails(code, ['recall', 'made', ...options])).toContain(message)
  })
})
