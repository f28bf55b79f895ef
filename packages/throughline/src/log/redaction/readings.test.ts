import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { charactersOf, gap, utf16Readings, utf8Characters } from './characters.ts'
import { base64Bytes, base64Of, hexBytes, numberedBytes } from './encoded-bytes.ts'
import { findSecret, withoutSecret } from './find-secret.ts'
import { joinedDeltas, joinedLines, withoutQuotes, withoutSpaces } from './join-lines.ts'
import { asItIs, type Reading } from './reading.ts'
import {
  bytesOf,
  isUncommon,
  isUnmistakable,
  lineForms,
  secretOf,
  wholeForms,
  wordsOf,
} from './secret.ts'
import { unescaped, visible } from './unescape.ts'

const secret = 'sk-live-Zq7xK9wLmP2vB4nT'
const latin = (bytes: Uint8Array | readonly number[]): string =>
  Buffer.from(bytes).toString('latin1')
const inBase64 = (text: string): string => Buffer.from(text, 'latin1').toString('base64')

/** What a stretch of a reading stands for in the text that was there first. */
function written(text: string, reading: Reading | undefined, what: string): string | undefined {
  const at = reading?.text.indexOf(what) ?? -1
  if (!reading || at === -1) return undefined
  const [from, to] = reading.source(at, at + what.length)
  return text.slice(from, to)
}

describe('escapes', () => {
  it.each([
    [String.raw`a\nb\rc\td\be\ff\vg\ah\ei\Ej\0k`, 'a\nb\rc\td\be\ff\vg\u0007h\u001bi\u001bj\0k'],
    [String.raw`C:\users\.env \U \x \u12`, 'C:users.env U x u12'],
    [String.raw`\u0041\u{42}\u{10ffff}\U00000043`, 'AB\u{10ffff}C'],
    [String.raw`\u{110000} &#1114112; &#1114111;`, '\\u{110000} &#1114112; \u{10ffff}'],
    [String.raw`\x41\x42 \xc3\xa9 \303\251 \101 \402`, 'AB é é A 402'],
    ['a\\\nb\\\r\nc', 'abc'],
    ['%41%c3%a9 %u0041 %4 %zz', 'Aé A %4 %zz'],
    ['&#65;&#x42;&#X43;&amp;&AMP;&lt&quot; &nope; &apos;', `ABC&&<" &nope; '`],
    [`it'\\''s, it'"'"'s, it''s, say ""hi""`, `it's, it's, it's, say "hi"`],
    ['^& ^^ ^% ^a', '& ^ % ^a'],
    ['`$ `` `" `a', '$ ` " `a'],
  ])('%j mean %j', (text, meant) => {
    expect(unescaped(asItIs(text))?.text).toBe(meant)
  })

  it('are where they stand: of what is decoded as of what is not', () => {
    const text = String.raw`ab\u0041cd%c3%a9e\n`
    const reading = unescaped(asItIs(text))
    expect(reading?.text).toBe('abAcdée\n')
    expect(written(text, reading, 'b')).toBe('b')
    expect(written(text, reading, 'bA')).toBe(String.raw`b\u0041`)
    expect(written(text, reading, 'Ac')).toBe(String.raw`\u0041c`)
    expect(written(text, reading, 'é')).toBe('%c3%a9')
    expect(written(text, reading, 'e\n')).toBe(String.raw`e\n`)
    expect(written(text, reading, 'abAcdée\n')).toBe(text)
  })

  it('are none where nothing is one', () => {
    for (const text of ['plain', '100% & more', 'a ^ b', '%zz &nope;']) {
      expect(unescaped(asItIs(text))).toBeUndefined()
    }
  })
})

describe('what nobody sees', () => {
  it.each([
    ['\u001b[31;1mred\u001b[0m', 'red'],
    ['\u001b]8;;https://a.b\u0007link\u001b]8;;\u001b\\', 'link'],
    ['a\u001b(Bb\u001b=c', 'abc'],
    ['a\u200bb\u00adc\u2060\ufeffd\0e', 'abcde'],
  ])('is left out of %j', (text, seen) => {
    expect(visible(asItIs(text))?.text).toBe(seen)
  })

  it('is nothing in a text that is seen whole, or whose order to a terminal never ends', () => {
    expect(visible(asItIs('seen'))).toBeUndefined()
    expect(visible(asItIs('a\u001b'))).toBeUndefined()
  })
})

