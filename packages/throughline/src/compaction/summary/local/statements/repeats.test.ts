import { expect, test } from 'vitest'
import { factsOf } from '../../../../facts/facts-of.ts'
import { assistant, human, logFrom, step } from '../../../../testing/generate/build.ts'
import { expectLinear } from '../../../../testing/growth.ts'
import { candidatesOf } from './choose.ts'
import { Repeats } from './repeats.ts'
import { summarizeLocally } from '../summarize-locally.ts'

const count = (text: string): number => Math.ceil(text.length / 4)
const said = (text: string) => [
  assistant([
    { type: 'text', text },
    { type: 'tool-call', toolCallId: text, toolName: 'Read', input: { file_path: '/code/a.ts' } },
  ]),
  ...step(`${text}2`, 'Read', { file_path: '/code/b.ts' }, 'const b = 1'),
]
const summaryOf = (...texts: string[]): string => {
  const log = logFrom([human('Mend the exporter.'), ...texts.map(said)])
  return summarizeLocally({ facts: factsOf(log), budget: 4_000, count })
}

const first = 'The exporter counts every row of `sums.ts` twice, once in the reader.'

test('nothing is told twice in other words', () => {
  const again = 'Every row of `sums.ts` is counted twice by the exporter in the reader.'
  const summary = summaryOf(first, again)
  expect([first, again].filter((text) => summary.includes(text))).toHaveLength(1)
})

test.each([
  'The exporter counts every row of `names.ts` twice, once in the reader.',
  'The exporter does not count every row of `sums.ts` twice in the reader.',
])('what differs in a name or in a no is told: %j', (other) => {
  const summary = summaryOf(first, other)
  expect(summary).toContain(first)
  expect(summary).toContain(other)
})

test('of two that say the same, the one that says more is told', () => {
  const more =
    'The exporter counts every row of `sums.ts` twice in the reader, and the page of settings then shows dates of the year before.'
  expect(summaryOf(first, more)).toContain(more)
})

test('looking for repeats takes linear work where nothing is alike', async () => {
  const looking = (length: number) => {
    const candidates = candidatesOf(length)
    for (let at = 0; at < length; at++) {
      candidates.text[at] = at
      candidates.from[at] = at * 6
      candidates.to[at] = at * 6 + 6
    }
    const terms = { size: length * 6, at: (position: number) => position }
    return () => {
      const repeats = new Repeats(candidates, terms)
      for (let at = 0; at < length; at++) if (!repeats.tells(at)) repeats.add(at)
    }
  }
  await expectLinear(looking, { small: 2_000, large: 20_000 })
})
