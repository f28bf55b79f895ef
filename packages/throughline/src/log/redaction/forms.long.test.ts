import { createHash } from 'node:crypto'
import { deflateSync, gzipSync } from 'node:zlib'
import { expect, it, describe } from 'vitest'
import { human, logFrom, step } from '../../testing/generate/build.ts'
import { Inspection } from './inspection.ts'
import { withoutSecret } from './find-secret.ts'
import { secretOf } from './secret.ts'
import { redactText } from './redaction.ts'
import type { Entry } from '../entry.ts'

const secret = 'sk-live-Zq7xK9wLmP2vB4nT'
const around = `key: ${secret}; and more`
const bytes = Buffer.from(secret)
const each = (write: (byte: number) => string, apart = ' '): string =>
  [...bytes].map(write).join(apart)
const hexOf = (byte: number): string => byte.toString(16).padStart(2, '0')
const shifted = (by: number): string =>
  secret.replace(/[a-zA-Z]/g, (letter) => {
    const first = letter < 'a' ? 65 : 97
    return String.fromCharCode(((letter.charCodeAt(0) - first + by) % 26) + first)
  })
const pieces = (length: number): string[] =>
  secret.match(new RegExp(`.{1,${length}}`, 'g')) as string[]

/** Dumps as the commands print them; written here, because not every machine has them. */
function dump(
  text: string,
  place: (at: number) => string,
  cell: (bytes: Buffer) => string,
  width: number,
  tail: (text: string) => string = () => '',
): string {
  const all = Buffer.from(text)
  const lines: string[] = []
  for (let at = 0; at < all.length; at += 16) {
    const row = all.subarray(at, at + 16)
    const cells: string[] = []
    for (let byte = 0; byte < row.length; byte += width) {
      cells.push(cell(row.subarray(byte, byte + width)))
    }
    lines.push(`${place(at)}${cells.join('')}${tail(row.toString('latin1'))}`)
  }
  return lines.join('\n')
}
const octal = (at: number): string => at.toString(8).padStart(7, '0')
const sixteen = (at: number): string => at.toString(16).padStart(8, '0')
const little = (row: Buffer): number => (row[0] as number) | ((row[1] ?? 0) << 8)

const plain32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
function inBits(all: Buffer, width: number, alphabet: string): string {
  const bits = [...all].map((byte) => byte.toString(2).padStart(8, '0')).join('')
  return (bits.match(new RegExp(`.{1,${width}}`, 'g')) as string[])
    .map((some) => alphabet[Number.parseInt(some.padEnd(width, '0'), 2)])
    .join('')
}

function inBase(number: bigint, alphabet: string): string {
  const base = BigInt(alphabet.length)
  const rest = number < base ? '' : inBase(number / base, alphabet)
  return `${rest}${alphabet[Number(number % base)]}`
}
const wholeNumber = BigInt(`0x${bytes.toString('hex')}`)

const wrapped = (text: string, width: number): string =>
  text.replace(new RegExp(`(.{${width}})(?=.)`, 'g'), '$1\n')

function uuencoded(text: string): string {
  const all = Buffer.from(text).toString('base64').replace(/=/g, 'A')
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
  const body = [...all].map((each) => String.fromCharCode(32 + alphabet.indexOf(each))).join('')
  return `begin 644 key\n${String.fromCharCode(32 + text.length)}${body}\n\`\nend`
}

