import { expect, test } from 'vitest'
import { factsOf } from '../../facts/facts-of.ts'
import { coreHeadings } from '../../facts/summary/sections/core-sections.ts'
import { human, logFrom, step } from '../../testing/generate/build.ts'
import { repairSummary } from './repair.ts'
import { defaultTemplate } from './template.ts'

const log = logFrom([
  human('Mend the parser.'),
  step('a', 'Read', { file_path: 'src/cache.ts' }, 'export const cache = new Map()'),
  step('b', 'Bash', { command: 'pnpm lint' }, 'All is well.'),
  step('c', 'Bash', { command: 'pnpm test' }, '13 passed'),
  step(
    'd',
    'Bash',
    { command: 'cd app && pnpm test 2>&1' },
    'Exit code 1\nFAIL src/lexer.test.ts\nError: expected end token\n1 failed, 12 passed',
  ),
  step('e', 'Bash', { command: 'rm src/old.ts' }, ''),
])

function repaired(line: string): string {
  const body = (heading: string): string => (heading === 'Accomplished' ? line : '(none)')
  const text = coreHeadings.map((heading) => `## ${heading}\n${body(heading)}`).join('\n\n')
  const count = (words: string): number => Math.ceil(words.length / 4)
  const record = { facts: factsOf(log, {}), template: defaultTemplate, budget: 4_000, count, log }
  const told = repairSummary(text, record) ?? ''
  return /## Accomplished\n(.*)/.exec(told)?.[1] ?? ''
}

test.each([
  ['All tests pass (`pnpm test` → 13 passed).', '`pnpm test` (failed when it last ran ['],
  ['Ran `npm run deploy` for the server.', '`npm run deploy` (not seen in this session)'],
  ['Deleted `src/cache.ts`.', '`src/cache.ts` (not seen to be deleted)'],
])('what the record contradicts is marked: %s', (said, marked) => {
  expect(repaired(said)).toContain(marked)
})

test.each([
  '`pnpm lint` passes.',
  '`pnpm test` passed at first and fails now.',
  '`pnpm test` must pass before the release.',
  'Ran `pnpm lint --fix` and `pnpm test`; see below.',
  'Run `npm run deploy` next.',
  'Deleted `src/old.ts`.',
])('what it does not contradict stays as it is: %s', (said) => {
  expect(repaired(said)).toBe(said)
})
