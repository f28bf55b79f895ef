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
  expect(summary).toContain('origin/release')
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