const forms: Record<string, string> = {
  'as it is': secret,
  xxd: dump(
    around,
    (at) => `${sixteen(at)}: `,
    (row) => `${row.toString('hex')} `,
    2,
    (row) => ` ${row}`,
  ),
  'xxd -g1': dump(
    around,
    (at) => `${sixteen(at)}: `,
    (row) => `${row.toString('hex')} `,
    1,
    (row) => ` ${row}`,
  ),
  'xxd -e': dump(
    around,
    (at) => `${sixteen(at)}: `,
    (row) => `${Buffer.from(row.toReversed()).toString('hex')} `,
    4,
    (row) => ` ${row}`,
  ),
  'xxd -b': dump(
    around,
    (at) => `${sixteen(at)}: `,
    (row) => `${(row[0] as number).toString(2).padStart(8, '0')} `,
    1,
    (row) => ` ${row}`,
  ),
  'xxd -p': Buffer.from(around.repeat(3)).toString('hex').replace(/.{60}/g, '$&\n'),
  'xxd -i': each((byte) => `0x${hexOf(byte)}`, ', '),
  hexdump: dump(
    around,
    (at) => octal(at),
    (row) => ` ${little(row).toString(16).padStart(4, '0')}`,
    2,
  ),
  'hexdump -C': dump(
    around,
    (at) => `${sixteen(at)}  `,
    (row) => `${[...row].map(hexOf).join(' ')}  `,
    8,
    (row) => `|${row}|`,
  ),
  od: dump(around, octal, (row) => ` ${little(row).toString(8).padStart(6, '0')}`, 2),
  'od -An': dump(
    around,
    () => '',
    (row) => ` ${little(row).toString(8).padStart(6, '0')}`,
    2,
  ),
  'od -b': dump(around, octal, (row) => ` ${(row[0] as number).toString(8).padStart(3, '0')}`, 1),
  'od -c': dump(around, octal, (row) => row.toString().padStart(4), 1),
  'od -a': dump(
    around,
    octal,
    (row) => (row.toString() === ' ' ? 'sp' : row.toString()).padStart(4),
    1,
  ),
  'od -tx1': dump(around, octal, (row) => ` ${row.toString('hex')}`, 1),
  'od -tx1z': dump(
    around,
    octal,
    (row) => ` ${row.toString('hex')}`,
    1,
    (row) => `  >${row}<`,
  ),
  'od -An -tx1': dump(
    around,
    () => '',
    (row) => ` ${row.toString('hex')}`,
    1,
  ),
  'od -td1': dump(around, octal, (row) => String(row[0]).padStart(5), 1),
  'od -x': dump(around, octal, (row) => ` ${little(row).toString(16).padStart(4, '0')}`, 2),
  gzip: gzipSync(around).toString('utf8'),
  'gzip as characters': gzipSync(around).toString('latin1'),
  'gzip in base64': gzipSync(around).toString('base64'),
  'gzip in base64 lines': gzipSync(around.repeat(3)).toString('base64').replace(/.{40}/g, '$&\n'),
  'gzip in hex': gzipSync(around).toString('hex'),
  'gzip in xxd': dump(
    gzipSync(around).toString('latin1'),
    (at) => `${sixteen(at)}: `,
    (row) => `${row.toString('hex')} `,
    2,
  ),
  'zlib in base64': deflateSync(around).toString('base64'),
  'zlib in hex': deflateSync(around).toString('hex'),
  'a truncated prefix': `${secret.slice(0, 14)}…`,
  'a truncated suffix': `…${secret.slice(10)}`,
  'a middle': `***${secret.slice(5, 20)}***`,
  'a truncated prefix in base64': Buffer.from(secret.slice(0, 16)).toString('base64'),
  'a truncated prefix in hex': Buffer.from(secret.slice(0, 16)).toString('hex'),
  'spaced letters': [...secret].join(' '),
  'dotted letters': [...secret].join('.'),
  'letters in lines': [...secret].join('\n'),
  'letters in a list': JSON.stringify([...secret]),
  'letters with dashes': [...secret].join('-'),
  'upper case': secret.toUpperCase(),
  'lower case': secret.toLowerCase(),
  'upper case in base64': Buffer.from(secret.toUpperCase()).toString('base64'),
  'no punctuation': secret.replaceAll('-', ''),
  underscores: secret.replaceAll('-', '_'),
  reversed: [...secret].toReversed().join(''),
  'reversed in base64': Buffer.from([...secret].toReversed().join('')).toString('base64'),
  'base64 reversed': [...bytes.toString('base64')].toReversed().join(''),
  rot13: shifted(13),
  'rot5 of letters': shifted(5),
  'rot13 in base64': Buffer.from(shifted(13)).toString('base64'),
  rot47: secret.replace(/[!-~]/g, (letter) =>
    String.fromCharCode(((letter.charCodeAt(0) - 33 + 47) % 94) + 33),
  ),
  atbash: secret.replace(/[a-z]/gi, (letter) => {
    const first = letter < 'a' ? 65 : 97
    return String.fromCharCode(first + 25 - (letter.charCodeAt(0) - first))
  }),
  base64: bytes.toString('base64'),
  'base64, one byte in': Buffer.from(`:${secret}`).toString('base64'),
  'base64, two bytes in': Buffer.from(`a:${secret}`).toString('base64'),
  base64url: Buffer.from(`u~${secret}~?`).toString('base64url'),
  'base64 twice': Buffer.from(bytes.toString('base64')).toString('base64'),
  'base64 three times': Buffer.from(
    Buffer.from(bytes.toString('base64')).toString('base64'),
  ).toString('base64'),
  'base64 in lines': bytes.toString('base64').replace(/.{10}/g, '$&\n'),
  'base64 of UTF-16': Buffer.from(secret, 'utf16le').toString('base64'),
  base32: inBits(bytes, 5, plain32),
  'base32 in small letters': inBits(bytes, 5, plain32).toLowerCase(),
  uuencode: uuencoded(secret),
  hex: bytes.toString('hex'),
  'hex in capitals': bytes.toString('hex').toUpperCase(),
  'hex with colons': each(hexOf, ':'),
  'hex with spaces': each(hexOf),
  'hex in capitals with dashes': each(hexOf, '-').toUpperCase(),
  'hex with 0x': each((byte) => `0x${hexOf(byte)}`),
  'hex of base64': Buffer.from(bytes.toString('base64')).toString('hex'),
  'hex of UTF-16': Buffer.from(secret, 'utf16le').toString('hex'),
  '\\x escapes': each((byte) => `\\x${hexOf(byte)}`, ''),
  'percent-encoding of all': each((byte) => `%${hexOf(byte)}`, ''),
  'percent-encoding': encodeURIComponent(`${secret}&é`).replaceAll('-', '%2D'),
  'percent-encoding twice': encodeURIComponent(each((byte) => `%${hexOf(byte)}`, '')),
  'JSON unicode escapes': each((byte) => `\\u00${hexOf(byte)}`, ''),
  'JSON twice': JSON.stringify(JSON.stringify(each((byte) => `\\u00${hexOf(byte)}`, ''))),
  'ES6 unicode escapes': each((byte) => `\\u{${hexOf(byte)}}`, ''),
  'CSS escapes': each((byte) => `\\${hexOf(byte).padStart(6, '0')}`, ''),
  'HTML entities': each((byte) => `&#${byte};`, ''),
  'HTML entities in hex': each((byte) => `&#x${hexOf(byte)};`, ''),
  'HTML tags in it': secret.replace('live', '<b>live</b>'),
  'UTF-16': Buffer.from(secret, 'utf16le').toString('latin1'),
  'UTF-16 big end': Buffer.from(secret, 'utf16le').swap16().toString('latin1'),
  'UTF-32': [...secret].map((letter) => `${letter}\0\0\0`).join(''),
  'decimal with spaces': each(String),
  'decimal with commas': each(String, ', '),
  'decimal with dashes': each(String, '-'),
  'decimal in lines': each(String, '\n'),
  'octal of C': each((byte) => `0${byte.toString(8)}`, ', '),
  'octal of Python': `[${each((byte) => `'0o${byte.toString(8)}'`, ', ')}]`,
  'binary of Python': `[${each((byte) => `'0b${byte.toString(2)}'`, ', ')}]`,
  'between marks of direction': secret.split('').join('\u200e'),
  'between variation selectors': secret.split('').join('\ufe0f'),
  'between joiners of graphemes': secret.split('').join('\u034f'),
  'between invisible times': secret.split('').join('\u2062'),
  'between tags': secret.split('').join('\u{e0041}'),
  'an object of bytes': JSON.stringify(new Uint8Array(bytes)),
  'a buffer in JSON': JSON.stringify(bytes),
  'chr(…) calls': each((byte) => `chr(${byte})`, '+'),
  'String.fromCharCode': `String.fromCharCode(${each(String, ',')})`,
  octal: each((byte) => byte.toString(8).padStart(3, '0')),
  'octal escapes': each((byte) => `\\${byte.toString(8).padStart(3, '0')}`, ''),
  binary: each((byte) => byte.toString(2).padStart(8, '0')),
  'binary in a row': each((byte) => byte.toString(2).padStart(8, '0'), ''),
  'two lines': `${secret.slice(0, 11)}\n${secret.slice(11)}`,
  'two lines with numbers': `  12→${secret.slice(0, 11)}\n  13→${secret.slice(11)}`,
  'concatenated strings': pieces(7)
    .map((piece) => `"${piece}"`)
    .join(' + '),
  'concatenated in Python': pieces(7)
    .map((piece) => `'${piece}'`)
    .join('\n    '),
  'a joined list': `[${pieces(5)
    .map((piece) => `'${piece}'`)
    .join(', ')}].join('')`,
  'a template': `\${'${secret.slice(0, 8)}'}\${'${secret.slice(8)}'}`,
  variables: `A=${secret.slice(0, 12)}; B=${secret.slice(12)}; curl "$A$B"`,
  'a diff': `-key = ${secret.slice(0, 12)}\\\n-${secret.slice(12)}`,
  'quoted-printable': each((byte) => `=${hexOf(byte).toUpperCase()}`, ''),
  'quoted-printable, wrapped': `${secret.slice(0, 12)}=\n${secret.slice(12)}`,
  'shell, backslashes': secret.replace(/./g, '\\$&'),
  'shell, quotes': secret.replace(/(.{6})/g, `$1""`),
  'shell, ANSI-C': `$'${each((byte) => `\\x${hexOf(byte)}`, '')}'`,
  colors: secret.replace(/(.{6})/g, '$1\u001b[31m'),
  'zero-width characters': [...secret].join('\u200b'),
  'full-width letters': secret.replace(/[!-~]/g, (letter) =>
    String.fromCharCode(letter.charCodeAt(0) + 0xfee0),
  ),
  'mathematical letters': secret.replace(/[a-z]/g, (letter) =>
    String.fromCodePoint(0x1d41a + letter.charCodeAt(0) - 97),
  ),
  'circled letters': secret.replace(/[a-z]/g, (letter) =>
    String.fromCodePoint(0x24d0 + letter.charCodeAt(0) - 97),
  ),
  'soft hyphens': [...secret].join('\u00ad'),
  'combining marks': [...secret].join('\u0336'),
  'a URL': `https://x:${secret}@host/`,
  'basic authorization': `Basic ${Buffer.from(`user:${secret}`).toString('base64')}`,
  'a data URL': `data:text/plain;base64,${Buffer.from(around).toString('base64')}`,
  'escapes of Perl': each((byte) => `\\x{${hexOf(byte)}}`, ''),
  'HTML with breaks': pieces(8).join('<wbr>'),
  'base64, apart': [...bytes.toString('base64')].join(' '),
  'base64, backwards, in lines': wrapped([...bytes.toString('base64')].toReversed().join(''), 10),
  xxencode: inBits(bytes, 6, '+-0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'),
  'base32 of Crockford': inBits(bytes, 5, '0123456789ABCDEFGHJKMNPQRSTVWXYZ'),
  'z-base-32': inBits(bytes, 5, 'ybndrfg8ejkmcpqxot1uwisza345h769'),
  'base32 in groups': inBits(bytes, 5, plain32).replace(/(.{4})/g, '$1 '),
  'a number': `${wholeNumber}`,
  'a number in base36': wholeNumber.toString(36),
  'a number in base62, behind other bytes': inBase(
    (7n << 192n) + wholeNumber,
    '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz',
  ),
  'words of 32 bits': wrapped(each(hexOf, ''), 8)
    .split('\n')
    .map((word) => `0x${word.match(/../g)?.toReversed().join('')}`)
    .join(', '),
  'a GUID': Buffer.from(secret)
    .toString('hex')
    .replace(/^(..)(..)(..)(..)(..)(..)(..)(..)(....)(.{12}).*$/, '$4$3$2$1-$6$5-$8$7-$9-$10'),
  'a dump of gdb': wrapped(
    each((byte) => `0x${hexOf(byte)}`, '\t'),
    40,
  )
    .split('\n')
    .map((row, at) => `0x${(0x555000 + at * 8).toString(16)}:\t${row}`)
    .join('\n'),
  'bytes of Rust': [...secret].map((letter) => `b'${letter}'`).join(', '),
  'floating-point numbers': each((byte) => `${byte}.0`),
  'rows of JSON': [...bytes].map((byte, at) => `${at}: ${byte}`).join('\n'),
  keystrokes: [...secret].map((key) => JSON.stringify({ type: 'keydown', key })).join('\n'),
  'letters of an array': [...secret].map((letter, at) => `s[${at}] = '${letter}'`).join('\n'),
  'typed over': [...secret].map((letter) => `${letter}\b${letter}`).join(''),
  'lines of grep': pieces(7)
    .map((piece, at) => `src/keys.ts:${at + 10}:${piece}`)
    .join('\n'),
  'a masked middle': `${secret.slice(0, 8)}****${secret.slice(-8)}`,
  OpenSSL: Buffer.concat([Buffer.from('Salted__'), gzipSync(around)]).toString('base64'),
  PGP: '-----BEGIN PGP MESSAGE-----\n\nhQEMA1',
}

