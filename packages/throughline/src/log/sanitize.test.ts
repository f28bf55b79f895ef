import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { sanitize, sanitizeLine } from './sanitize.ts'
import { expectLinear } from '../testing/growth.ts'

const forbidden = /[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\p{Cs}]/u

const signs = [
  '\x1b',
  '\x1b[',
  '\x1b]0;',
  '\x9b',
  '\x9d',
  '\x07',
  '\x1b\\',
  '\r',
  '\n',
  '\t',
  '\0',
  '\x7f',
  '\x85',
  '\u202e',
  '\u2066',
  '\u200f',
  '\u2028',
  '\ud800',
  '\udc00',
  '31m',
  ';',
  '?',
]
const nasty = fc.constantFrom(...signs)
const hostile = fc
  .array(fc.oneof(nasty, fc.string({ unit: 'binary' }), fc.string()))
  .map((pieces) => pieces.join(''))

describe('sanitize', () => {
  it('lets no control, escape or bidi character and no lone surrogate through', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        expect(sanitize(text)).not.toMatch(forbidden)
        expect(sanitizeLine(text)).not.toMatch(/[\n\t]/)
      }),
      { numRuns: 2000 },
    )
  })

  it('makes the same of a character wherever it stands', () => {
    const characters = Array.from({ length: 0x10000 }, (_, code) => String.fromCharCode(code))
    const differing = characters.filter(
      (character) => sanitize(`\x07 ${character}`) !== `\u2407 ${sanitize(character)}`,
    )
    expect(differing).toEqual([])
  })

  it('changes nothing the second time', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        expect(sanitize(sanitize(text))).toBe(sanitize(text))
      }),
    )
  })

  it('leaves words of every script, emoji, newlines and tabs as they are', () => {
    const text = 'über 日本語 العربية 👩‍💻\n\tnaïve — “quoted” ‌ZWNJ'
    expect(sanitize(text)).toBe(text)
  })

  it.each([
    ['colours', '\x1b[1;31mred\x1b[0m', 'red'],
    ['a link', '\x1b]8;;https://evil.example\x1b\\here\x1b]8;;\x1b\\', 'here'],
    ['a window title', '\x1b]0;root@host\x07ls', 'ls'],
    ['eight-bit colours', '\x9b31mred', 'red'],
    ['an unfinished sequence', 'a\x1b[', 'a'],
    ['a sequence made by taking one out', '\x1b\x1b[0m[31mx', '␛[31mx'],
    ['carriage returns', 'one\r\ntwo\rthree', 'one\ntwo\nthree'],
    ['turned writing', 'user\u202enimda\u202c', 'usernimda'],
    ['a bell', 'ding\x07', 'ding␇'],
  ])('takes out %s', (_, text, expected) => {
    expect(sanitize(text)).toBe(expected)
  })

  it('does work that grows with the length alone', async () => {
    for (const piece of ['\x1b]', '\x1b[1;', '\x1b[', '\x1b(', '\x1bP', '\x9b1']) {
      const cleaning = (times: number) => () => sanitize(piece.repeat(times))
      await expectLinear(cleaning, { small: 50_000, large: 400_000 }, JSON.stringify(piece))
    }
  })

  it('says what is on one line, or on all of them', () => {
    expect(sanitizeLine('  one \n\t two\u2028three\x07 ')).toBe('one two three␇')
    expect(sanitizeLine(' one \r\n two ', { lines: true })).toBe(' one \n two ')
    expect(sanitizeLine(' one \n two ', { lines: false })).toBe('one two')
  })

  it('shows what a control character was', () => {
    expect(sanitize('\0\x08\x0e\x1f')).toBe('␀␈␎␟')
    expect(sanitize('\x7f\x80\x99')).toBe('␡\ufffd\ufffd')
    expect(sanitize('a\ud800b')).toBe('a\ufffdb')
    expect(sanitize('\x07\ud800')).toBe('␇\ufffd')
  })

  it.each([
    ['a sequence of each kind', '\x1bPq\x1b\\1\x1bXs\x9c2\x1b^p\x073\x1b_a\x1b\\4', '1234'],
    ['sequences with parameters and intermediates', '\x1b[?25h1\x1b[0;1 q2\x9b>c3', '123'],
    ['charsets and resets', '\x1b(B1\x1bc2\x1b%G3\x1b7', '123'],
    ['a title that never ends', '\x1b]0;title', '0;title'],
    ['every kind of line end', '1\u20282\u20293\v4\f5\r\r\n6', '1\n2\n3\n4\n5\n\n6'],
    [
      'every sign that turns writing',
      '1\u061c2\u200e3\u200f4\u202a5\u202e6\u20667\u20698',
      '12345678',
    ],
  ])('takes out %s', (_, text, expected) => {
    expect(sanitize(text)).toBe(expected)
  })
})
