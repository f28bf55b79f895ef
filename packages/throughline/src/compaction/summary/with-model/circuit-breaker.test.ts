import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { logFrom } from '../../../testing/generate/build.ts'
import { runs } from '../../../testing/generate/runs.ts'
import {
  advanceCircuitBreaker,
  circuitBreakerIsOpen,
  closedCircuitBreaker,
  spendingOf,
  together,
} from './circuit-breaker.ts'
import type { EntryDraft } from '../../../log/entry.ts'
import type { SummaryCall } from './summarizer.ts'

const tokens = fc.integer({ min: 1, max: 9_000 })
const cached = fc.option(tokens, { nil: undefined })

// Money in whole cents: sums are exact.
const arbitraryCall: fc.Arbitrary<SummaryCall> = fc.oneof(
  fc.constant<SummaryCall>({ model: 'a', failed: true }),
  fc
    .record({
      inputTokens: tokens,
      outputTokens: tokens,
      cacheReadTokens: cached,
      cacheWriteTokens: cached,
      cost: fc.option(fc.integer({ min: 0, max: 99 }), { nil: undefined }),
    })
    .map(({ cost, cacheReadTokens: read, cacheWriteTokens: written, ...usage }): SummaryCall => ({
      model: 'a',
      usage: {
        ...usage,
        ...(read !== undefined && { cacheReadTokens: read }),
        ...(written !== undefined && { cacheWriteTokens: written }),
      },
      ...(cost !== undefined && { cost }),
    })),
)

describe('what two kinds of calls cost together', () => {
  it('is what all of them cost', () => {
    const arbitraryCalls = fc.array(arbitraryCall, { maxLength: 3 })
    fc.assert(
      fc.property(arbitraryCalls, arbitraryCalls, (some, others) => {
        const sum = together(spendingOf(some), spendingOf(others))
        expect(sum).toEqual(spendingOf([...some, ...others]))
      }),
      runs(300),
    )
  })

  it('has no price where only refused requests were made, and no cache where none is told', () => {
    const refused = spendingOf([{ model: 'a', failed: true }])
    expect(together(refused, refused)).toEqual({ calls: 2, inputTokens: 0, outputTokens: 0 })
    const usage = { inputTokens: 5, outputTokens: 1 }
    const priced = spendingOf([{ model: 'a', usage, cost: 2 }])
    expect(together(refused, priced)).toEqual({ calls: 2, ...usage, cost: 2 })
    expect(together(priced, refused)).toEqual({ calls: 2, ...usage, cost: 2 })
    const unpriced = spendingOf([{ model: 'a', usage: { inputTokens: 0, outputTokens: 1 } }])
    expect(together(priced, unpriced)).not.toHaveProperty('cost')
    expect(together(unpriced, priced)).not.toHaveProperty('cost')
    expect(together(priced, undefined)).toEqual(priced)
    expect(together(undefined, priced)).toEqual(priced)
    expect(together(undefined, undefined)).toBeUndefined()
  })
})

const failure: EntryDraft = {
  kind: 'observation',
  at: 0,
  observation: { type: 'failure', summarizer: 'a', problems: ['it was empty'] },
}
const note: EntryDraft = {
  kind: 'observation',
  at: 0,
  observation: { type: 'note', name: 'mine', data: {} },
}
const summaryBy = (summarizer: string): EntryDraft => ({
  kind: 'checkpoint',
  at: 0,
  base: 0,
  summary: 'It went well.',
  summarizer,
  tail: [],
  continuation: null,
  metadata: {},
})
const breakerOf = (...drafts: EntryDraft[]) =>
  advanceCircuitBreaker(closedCircuitBreaker(), logFrom(drafts))

describe('the circuit breaker', () => {
  const limits = { failures: 2, pause: 3 }

  it('opens after so many failures in a row, whatever else the log holds between them', () => {
    expect(circuitBreakerIsOpen(breakerOf(), limits)).toBe(false)
    expect(circuitBreakerIsOpen(breakerOf(failure, note), limits)).toBe(false)
    expect(circuitBreakerIsOpen(breakerOf(failure, note, failure), limits)).toBe(true)
    const between = breakerOf(failure, summaryBy('own'), failure)
    expect(circuitBreakerIsOpen(between, limits)).toBe(false)
  })

  it('closes after so many compactions without a model, and opens with the next failure', () => {
    const open = [failure, failure]
    const local = (count: number): EntryDraft[] =>
      Array.from({ length: count }, () => summaryBy('local'))
    // The first of them is that of the failure itself.
    expect(circuitBreakerIsOpen(breakerOf(...open, ...local(3)), limits)).toBe(true)
    expect(circuitBreakerIsOpen(breakerOf(...open, ...local(4)), limits)).toBe(false)
    expect(circuitBreakerIsOpen(breakerOf(...open, ...local(4), failure), limits)).toBe(true)
    expect(breakerOf(...open, ...local(4), failure)).toEqual({ seq: 7, failures: 3, paused: 0 })
  })

  it('is the same whether the log is read at once or entry by entry', () => {
    const arbitraryLog = fc.array(
      fc.constantFrom(failure, note, summaryBy('local'), summaryBy('own')),
      { maxLength: 12 },
    )
    fc.assert(
      fc.property(arbitraryLog, fc.nat(12), (drafts, at) => {
        const partly = breakerOf(...drafts.slice(0, at))
        expect(advanceCircuitBreaker(partly, logFrom(drafts))).toEqual(breakerOf(...drafts))
      }),
      runs(100),
    )
  })
})
