import { expect, test } from 'vitest'
import { factsOf } from '../../../facts/facts-of.ts'
import { assistant, harness, human, logFrom, step } from '../../../testing/generate/build.ts'
import { summarizeLocally } from './summarize-locally.ts'
import type { Drafts } from '../../../testing/generate/build.ts'

const count = (text: string): number => Math.ceil(text.length / 4)
const summaryOf = (...drafts: Drafts[]): string =>
  summarizeLocally({ facts: factsOf(logFrom(drafts)), budget: 4_000, count })

const first =
  '# Export\nEvery export begins with a row of names and ends with a row of sums.\nDates are written in words.'
const second =
  '# Export\nEvery export begins with a row of names, and there are no sums.\nColours are left out.'
const read = (id: string, text: string, extra: object = {}) =>
  step(id, 'Read', { file_path: '/code/export.md', ...extra }, text)

test('a document that was read as a whole again is told as it is now', () => {
  const summary = summaryOf(human('Look at the export.'), read('1', first), read('2', second))
  expect(summary).toContain('there are no sums')
  expect(summary).not.toContain('ends with a row of sums')
  expect(summary).not.toContain('Dates are written in words')
})

test('the subject of a commit stands once, among the newest commits', () => {
  const subject = 'Keep the last byte of each header'
  const summary = summaryOf(
    human('Fix the headers.'),
    step('1', 'Bash', { command: `git commit -m "${subject}"` }, `[main abcdef12] ${subject}`),
    assistant('The headers are whole now.'),
  )
  expect(summary.split(subject)).toHaveLength(2)
})

test('a document that was written anew is told as it is now, and a part of it leaves the rest', () => {
  const written = step(
    '2',
    'Write',
    { file_path: '/code/export.md', content: second },
    'File written.',
  )
  expect(summaryOf(human('Look.'), read('1', first), written)).not.toContain('Dates are written')
  const part = read('2', 'Colours are left out of every export.', { offset: 40, limit: 10 })
  expect(summaryOf(human('Look.'), read('1', first), part)).toContain('Dates are written')
})

test('a document that was deleted says nothing more', () => {
  const gone = step('2', 'Bash', { command: 'rm /code/export.md' }, '')
  const summary = summaryOf(human('Look at the export.'), read('1', first), gone)
  expect(summary).not.toContain('Dates are written')
})

test('a task that was done since is not told as open', () => {
  const plan = '# Plan\n- [ ] Write the exporter of sums\n- [ ] Draw its page of settings'
  const summary = summaryOf(
    human('Go on with the plan in plan.md.'),
    step('1', 'Read', { file_path: '/code/plan.md' }, plan),
    step(
      '2',
      'Edit',
      {
        file_path: '/code/plan.md',
        old_string: '- [ ] Write the exporter of sums',
        new_string: '- [x] Write the exporter of sums\n  It writes rows of names and of sums.',
      },
      'The file has been updated.',
    ),
    assistant('The exporter is written.'),
  )
  expect(summary).toContain('- [x] Write the exporter of sums')
  expect(summary).not.toContain('- [ ] Write the exporter of sums')
  expect(summary).toContain('- [ ] Draw its page of settings')
})

test('a long skill leaves the room to what was found, and its rules fill what that leaves', () => {
  const rule = (at: number): string => `- NEVER name a column of table${at} like its rows${at}.`
  const rules = Array.from({ length: 120 }, (_, at) => rule(at)).join('\n')
  const skill = harness(`Base directory for this skill: /skills/tables\n\n# Tables\n${rules}`)
  const found = (at: number): Drafts => [
    assistant(
      `Table ${at} loses its row of sums since writer${at} closes before index${at} is read.`,
    ),
    human(`And table ${at + 1}?`),
  ]
  const rulesIn = (summary: string): number => summary.match(/NEVER name/g)?.length ?? 0
  const busy = summaryOf(
    human('Look.'),
    skill,
    Array.from({ length: 160 }, (_, at) => found(at)),
  )
  const idle = summaryOf(human('Look.'), skill, found(0))
  expect(rulesIn(busy)).toBeGreaterThan(0)
  expect(rulesIn(busy)).toBeLessThan(70)
  expect(rulesIn(idle)).toBeGreaterThan(100)
  expect(busy).toContain('Instructions that were loaded (tables):')
})
