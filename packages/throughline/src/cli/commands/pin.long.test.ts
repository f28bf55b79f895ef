import { describe, expect, it } from 'vitest'
import { testStoreWithSession } from '../testing/new-store.ts'

describe('a pin', () => {
  it('stands in the summary word for word until it is taken back', async () => {
    const { done, json } = await testStoreWithSession()
    expect(await done('pin', 'made', 'The release is on Friday.')).toBe(
      'Pinned as 170 in made: The release is on Friday.\nTo undo this: throughline pin --remove made 170\n',
    )
    await done('compact', 'made')
    expect(await done('report', '--history', 'made', '--context')).toContain(
      '## Pinned\nThe release is on Friday.\n',
    )
    expect(await done('pin', '--remove', 'made', '170')).toContain('Removed pin 170 of made')
    await done('undo', 'made')
    await done('compact', 'made')
    expect(await done('report', '--history', 'made', '--context')).not.toContain('## Pinned')
    expect(await json('pin', 'made', 'x y')).toMatchObject({
      session: 'made',
      text: 'x y',
      ref: null,
    })
  })

  it('is pinned once', async () => {
    const { done, json, read } = await testStoreWithSession()
    const { pin } = await json('pin', 'made', 'The release is on Friday.')
    const before = await read('made')
    expect(await done('pin', 'made', 'The release is on Friday.')).toContain(
      `Already pinned as ${pin} in made`,
    )
    expect(await read('made')).toEqual(before)
  })

  it('is what a ref says', async () => {
    const { json, read } = await testStoreWithSession()
    const { pin, text, ref } = await json('pin', 'made', '--ref', '2.0')
    expect([text, ref]).toEqual(['Looking at step 0.0.', '2.0'])
    expect((await read('made')).at(-1)).toMatchObject({ seq: pin, kind: 'pin', text, ref })
  })

  it.each([
    [2, ['pin', 'made'], 'what should be kept?'],
    [2, ['pin', 'made', '  '], 'what should be kept?'],
    [2, ['pin', 'made', 'a', 'b'], 'put quotes around'],
    [2, ['pin', 'made', 'a', '--ref', '1'], 'use only one'],
    [2, ['pin', 'made', '--ref', 'one'], 'such as 12 or 12.0, not "one"'],
    [1, ['pin', 'made', '--ref', '999'], 'no ref "999"'],
    [1, ['pin', 'made', '--ref', '2.1'], '2.1 contains no text'],
    [1, ['pin', 'made', 'x '.repeat(200_000)], 'tokens'],
    [2, ['pin', '--remove', 'made'], 'which pin?'],
    [2, ['pin', '--remove', 'made', 'one'], 'must be the number of an entry'],
    [2, ['pin', '--remove', 'made', '0'], 'must be the number of an entry'],
    [1, ['pin', '--remove', 'made', '3'], 'no text is pinned'],
  ])('ends with %d and one line, and changes nothing, at %j', async (code, argv, message) => {
    const { fails, read } = await testStoreWithSession()
    const before = await read('made')
    expect(await fails(code, argv)).toContain(message)
    expect(await read('made')).toEqual(before)
  })
})