describe('lines in a row', () => {
  it.each([
    ['ab\ncd', 'abcd'],
    ['ab\r\n   cd', 'abcd'],
    ['ab  \\\n\tcd', 'abcd'],
    ['│ ab │\n│ cd │', '│ abcd │'],
    ['ab=\ncd', 'abcd'],
    ['ab\n  12→cd\n  13\tef\n14: gh\n15| ij', 'abcdefghij'],
    ['ab\n> cd\n// ef\n# gh\n+ ij\n>> kl', 'abcdefghijkl'],
    ['ab\n\ncd\n', 'abcd'],
    ['\nab', 'ab'],
    ['1234567890\n', '1234567890'],
  ])('of %j are %j', (text, joined) => {
    expect(joinedLines(asItIs(text))?.text).toBe(joined)
  })

  it('are where they stand, with or without a space between them', () => {
    const text = 'see ab |\n| cd ef'
    expect(written(text, joinedLines(asItIs(text)), 'abcd')).toBe('ab |\n| cd')
    expect(written('ab\n cd  e', withoutSpaces(asItIs('ab\n cd  e')), 'bcde')).toBe('b\n cd  e')
    expect(joinedLines(asItIs('one line'))).toBeUndefined()
  })
})

it('texts that a program puts together are one text', () => {
  const text = `x = "ab" + 'cd' . "ef"\`\`'gh'"ij"`
  expect(withoutQuotes(asItIs(text))?.text).toBe('x = abcdef``ghij')
  expect(written(text, withoutQuotes(asItIs(text)), 'bcd')).toBe(`b" + 'cd`)
  expect(withoutQuotes(asItIs('none'))).toBeUndefined()
})

it('pieces of a stream are one text, from two on', () => {
  const piece = (text: string): string => `data: {"delta": {"text": ${JSON.stringify(text)}}}\n`
  const text = piece('sk-"l') + piece('ive')
  expect(joinedDeltas(asItIs(text))?.text).toBe('sk-\\"live')
  expect(written(text, joinedDeltas(asItIs(text)), 'live')).toBe(
    `l"}}\ndata: {"delta": {"text": "ive`,
  )
  expect(joinedDeltas(asItIs(piece('alone')))).toBeUndefined()
})

describe('bytes', () => {
  it('in UTF-8 are the characters that they stand for, each where its bytes are', () => {
    const arbitraryText = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constant('กขค é 漢 😀 \u{10ffff}'),
    )
    fc.assert(
      fc.property(arbitraryText, (text) => {
        const bytes = [...Buffer.from(text)]
        const characters = charactersOf(bytes)
        expect(characters.map((each) => each.text).join('')).toBe(text)
        const again = characters.map(({ from, to }) =>
          Buffer.from(bytes.slice(from, to)).toString(),
        )
        expect(again).toEqual(characters.map((each) => each.text))
      }),
      { numRuns: 50 },
    )
  })

  it('that are no UTF-8 stay what they are', () => {
    for (const bytes of [
      [0x80],
      [0xc1, 0x80],
      [0xe2, 0x82],
      [0xe2, 0x41, 0x82],
      [0xf5, 0x80],
      [0xff],
    ]) {
      expect(charactersOf(bytes).map(({ text }) => text)).toEqual(
        bytes.map((byte) => String.fromCharCode(byte)),
      )
    }
    expect(utf8Characters(asItIs('ascii'))).toBeUndefined()
    const text = `a${latin(Buffer.from('é€'))}b`
    expect(utf8Characters(asItIs(text))?.text).toBe('aé€b')
    expect(written(text, utf8Characters(asItIs(text)), '€b')).toBe(`${latin(Buffer.from('€'))}b`)
  })

  it('in UTF-16 are read from either byte on, either end first, and not over a gap', () => {
    const little = latin(Buffer.from('key é', 'utf16le'))
    const big = latin(Buffer.from('key é', 'utf16le').swap16())
    const read = (text: string): string[] => utf16Readings(asItIs(text)).map((each) => each.text)
    expect(read(little)[0]).toBe('key é')
    expect(read(big)[1]).toBe('key é')
    expect(read(`:${little}`)[2]).toBe('key é')
    expect(read(`:${big}`)[3]).toBe('key é')
    const apart = String.fromCharCode(gap)
    expect(read(`a\0${apart}b\0c\0${apart}`)[0]).toBe(`a${apart}\u6300${apart}`)
    expect(read('no zero in it')).toEqual([])
    const [first] = utf16Readings(asItIs(`${little}...`))
    expect(first?.source(1, 3)).toEqual([2, 6])
    expect(first?.form).toBe('escaped')
    expect(utf16Readings({ ...asItIs(little), form: 'hex' })[0]?.form).toBe('hex')
  })

  it('of a text are known in UTF-8 and in UTF-16, either end first', () => {
    expect(bytesOf('aé')).toEqual(['a\u00c3\u00a9', 'a\0\u00e9\0', '\0a\0\u00e9'])
    expect(bytesOf('Ж')).toEqual(['\u00d0\u0096', '\u0016\u0004', '\u0004\u0016'])
  })
})

