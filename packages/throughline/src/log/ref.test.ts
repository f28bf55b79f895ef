import { describe, expect, it } from 'vitest'
import { call, human, logFrom, result, step } from '../testing/generate/build.ts'
import { parseRef, readRef, ref, RefNotFoundError } from './ref.ts'
import type { EntryDraft } from './entry.ts'

const pin: EntryDraft = { kind: 'pin', at: 0, text: 'keep' }
const log = logFrom([human('go'), step('a', 'Read', { path: 'x' }, 'text'), human(''), pin])

describe('a ref', () => {
  it('is written as it is read', () => {
    expect(ref(12)).toBe('12')
    expect(ref(12, 0)).toBe('12.0')
    expect(parseRef('12')).toEqual({ seq: 12 })
    expect(parseRef('12.0')).toEqual({ seq: 12, part: 0 })
    expect(parseRef('123456789012345.123456789')).toEqual({ seq: 123456789012345, part: 123456789 })
  })

  it.each([
    '',
    'x',
    '1.',
    '.1',
    '1.2.3',
    ' 1',
    '1 ',
    '1\n',
    '-1',
    '1e3',
    '1234567890123456',
    '1.1234567890',
  ])('is not %j', (text) => {
    expect(parseRef(text)).toBeUndefined()
  })

  it('reads back a message or a part of it', () => {
    expect(readRef(log, '1')).toEqual({ role: 'user', content: 'go' })
    expect(readRef(log, '1.0')).toEqual({ type: 'text', text: 'go' })
    expect(readRef(log, '2.0')).toEqual(call('a', 'Read', { path: 'x' }))
    expect(readRef(log, '3.0')).toEqual(result('a', 'Read', 'text'))
  })

  it.each([
    ['6', 'seqs run from 1 to 5', undefined],
    ['0', 'seqs run from 1 to 5', undefined],
    ['5', 'seqs run from 1 to 5', undefined],
    ['nonsense', 'seqs run from 1 to 5', undefined],
    ['2.1', 'the parts of this entry are 0 to 0', 1],
    ['4.0', 'this entry has no parts', 0],
  ])('of nothing says what there is instead: %s', (text, range, parts) => {
    const read = (): unknown => readRef(log, text)
    expect(read).toThrow(RefNotFoundError)
    expect(read).toThrow(
      expect.objectContaining({
        code: 'REF_NOT_FOUND',
        ref: text,
        newest: 5,
        parts,
        message: `The session has no ref ${JSON.stringify(text)}. A ref is seq or seq.part, and ${range}.`,
      }),
    )
  })

  it('of nothing, however long, is told in short, and in an empty log too', () => {
    const long = 'x'.repeat(100)
    const error = new RefNotFoundError({ ref: long, newest: 0 })
    expect(error.message).toContain(`"${'x'.repeat(40)}"`)
    expect(error.ref).toBe(long)
    expect(() => readRef(logFrom([]), '1')).toThrow('seqs run from 1 to 0')
  })
})
