import { expect, test } from 'vitest'
import { summarizeLocally } from './summarize-locally.ts'
import type { Facts } from './request.ts'

const count = (text: string): number => Math.ceil(text.length / 4)

/** Milliseconds to summarize a session in which everything is this text. */
function timeOf(text: string): number {
  const index: Facts = {
    seq: 9,
    root: '/code/app',
    directories: ['/code/app'],
    files: new Map([
      [text, { path: text, state: 'edited', reads: 1, edits: 1, ranges: [], seqs: [3] }],
    ]),
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
    conclusions: [{ text, seq: 8, final: true }],
    todos: [{ text, status: 'open', seq: 9 }],
  }
  const started = performance.now()
  const summary = summarizeLocally({
    facts: index,
    budget: 2_000,
    count,
    previous: text,
    beside: [text],
  })
  const taken = performance.now() - started
  expect(count(summary)).toBeLessThanOrEqual(2_000)
  return taken
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
])('text of nothing but %s takes linear time', (_, unit) => {
  const small = `${unit.repeat(Math.ceil(100_000 / unit.length))}x`
  const large = `${unit.repeat(Math.ceil(1_600_000 / unit.length))}x`
  timeOf(small)
  // Sixteen times the text; quadratic code would take 256 times the time, or minutes.
  expect(timeOf(large)).toBeLessThan(Math.max(timeOf(small) * 100, 2_000))
})