describe('base64', () => {
  it('of some bytes holds what is looked for, whatever stands around them', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ minLength: 6, maxLength: 30 }),
        fc.uint8Array({ maxLength: 4 }),
        fc.uint8Array({ maxLength: 4 }),
        fc.constantFrom('base64' as const, 'base64url' as const),
        (bytes, before, after, way) => {
          const whole = Buffer.concat([before, bytes, after]).toString(way)
          const held = base64Of(latin(bytes)).filter((each) => whole.includes(each))
          const longest = Math.max(0, ...held.map(({ length }) => length))
          // All digits that depend on these bytes alone.
          expect(longest).toBeGreaterThanOrEqual(Math.floor((bytes.length * 8 - 6) / 6))
        },
      ),
      { numRuns: 100 },
    )
  })

  it('in its form for URLs is looked for only where it differs', () => {
    expect(base64Of('abcdef')).toHaveLength(3)
    expect(base64Of('~~~???')).toEqual(
      expect.arrayContaining([inBase64('~~~???'), Buffer.from('~~~???').toString('base64url')]),
    )
  })

  it('goes from the first digit that holds a bit of the secret to the last', () => {
    for (const before of ['', 'a', 'ab', 'abc']) {
      const text = inBase64(`${before}${secret}, and more`)
      const from = Math.floor((before.length * 8) / 6)
      const to = Math.ceil(((before.length + secret.length) * 8) / 6)
      const clean = withoutSecret(`<${text}>`, secretOf(secret))
      expect(clean).toBe(`<${text.slice(0, from)}[redacted]${text.slice(to)}>`)
    }
  })

  it('of a run begins where the run begins', () => {
    const text = `see: ${inBase64(secret)} ${inBase64('another text')}`
    const decoded = base64Bytes(asItIs(text), 0, 'all')
    expect(decoded?.text.split('\uffff')).toEqual([secret, 'another text', ''])
    expect(written(text, decoded, secret)).toBe(inBase64(secret))
    expect(written(text, decoded, 'another text')).toBe(inBase64('another text'))
    expect(base64Bytes(asItIs('word by word'), 0, 'all')).toBeUndefined()
  })

  const begins = (...bytes: number[]): string =>
    inBase64(latin([...bytes, ...Buffer.from('and a text')]))
  const isRead = (text: string): boolean => base64Bytes(asItIs(text), 0, 'readable') !== undefined

  it('is read where it begins like a text', () => {
    for (const byte of [7, 8, 9, 10, 11, 12, 13, 0x1b, 0x20, 0x41, 0x7f]) {
      expect([byte, isRead(begins(0x41, byte))]).toEqual([byte, true])
    }
    for (const byte of [1, 6, 14, 0x1a, 0x1c, 0x1f, 0x80, 0xbf, 0xc0, 0xc1, 0xc2, 0xf5, 0xff]) {
      expect([byte, isRead(begins(0x41, byte))]).toEqual([byte, false])
    }
    for (const text of ['é', 'ก', '漢字', '😀', 'Aé', '\u{10ffff}', 'a text €']) {
      expect([text, isRead(inBase64(latin(Buffer.from(`${text} and more`))))]).toEqual([text, true])
    }
    for (const text of ['plain', 'élan', '\u0001x']) {
      const little = Buffer.from(`${text} and more`, 'utf16le')
      expect([text, isRead(inBase64(latin(little)))]).toEqual([text, true])
    }
    for (const text of ['plain', 'élan']) {
      const big = Buffer.from(`${text} and more`, 'utf16le').swap16()
      expect([text, isRead(inBase64(latin(big)))]).toEqual([text, true])
    }
  })

  it('is read on where all of it looks like a text', () => {
    const readOn = (bytes: Uint8Array | readonly number[]): string | undefined =>
      base64Bytes(asItIs(Buffer.from(bytes).toString('base64')), 0, 'all')?.readable?.text
    const around = (byte: number): Buffer =>
      Buffer.concat([Buffer.from('a text'), Buffer.from([byte]), Buffer.from('and more')])
    for (const byte of [7, 8, 9, 10, 13, 0x1b, 0x20, 0x80, 0xff]) {
      expect(readOn(around(byte))).toBe(`${latin(around(byte))}\uffff`)
    }
    for (const byte of [1, 6, 14, 0x1a, 0x1f])
      expect([byte, readOn(around(byte))]).toEqual([byte, undefined])
    expect(readOn(Buffer.from('UTF-16\u0001', 'utf16le'))).toBeDefined()
    expect(readOn(Buffer.alloc(30))).toBeUndefined()
    expect(readOn(Buffer.concat([Buffer.alloc(36), Buffer.from('abc')]))).toBeUndefined()
  })

  it('of some runs is read on where they look like a text, and in its place', () => {
    const binary = Buffer.from([1, 2, 3, 4, 5, 6, 14, 15, 16]).toString('base64')
    const runs = ['the first of them', 'another one here'].map((each) =>
      inBase64(each).replace(/=+$/, ''),
    )
    const text = `${binary} ${runs[0]} ${binary} ${runs[1]}`
    const readable = base64Bytes(asItIs(text), 0, 'all')?.readable
    expect(readable?.text).toBe('the first of them\uffffanother one here\uffff')
    expect(written(text, readable, 'the first of them')).toBe(runs[0])
    expect(written(text, readable, 'another one here')).toBe(runs[1])
  })
})

