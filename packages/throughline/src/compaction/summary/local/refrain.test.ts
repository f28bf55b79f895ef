import { expect, test } from 'vitest'
import { factsOf } from '../../../facts/facts-of.ts'
import { assistant, human, logFrom, step } from '../../../testing/generate/build.ts'
import { summarizeLocally } from './summarize-locally.ts'
import type { Drafts } from '../../../testing/generate/build.ts'

const count = (text: string): number => Math.ceil(text.length / 4)
const summaryOf = (...drafts: Drafts[]): string =>
  summarizeLocally({ facts: factsOf(logFrom(drafts)), budget: 4_000, count })

const work = (says: (file: string) => string, files: number): Drafts[] =>
  Array.from({ length: files }, (_, at) => [
    assistant(says(`src/part-${at}.ts`)),
    ...step(`${at}`, 'Read', { file_path: `/code/src/part-${at}.ts` }, 'export {}'),
  ])

test('what is said again and again of another file is told of the newest one', () => {
  const summary = summaryOf(
    human('Rename the constants.'),
    assistant('The linter knows no constants.'),
    ...work((file) => `Nothing is wrong in ${file}.`, 12),
    assistant('All of them are read.'),
  )
  expect(summary.match(/Nothing is wrong/g)).toHaveLength(1)
  expect(summary).toContain('Nothing is wrong in src/part-11.ts.')
  expect(summary).toContain('The linter knows no constants.')
})

test('what is said of three files is told of each', () => {
  const summary = summaryOf(
    human('Rename the constants.'),
    ...work((file) => `Nothing is wrong in ${file}.`, 3),
    assistant('All of them are read.'),
  )
  expect(summary.match(/Nothing is wrong/g)).toHaveLength(3)
})
