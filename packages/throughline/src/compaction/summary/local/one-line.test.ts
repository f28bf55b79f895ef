import { expect, test } from 'vitest'
import { oneLine } from './one-line.ts'

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