describe('digits', () => {
  const digits = (text: string, apart = ''): string =>
    [...Buffer.from(text)].map((byte) => byte.toString(16).padStart(2, '0')).join(apart)

  it.each(['', ' ', ':', ',', '-', ', ', ', 0x', ',+'])(
    'apart by %j are bytes where they stand',
    (apart) => {
      const text = `bytes: ${digits('a secret', apart)}.`
      const decoded = hexBytes(asItIs(text), 0)
      expect(decoded?.text).toBe('a secret\uffff')
      expect(decoded?.form).toBe('hex')
      expect(written(text, decoded, 'a')).toBe('61')
      expect(written(text, decoded, 'secret')).toBe(digits('secret', apart))
    },
  )

  it('behind another digit, or before one, are the same bytes', () => {
    const text = `x0${digits('a secret')}`
    expect(written(text, hexBytes(asItIs(text), 1), 'secret')).toBe(digits('secret'))
    expect(hexBytes(asItIs('0x61 0x62'), 0)).toBeUndefined()
    expect(hexBytes(asItIs(digits('short')), 0)).toBeUndefined()
    expect(hexBytes(asItIs(digits('longer')), 0)?.text).toBe('longer\uffff')
  })

  it('of a list are bytes where they stand, and larger numbers are none', () => {
    const list = (text: string): string => [...Buffer.from(text)].join(', ')
    const text = `[${list('a secret')}, 256, ${list('and')}]`
    const decoded = numberedBytes(asItIs(text))
    expect(decoded?.text).toBe('a secret\uffffand\uffff')
    expect(written(text, decoded, 'secret')).toBe(list('secret'))
    expect(written(text, decoded, 'and')).toBe(list('and'))
    expect(numberedBytes(asItIs('1, 2, 3, 4, 5'))).toBeUndefined()
    expect(numberedBytes(asItIs('1 ,2,  3,\n4,+5,6'))?.text).toBe(
      '\u0001\u0002\u0003\u0004\u0005\u0006\uffff',
    )
    expect(numberedBytes(asItIs('255,255,255,255,255,255'))?.text).toBe(
      `${'\u00ff'.repeat(6)}\uffff`,
    )
  })
})

