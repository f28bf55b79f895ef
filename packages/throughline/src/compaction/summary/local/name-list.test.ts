import { expect, test } from 'vitest'
import { factsOf } from '../../../facts/facts-of.ts'
import { human, logFrom, step } from '../../../testing/generate/build.ts'
import { summarizeLocally } from './summarize-locally.ts'

const count = (text: string): number => Math.ceil(text.length / 4)

test('what is no name is not listed as one: drawings, numbers, and two words with a stroke between, and a path that a text only mentions', () => {
  const seen = [
    '<path d="M3C10.7605 8C12.9991 4.8l1.2-1.2M18.5"/>',
    'It waits 1_000_000 turns while enabled/disabled is set, as in src/settings and readSettings does.',
  ].join('\n')
  const log = logFrom([
    human('Look at the settings.'),
    step('1', 'Read', { file_path: '/code/src/page.ts' }, `${seen}\n${seen}`),
    step('2', 'Bash', { command: 'git log origin/release' }, 'abc'),
  ])
  const summary = summarizeLocally({ facts: factsOf(log), budget: 4_000, count })
  expect(summary).toContain('readSettings')
  for (const none of [
    '3C10.7605',
    '8C12.9991',
    '18.5',
    '1_000_000',
    'enabled/disabled',
    'src/settings',
  ]) {
    expect(summary).not.toContain(none)
  }
})

test('a file that was used and has no line is listed with why, what texts only mention is not', () => {
  const files = Array.from({ length: 60 }, (_, at) => `src/part-${at}.ts`)
  const log = logFrom([
    human('Look at the parts.'),
    ...files.map((path, at) => step(`${at}`, 'Read', { file_path: `/code/${path}` }, 'x = 1')),
    step('m', 'Bash', { command: 'ls' }, 'src/only/mentioned.ts onlyMentioned read/write'),
  ])
  const summary = summarizeLocally({ facts: factsOf(log), budget: 900, count })
  expect(summary).toMatch(/^Other paths that were used: .*part-\d+\.ts/m)
  expect(summary).not.toMatch(/onlyMentioned|only\/mentioned|read\/write/)
})