const places: Record<string, (text: string) => readonly Entry[]> = {
  'a message': (text) => logFrom([human(text)]),
  'an output': (text) => logFrom(step('c1', 'bash', { command: 'ls' }, `out:\n${text}\ndone`)),
  'a call': (text) => logFrom(step('c1', 'bash', { command: text }, 'ok')),
}

function inspected(log: readonly Entry[]): { inspection: Inspection; after: string } {
  const inspection = new Inspection(redactText(secret))
  for (const entry of log) inspection.look(entry)
  return { inspection, after: JSON.stringify(log.map((each) => inspection.change(each) ?? each)) }
}

describe.each(Object.entries(places))('in %s, a secret is removed or reported', (_, place) => {
  it.each(Object.entries(forms))('as %s', (_name, text) => {
    const log = place(text)
    const { inspection, after } = inspected(log)
    const isRemoved = inspection.seqs.length > 0
    if (isRemoved) expect(after).not.toContain(JSON.stringify(text).slice(1, -1))
    const isReported = inspection.near.some(({ ref }) => /^\d+\.\d+$/.test(ref))
    expect(isRemoved || isReported).toBe(true)
    // No part of it stays unsaid.
    const piece = Array.from({ length: 13 }, (_each, at) => secret.slice(at, at + 12))
    if (piece.some((each) => after.includes(each))) expect(isReported).toBe(true)
  })
})

