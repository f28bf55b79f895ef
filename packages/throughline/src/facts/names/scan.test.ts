import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { scanNames } from './scan.ts'
import type { NameKind } from '../facts.ts'

function namesIn(text: string): [name: string, kind: NameKind][] {
  const found: [string, NameKind][] = []
  scanNames(text, {
    name: (source, start, end, kind) => found.push([source.slice(start, end), kind]),
  })
  return found
}

describe('a name is found as it must be spelled', () => {
  test.each<[text: string, ...found: [string, NameKind][]]>([
    ['see src/tui/renderer.ts for it', ['src/tui/renderer.ts', 'path']],
    ['at /usr/local/bin/node.', ['/usr/local/bin/node', 'path']],
    ['./src/index.ts and ../lib/index.ts', ['src/index.ts', 'path'], ['../lib/index.ts', 'path']],
    ['in .github/workflows/ci.yml', ['.github/workflows/ci.yml', 'path']],
    ['import "@scope/package-name"', ['@scope/package-name', 'path']],
    ['~/.config/tool/settings', ['~/.config/tool/settings', 'path']],
    ['the directory src/components/', ['src/components', 'path']],
    [
      'call parseHeader() on HTTPServer',
      ['parseHeader', 'identifier'],
      ['HTTPServer', 'identifier'],
    ],
    ['MAX_TAIL_TOKENS=8', ['MAX_TAIL_TOKENS', 'identifier']],
    [
      '...options.name and .turns.some(',
      ['options.name', 'identifier'],
      ['turns.some', 'identifier'],
    ],
    ['edit .eslintrc.json', ['.eslintrc.json', 'identifier']],
    ['README.md says', ['README.md', 'identifier']],
    ['commit 1fa8550c2b and ffe57abc', ['1fa8550c2b', 'sha'], ['ffe57abc', 'sha']],
    ['fixes #1234 and ENT-250', ['#1234', 'ticket'], ['ENT-250', 'ticket']],
    ['PROJECT-1234 is open', ['PROJECT-1234', 'ticket']],
    ['open https://github.com/a/b/pull/12?x=y#z.', ['https://github.com/a/b/pull/12?x=y#z', 'url']],
    [
      String.raw`C:\Users\dev\git\notes.md`,
      [String.raw`C:\Users\dev\git\notes.md`, 'path'],
      ['notes.md', 'identifier'],
    ],
    [String.raw`{\n\tfmt.Fprintf("x")`, ['fmt.Fprintf', 'identifier']],
    ['các tệp src/cấu_hình.ts: tên_biến parseConfig', ['parseConfig', 'identifier']],
    ['解析src/parser/header.ts文件', ['src/parser/header.ts', 'path']],
  ])('%j', (text, ...found) => {
    const names = namesIn(text)
    for (const name of found) expect(names).toContainEqual(name)
  })
})

describe('what is no name is not found', () => {
  test.each([
    'ordinary words, hyphen-ated well-known ones, Capitalised ONES',
    '3.14159265 and 1.25.2 and 2026-04-08 and 12:30:59.123456',
    '2026-04-01T23:11:00Z',
    'and/or i.e. e.g.',
    '&#12345; ##12345 color: #333333;',
    'UTF-8 SHA-256 GPT-5 ISO-8601',
    `${'a/'.repeat(200)}b`,
    `data:base64,${'iVBORw0KGgo/AAAA+BBBB'.repeat(40)}==`,
    'deadbeefcafe 1234567890',
  ])('%j', (text) => {
    expect(namesIn(text)).toEqual([])
  })
})

test('of a URL only the whole is a name, and what follows it is read on', () => {
  expect(namesIn('https://example.com/a/b, then src/main/index.ts')).toEqual([
    ['https://example.com/a/b', 'url'],
    ['src/main/index.ts', 'path'],
  ])
})

/** Words by the definition that fidelity is measured with, put together in another way. */
const segment = fc.stringMatching(/^[a-z][a-z0-9]{2,9}$/)
const path = fc.array(segment, { minLength: 3, maxLength: 6 }).map((parts) => parts.join('/'))
const snake = fc.array(segment, { minLength: 3, maxLength: 5 }).map((parts) => parts.join('_'))
const dotted = fc.array(segment, { minLength: 3, maxLength: 5 }).map((parts) => parts.join('.'))
const camel = fc
  .array(segment, { minLength: 3, maxLength: 5 })
  .map((parts) => parts.map((part) => part[0]?.toUpperCase() + part.slice(1)).join(''))
const hexadecimal = fc
  .stringMatching(/^[0-9a-f]{8,40}$/)
  .filter((text) => /\d/.test(text) && /[a-f]/.test(text))
const word = fc.oneof(path, snake, dotted, camel, hexadecimal).filter((text) => text.length <= 300)
const around = fc.constantFrom(
  ' ',
  '\n',
  '(',
  ')',
  '"',
  "'",
  ': ',
  ', ',
  '`',
  '=',
  'é',
  '漢',
  '\t',
  '\u0000',
  ' the ',
  '{',
  ';',
)

test('every path and identifier of the definition is found, wherever it stands', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(around, word, around), { maxLength: 30 }), (pieces) => {
      const names = new Set(namesIn(pieces.flat().join(' ')).map(([name]) => name))
      for (const [, name] of pieces) expect(names).toContain(name)
    }),
  )
})

test('a name is a piece of its text', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (text) => {
      scanNames(text, {
        name: (source, start, end) => {
          expect(source).toBe(text)
          expect(end).toBeGreaterThan(start)
          expect(start).toBeGreaterThanOrEqual(0)
          expect(end).toBeLessThanOrEqual(text.length)
        },
      })
    }),
  )
})

describe('the cost grows with the length, whatever the text is', () => {
  const pieces = [
    'a',
    'a/',
    'aB',
    'C:\\',
    '//',
    'http://',
    '_',
    '.',
    '+',
    'a+',
    'aaaaaaaaaa+',
    '-1',
    '#1',
    '\n',
    'é',
    '@',
    '/a ',
  ]
  test.each(pieces)('%j', (piece) => {
    const steps = (times: number): number => scanNames(piece.repeat(times), { name: () => {} })
    const small = steps(4_000)
    expect(steps(16_000)).toBeLessThanOrEqual(small * 4.2 + 4_000)
    // At most so many looks at one character, whatever it is.
    expect(small).toBeLessThanOrEqual(piece.length * 4_000 * 160)
  })
})
