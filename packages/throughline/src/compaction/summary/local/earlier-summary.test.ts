import { expect, test } from 'vitest'
import { summarizeLocally } from './summarize-locally.ts'
import type { Facts } from '../../../facts/summary/known-facts.ts'

const count = (text: string): number => Math.ceil(text.length / 4)
const index: Facts = {
  seq: 50,
  root: '',
  directories: [],
  files: new Map(),
  commands: new Map(),
  errors: [],
  names: new Map(),
  rules: [],
  requests: [{ text: 'Go on with the parser.', seq: 50 }],
  statements: [{ text: 'The parser works.', seq: 40, source: 'answer' }],
  repository: { commits: [], changed: new Set() },
  todos: [],
}
const summarize = (previous: string): string =>
  summarizeLocally({ facts: index, budget: 2_000, count, previous })

const foreign = [
  'This session is being continued from a previous conversation.',
  'Analysis:',
  'The user asked many things.',
  'Summary:',
  '1. Primary Request: parse headers of 4 bytes.',
  '## Notes',
  '```',
  'const magic = [',
  '  0x50,',
  ']',
  'Please continue the conversation from where we left it off without asking.',
].join('\n')

test('a foreign summary is carried over, quoted, without what the harness put around it', () => {
  const summary = summarize(foreign)
  expect(summary).toContain('> 1. Primary Request: parse headers of 4 bytes.\n> ## Notes\n> ```')
  expect(summary).toContain('> const magic = [\n>   0x50,\n> ]')
  expect(summary).not.toMatch(/many things|Please continue/)
  expect(summary.match(/^## /gm)).toHaveLength(5)
})

test('what was carried over survives any number of local summaries, and only that does', () => {
  let summary = summarize(foreign)
  for (let round = 0; round < 20; round++) summary = summarize(summary)
  expect(summary).toBe(summarize(foreign))
  const own = summarizeLocally({ facts: index, budget: 2_000, count })
  expect(summarize(own)).toBe(own)
})

test("of a model's summary in the same form, what was found and why is carried over", () => {
  const model =
    '## Goal\nParse.\n\n## Instructions\n(none)\n\n## Discoveries\n- The magic is 0x50.\n\n## Accomplished\n- Chose a table, for speed.\n\n## Relevant files\n(none)'
  const summary = summarize(model)
  expect(summary).toContain(
    '> - The magic is 0x50.\n> Accomplished:\n> - Chose a table, for speed.',
  )
  expect(summary).not.toContain('Parse.')
})

test('a long one is clipped to its share', () => {
  const summary = summarize(`first words ${'of very many '.repeat(4_000)} last words`)
  expect(summary).toContain('> first words')
  expect(summary).toContain('last words')
  expect(count(summary)).toBeLessThan(600)
})

test('the sentence in the place of a summary that cannot be read is not carried over', () => {
  const summary = summarize('Codex compacted the session here. Its own summary is encrypted.')
  expect(summary).not.toContain('From the earlier summary')
})

test('what the human said is not told twice, in our words and in those of a foreign summary', () => {
  const first = 'Parse the headers of the archive, and nothing else.'
  const requests = [
    { text: first, seq: 1 },
    { text: 'Use a table for the magic numbers.', seq: 20 },
    { text: 'Go on with the parser.', seq: 50 },
  ]
  const previous = [
    'Summary:',
    '1. Primary Request: parse headers of 4 bytes.',
    '6. All user messages:',
    `   - "${first}"`,
    '   - "Use a table for the magic numbers."',
    '7. Key Files:',
    '   - Write the index.',
  ].join('\n')
  const told = (facts: Facts): string => summarizeLocally({ facts, budget: 2_000, count, previous })
  const both = told({ ...index, requests })
  expect(both.match(/Parse the headers of the archive/g)).toHaveLength(1)
  expect(both.match(/table for the magic/g)).toHaveLength(1)
  expect(both).not.toContain('All user messages')
  expect(both).toContain('> 1. Primary Request: parse headers of 4 bytes.\n> 7. Key Files:')
  expect(told(index)).toContain('> 6. All user messages:')
})

test('what an earlier summary says is next goes once the human has spoken past it', () => {
  const previous = [
    'Summary:',
    '1. Primary Request and Intent:',
    '   - "Write the parser of headers."',
    '7. Pending Tasks:',
    '   - Count the colours.',
    '8. Key Concepts:',
    '   - A header has 4 bytes.',
    '9. Optional Next Step:',
    '   1. Run the suite again.',
  ].join('\n')
  const told = (...requests: string[]): string =>
    summarizeLocally({
      facts: { ...index, requests: requests.map((text, at) => ({ text, seq: at + 40 })) },
      budget: 2_000,
      count,
      previous,
    })
  const written = 'Write the parser of headers.'
  for (const summary of [told(written), told('ok'), told('Look at it.', written)]) {
    expect(summary).toContain('Count the colours.')
    expect(summary).toContain('Run the suite again.')
  }
  const later = told(written, 'Now draw the page of settings.')
  expect(later).not.toMatch(/Pending|Count the colours|Next Step|Run the suite/)
  expect(later).toContain('A header has 4 bytes.')
})
