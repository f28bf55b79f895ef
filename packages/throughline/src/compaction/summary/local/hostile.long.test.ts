import { expect, test } from 'vitest'
import { expectLinear } from '../../../testing/growth.ts'
import { summarizeLocally } from './summarize-locally.ts'
import type { Facts } from '../../../facts/summary/known-facts.ts'

const count = (text: string): number => Math.ceil(text.length / 4)

/** A summary of a session in which everything is this text. */
function summaryOf(text: string): string {
  const index: Facts = {
    seq: 9,
    root: '/code/app',
    directories: ['/code/app'],
    files: new Map([[text, { path: text, state: 'edited', reads: 1, edits: 1, seqs: [3] }]]),
    commands: new Map([
      [
        text,
        { command: text, purpose: 'check', runs: 1, outcome: 'failed', detail: text, seqs: [4] },
      ],
    ]),
    errors: [{ text, owner: text, seq: 5 }],
    names: new Map([
      [
        text,
        { name: text, kind: 'path', owner: text, calls: 1, mentions: 1, lastSeq: 2, weight: 1 },
      ],
    ]),
    rules: [{ text, seq: 6 }],
    requests: [
      { text, seq: 1 },
      { text, seq: 7 },
    ],
    statements: [
      { text, seq: 8, source: 'answer' },
      { text, seq: 8, source: 'document', about: text },
    ],
    repository: { branch: { name: text, seq: 3 }, commits: [], changed: new Set([text]) },
    todos: [{ text, status: 'open', seq: 9 }],
  }
  return summarizeLocally({
    facts: index,
    budget: 2_000,
    count,
    previous: text,
    beside: [text],
  })
}

test.each([
  ['one letter', 'a'],
  ['slashes', '/a'],
  ['hyphens before a letter', '-'],
  ['new lines', '\n'],
  ['spaces', ' '],
  ['asterisks', '*'],
  ['fences', '```\n'],
  ['emoji', '😀'],
])('text of nothing but %s takes linear work', async (_, unit) => {
  const summarizing = (length: number) => {
    const text = `${unit.repeat(Math.ceil(length / unit.length))}x`
    return () => expect(count(summaryOf(text))).toBeLessThanOrEqual(2_000)
  }
  await expectLinear(summarizing, { small: 100_000, large: 1_600_000 })
})
