import { expect, test } from 'vitest'
import { expectLinear } from '../testing/growth.ts'
import { isIdentifier, isPath, namesOf, wordsOf, withSlashes } from './words.ts'

test.each([
  ['src/log/entry.ts', true],
  ['packages/throughline', true],
  ['12/34/5678', false],
  ['entry-at.ts', false],
])('%s is a path: %s', (word, path) => {
  expect(isPath(word)).toBe(path)
})

test.each([
  ['snake_case', true],
  ['foo.Bar.baz', true],
  ['parseSections', true],
  ['PascalCase', true],
  ['d8659d0a494d', true],
  ['deadbeef', false],
  ['12345678', false],
  ['long-running', false],
  ['ordinary', false],
  ['trailing_', false],
  ['1.25.3.44', false],
  ['src/parseSections', false],
])('%s is an identifier: %s', (word, identifier) => {
  expect(isIdentifier(word)).toBe(identifier)
})

test('paths are relative to the working directories, outer punctuation is stripped', () => {
  const text = 'See (/home/me/here/src/a.ts), `./src/b.ts`: "@src/c.ts". /home/me/there/d.ts'
  expect([...wordsOf(text, ['/home/me/here'])]).toEqual([
    'src/a.ts',
    'src/b.ts',
    'src/c.ts',
    'home/me/there/d.ts',
  ])
})

test('words have 8 to 300 characters', () => {
  const long = `a_${'b'.repeat(299)}`
  expect([...namesOf(`a_b_c_d a_b_c_d_ a_b_c_d_e ${long} ${long.slice(1)}`)]).toEqual(['a_b_c_d_e'])
  expect(namesOf(long.slice(0, 300))).toEqual(new Set([long.slice(0, 300)]))
})

test('a word inside another is not that word', () => {
  expect(wordsOf('lib/src/a.ts src/a.tsx src/abc.ts').has('src/abc.ts')).toBe(true)
  expect(wordsOf('lib/src/abc.ts src/abc.tsx').has('src/abc.ts')).toBe(false)
})

test.each(['a', 'a/', '-'])('hostile text is read in linear work: %j', async (piece) => {
  const reading = (times: number) => () => wordsOf(piece.repeat(times))
  await expectLinear(reading, { small: 100_000, large: 1_000_000 })
})

test('paths of a Windows session are compared with slashes, and no other text is changed', () => {
  expect(withSlashes('C:\\code\\src\\a.ts', ['C:/code'])).toBe('C:/code/src/a.ts')
  expect(withSlashes('say \\n', ['/code'])).toBe('say \\n')
})
