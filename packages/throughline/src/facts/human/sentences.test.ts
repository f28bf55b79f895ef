import { expect, test } from 'vitest'
import { sentencesOf } from './sentences.ts'

const said = (words: string): string[] => sentencesOf(words).map(({ text }) => text)

test.each([
  ['on a line of its own', 'Use tabs.\n```\nNever deploy.\n```\nRun the tests.'],
  ['behind words', 'Use tabs. ```\nNever deploy.\n```\nRun the tests.'],
  ['behind words, with its language', 'Use tabs. ```text\nNever deploy.\n```\nRun the tests.'],
  ['in an item of a list', 'Use tabs.\n- ```\n  Never deploy.\n  ```\nRun the tests.'],
  ['that ends behind the last line in it', 'Use tabs.\n```\nNever deploy.\nx```\nRun the tests.'],
])('a fence %s holds nothing that the human says', (_, words) => {
  expect(said(words)).toEqual(['Use tabs.', 'Run the tests.'])
})

test.each([
  ['is closed in its line', 'Print ```x``` here.\nRun the tests.', 'Print ```x``` here.'],
  ['is only spoken of', 'Wrap it in ```\nRun the tests.', 'Wrap it in ```'],
])('a mark that %s opens no fence', (_, words, first) => {
  expect(said(words)).toEqual([first, 'Run the tests.'])
})