it('a whole dump is removed, not named: its numbers and its characters', () => {
  const dumps = Object.entries(forms).filter(([name]) => /^(xxd|hexdump|od)/.test(name))
  expect(dumps.length).toBeGreaterThan(15)
  for (const [name, text] of dumps) {
    for (const place of Object.values(places)) {
      const { inspection, after } = inspected(place(text))
      expect([name, inspection.seqs.length, inspection.near]).toEqual([name, 1, []])
      for (const left of ['sk-live', '736b', '73 6b', 'Zq7x', '4nT']) {
        expect([name, after]).not.toEqual([name, expect.stringContaining(left)])
      }
    }
  }
})

/** What sessions are full of, in the forms in which a secret might be, and others' secrets. */
const ordinary: Record<string, string> = {
  prose: 'The key of the live system is not in this file. '.repeat(40),
  code: "export const sk = (live: string): string => `sk-${live}`.toUpperCase() // 'Zq7'\n".repeat(
    20,
  ),
  'a prefix that all have': 'All of them begin with sk-live-, as in sk-live-AbCdEfGh1234567890.',
  listing: Array.from(
    { length: 40 },
    (_, at) => `-rw-r--r-- 1 root root ${at * 977} Jan ${at} file${at}.ts`,
  ).join('\n'),
  numbers: Array.from({ length: 90 }, (_, at) => (at * 7_919) % 257).join(' '),
  'a table': Array.from({ length: 30 }, (_, at) => `${at} | ${at * 31} | ${at * 77}`).join('\n'),
  hashes: Array.from({ length: 30 }, (_, at) =>
    createHash('sha256').update(`${at}`).digest('hex'),
  ).join('\n'),
  'hashes in base64': Array.from(
    { length: 30 },
    (_, at) => `sha512-${createHash('sha512').update(`${at}`).digest('base64')}`,
  ).join('\n'),
  base64: Buffer.from('{"alg":"HS256","typ":"JWT"} and a long text about it '.repeat(9)).toString(
    'base64',
  ),
  'a dump': dump(
    'Nothing is hidden in this text, of which each line is shown twice.',
    (at) => `${sixteen(at)}: `,
    (row) => `${row.toString('hex')} `,
    2,
    (row) => ` ${row}`,
  ),
  'a picture': `data:image/png;base64,${Buffer.from(Array.from({ length: 900 }, (_, at) => (at * at * 31) % 251)).toString('base64')}`,
  ids: Array.from({ length: 60 }, (_, at) =>
    createHash('md5')
      .update(`${at}`)
      .digest('hex')
      .replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-'),
  ).join(' '),
  'URLs and entities':
    'https://example.com/?q=a%20b&amp;c=%26 &#39;quoted&#39; =3D \\u0041 '.repeat(20),
  capitals: 'SECTION ONE OF THE LICENSE GRANTS RIGHTS '.repeat(20),
  'a talk of archives': 'Run gzip -9, then PK the zip; H4sI is how gzip begins in base64. BZh too.',
}

it.each(Object.entries(ordinary))('in %s, nothing is reported', (_name, text) => {
  for (const place of Object.values(places)) {
    const { inspection } = inspected(place(text))
    expect([inspection.seqs, inspection.near]).toEqual([[], []])
  }
})

it.each([
  ['dumps', forms['hexdump -C'] as string],
  ['numbers', '17 3 255 '],
  ['addresses', '00000000: '],
  ['digits', '0110'],
  ['letters', 'kxyz '],
  ['escapes', '=3D\\41'],
  ['base32', 'MFRGGZDF'],
  ['numbers between signs', '1;2/3:4|5-'],
  ['uuencode', 'begin 644 a\n'],
])('the characters that are read grow with the text: %s', (_name, unit) => {
  const read = (times: number): number => {
    let all = 0
    const see = ({ text }: { text: string }): void => {
      all += text.length
    }
    withoutSecret(unit.repeat(times), secretOf('sk-live-4f8a'), { see, end: () => undefined })
    return all
  }
  expect(read(2_000)).toBeLessThan(read(500) * 5 + 10_000)
})
