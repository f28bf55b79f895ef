import { expect, it } from 'vitest'
import { closedCircuitBreaker } from './circuit-breaker.ts'
import { compact } from '../../compact.ts'
import { planInputFor } from '../../../session/once/plan-input.ts'
import { assistant, human, logFrom, step } from '../../../testing/generate/build.ts'
import type { Drafts } from '../../../testing/generate/build.ts'
import type { Summarizer } from './summarizer.ts'

const good = `## Goal
Make the lexer fast enough for files of a megabyte.

## Instructions
(none)

## Discoveries
- The lexer copies the rest of the file for each token; that is why it is quadratic.
- A cache of tokens was tried first and given up, because edits invalidate it.

## Accomplished
- Module 7 reads by offsets now. The next step is module 8, then the benchmark.

## Relevant files
- src/m7.ts: reads by offsets`

it('a short good summary of a long head is asked for once, kept, and filled from the record', async () => {
  const log = logFrom([
    human('Make the lexer fast. Never push to main.'),
    ...Array.from({ length: 60 }, (_, at): Drafts[] => [
      step(
        `r${at}`,
        'Read',
        { file_path: `src/m${at}.ts` },
        'const token = read(rest)\n'.repeat(130),
      ),
      step(
        `e${at}`,
        'Edit',
        { file_path: `src/m${at}.ts`, old_string: 'a', new_string: 'b' },
        'ok',
      ),
    ]).flat(),
    assistant('Module 7 is done.'),
    human('Go on with module 8.'),
  ])
  let asked = 0
  const summarizer: Summarizer = {
    name: 'terse',
    summarize: async () => {
      asked += 1
      return { text: good, finish: 'stop', calls: [] }
    },
  }
  const input = planInputFor(log, { window: { context: 200_000 } })
  const { drafts, report } = await compact(
    { ...input, trigger: 'manual' },
    { now: 0, circuitBreaker: closedCircuitBreaker(), summarizer },
  )
  expect(asked).toBe(1)
  expect(report).toMatchObject({ rung: 'model', summarizer: 'terse' })
  expect(report.before).toBeGreaterThan(50_000)
  const [checkpoint] = drafts
  const summary = checkpoint?.kind === 'checkpoint' ? checkpoint.summary : ''
  expect(summary).toContain('A cache of tokens was tried first and given up')
  // The record adds what the model left out.
  expect(summary).toContain('Never push to main.')
  expect(summary).toContain('src/m42.ts')
})