describe('what is looked for', () => {
  it('of a secret that might be put together by chance is only the whole', () => {
    const known = (texts: string[]): string[] => texts.filter(isUnmistakable)
    const long = ['twelve chars', 'a1bcdefg', 'passWord']
    const short = ['eleven char', 'password', '12345678901', 'a1bcdef', '  a1bcde  ']
    expect(known([...long, ...short])).toEqual(long)
  })

  it('is uncommon where letters and digits meet, or a capital follows a small letter', () => {
    expect(['a1', '1a', 'aB', 'Ж7', 'яЯ'].map(isUncommon)).toEqual([true, true, true, true, true])
    expect(['ab', 'AB', 'Ab', '12', 'a-1', '1-a', 'a B', '7.'].map(isUncommon)).toEqual(
      Array.from({ length: 8 }, () => false),
    )
  })

  it('of whole texts are the long ones, and of their lines too', () => {
    const long = 'a text of sixteen'
    expect(wholeForms([`${long}`, 'a shorter one', `   ${'x'.repeat(15)}   `]).texts).toEqual([
      long,
      long.replaceAll(' ', '+'),
    ])
    expect(wholeForms([`${long}\nand another line`]).texts.some((text) => text === long)).toBe(
      false,
    )
    expect(lineForms([`${long}\nshort`]).texts).toContain(long)
    expect(lineForms([`${long}\nshort`]).texts).not.toContain('short')
  })

  it('of words are the uncommon ones of six letters, the longest first', () => {
    const { texts } = wordsOf('token=Zq7xK9;of aB1cD, hunter, P4ss-w0rd99x')
    expect(texts).toEqual(['w0rd99x', 'Zq7xK9'])
  })

  it('is looked for longest first, so that no piece of a longer text is left', () => {
    const { texts, needles } = secretOf('a line of sixteen\na line of sixteen, and more of it')
    for (const all of [texts, needles]) {
      expect(all.map(({ length }) => length)).toEqual(
        all.map(({ length }) => length).toSorted((one, other) => other - one),
      )
    }
  })

  it('says how a secret is written: by the outermost of its layers', () => {
    const form = (text: string): string[] => [
      ...new Set(findSecret(text, secretOf(secret)).map((found) => found.form)),
    ]
    expect(form(secret)).toEqual(['plain'])
    expect(form('nothing here')).toEqual([])
    expect(form(secret.replaceAll('-', '%2d'))).toEqual(['escaped'])
    expect(form(`${secret.slice(0, 9)}\n${secret.slice(9)}`)).toEqual(['wrapped'])
    expect(form(`"${secret.slice(0, 9)}" + "${secret.slice(9)}"`)).toEqual(['quoted'])
    expect(form(inBase64(secret.replaceAll('-', '%2d')))).toEqual(['base64'])
    expect(form(Buffer.from(inBase64(secret)).toString('hex'))).toEqual(['hex'])
    expect(form([...Buffer.from(secret)].join(','))).toEqual(['numbers'])
  })

  it('is found in JSON in encoded bytes, in letters that take several bytes', () => {
    const key = 'ключ&от<дома7'
    const json = JSON.stringify({ key }).replace(
      /[<&]/g,
      (each) => `\\u00${each.charCodeAt(0).toString(16)}`,
    )
    for (const way of ['base64', 'hex'] as const) {
      const clean = withoutSecret(`file: ${Buffer.from(json).toString(way)}`, secretOf(key))
      expect(clean).toContain('[redacted]')
    }
    // These bytes in UTF-16 are a character in UTF-8, too.
    const other = 'a\ua9c3&pass<Zq7'
    const wide = Buffer.from(
      JSON.stringify(other).replace(/[<&]/g, (each) => `\\u00${each.charCodeAt(0).toString(16)}`),
      'utf16le',
    )
    expect(withoutSecret(`file: ${wide.toString('base64')}`, secretOf(other))).toContain(
      '[redacted]',
    )
  })
})
