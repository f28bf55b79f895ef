import { expect, test } from 'vitest'
import { entryText, spentText } from './entry-text.ts'
import type { Entry } from '../../../log/entry.ts'

const spent = {
  calls: 2,
  inputTokens: 12_000,
  outputTokens: 900,
  cacheReadTokens: 10_000,
  cost: 0.01312,
}

test('what a summary took is said in a line', () => {
  expect(spentText(spent)).toBe('2 requests, 12,000 tokens in (10,000 cached), 900 out, $0.013')
  expect(spentText({ calls: 1, inputTokens: 5, outputTokens: 0 })).toBe(
    '1 request, 5 tokens in, 0 out',
  )
  expect(spentText({ ...spent, cost: 1.2 })).toContain('$1.20')
  expect(spentText({ ...spent, cost: 0.000_001 })).toContain('<$0.0001')
})

test.each([undefined, null, 'a lot', {}, { calls: '2', inputTokens: 1, outputTokens: 1 }])(
  'what a log says instead, %j, is not shown',
  (odd) => {
    expect(spentText(odd)).toBeUndefined()
  },
)

test('it stands with the checkpoint, or with the failure where there is none', () => {
  const checkpoint: Entry = {
    kind: 'checkpoint',
    seq: 3,
    at: 0,
    base: 2,
    summary: 'all is well',
    summarizer: 'small',
    tail: [],
    continuation: null,
    metadata: { spent },
  }
  expect(entryText(checkpoint)).toContain('cost 2 requests, 12,000 tokens in')
  const failure: Entry = {
    kind: 'observation',
    seq: 4,
    at: 0,
    observation: { type: 'failure', summarizer: 'small', problems: ['it was empty'], spent },
  }
  expect(entryText(failure)).toBe(
    'small failed: it was empty; cost 2 requests, 12,000 tokens in (10,000 cached), 900 out, $0.013',
  )
})
