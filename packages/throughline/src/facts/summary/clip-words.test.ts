import fc from 'fast-check'
import { expect, test } from 'vitest'
import { clipEnd, clipMiddle, oneLine } from './clip-words.ts'

test('a text that fits is left as it is', () => {
  expect(clipEnd('src/a.ts', 8)).toBe('src/a.ts')
  expect(clipMiddle('src/a.ts', 8)).toBe('src/a.ts')
})

test('no path is cut in two', () => {
  const text = 'see src/compaction/cut.ts, then src/log/entry.ts and docs/format.md'
  expect(clipEnd(text, 20)).toBe('see …')
  expect(clipEnd(text, 28)).toBe('see src/compaction/cut.ts, …')
  expect(clipMiddle(text, 60)).toBe('see src/compaction/cut.ts, then … and docs/format.md')
})

test('what is clipped fits, and holds only words of the text', () => {
  const text = fc.lorem({ maxCount: 80 }).map((words) => `${words} src/a.ts`)
  fc.assert(
    fc.property(text, fc.nat(300), (full, characters) => {
      for (const clip of [clipEnd, clipMiddle]) {
        const clipped = clip(full, characters)
        expect(clipped.length).toBeLessThanOrEqual(Math.max(characters, 1))
        const words = new Set([...full.split(' '), '…'])
        for (const word of clipped.split(' ')) expect(words).toContain(word)
      }
    }),
  )
})

test('scripts without spaces are cut between characters, never inside one', () => {
  for (let characters = 3; characters < 12; characters++) {
    expect(clipEnd('😀😀😀😀😀😀😀😀', characters).isWellFormed()).toBe(true)
    expect(clipMiddle('日本語のテキスト😀😀😀', characters).isWellFormed()).toBe(true)
  }
  expect(clipEnd('日本語のテキスト', 6)).toBe('日本語の …')
})

test.each([
  ['  two\n\n lines\t', 'two lines'],
  ['cut between words …', 'cut between words …'],
  ['see src/compaction/cu…', 'see …'],
  ['src/compaction/cu…', '…'],
  ['日本語のテキスト…', '日本語のテキスト…'],
  ['', ''],
])('%j reads %j', (text, line) => {
  expect(oneLine(text)).toBe(line)
})

test('a path across the line where the beginning ends stays whole while it fits', () => {
  const text =
    'in /Users/ann/Work/research/git-notes is a tool, can you compare it with our approach here?'
  expect(clipMiddle(text, 60)).toBe('in /Users/ann/Work/research/git-notes … our approach here?')
  expect(clipMiddle(text, 42)).toBe('in /Users/ann/Work/research/git-notes …')
  expect(clipMiddle(text, 24)).toBe('in … here?')
  for (let most = 4; most < 90; most++)
    expect(clipMiddle(text, most).length).toBeLessThanOrEqual(most)
})
