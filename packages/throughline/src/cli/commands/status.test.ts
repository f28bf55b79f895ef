import { describe, expect, it } from 'vitest'
import { didOf, statusLines } from './status.ts'
import type { CallOutcome, ClientRecord } from '../../clients/record.ts'

const record = (at: number, what: Omit<ClientRecord, 'at' | 'client'>): ClientRecord => ({
  at,
  client: 'pi',
  ...what,
})

function status(records: readonly ClientRecord[], off = false, repeats = false): string {
  const lines = statusLines(
    [
      {
        client: 'pi',
        label: 'pi',
        word: 'pi',
        first: 'Restart pi where it runs.',
        installed: { version: '1.0.0', at: 0 },
        off,
        summary: 'client-model',
        problems: [],
        beside: [],
        did: didOf(records),
        repeats,
      },
    ],
    { now: 10_000, width: 200 },
  )
  return lines.join('\n')
}

describe('the status of a client', () => {
  it('says why it stepped aside, until it has begun anew or compacted', () => {
    const aside = record(2, { event: 'step-aside', reason: 'pi 9.0 is not known' })
    const failed = record(2, { event: 'error', reason: 'the disk is full' })
    expect(status([record(1, { event: 'start' }), aside])).toMatch(
      /It stepped aside .*, and the client compacts by itself: pi 9\.0 is not known/,
    )
    expect(status([failed])).toMatch(/It failed .*: the disk is full/)
    expect(status([aside, record(3, { event: 'start' })])).not.toContain('stepped aside')
    expect(status([failed, record(3, { event: 'compaction', by: 'local' })])).not.toContain(
      'failed',
    )
  })

  it('says what is to be done where it has not run yet, and no sizes that are not known', () => {
    expect(status([])).toContain('It has not run there yet. Restart pi where it runs.')
    const unsized = record(2, { event: 'compaction', by: 'client' })
    expect(status([record(1, { event: 'start' }), unsized])).not.toContain('tokens became')
  })

  it('says that it is switched off', () => {
    expect(status([record(1, { event: 'start' })], true)).toContain('It is switched off')
  })

  it('says that a compaction was early, and why', () => {
    const done = { event: 'compaction', before: 2_000, after: 500, ms: 9, by: 'local' } as const
    const shown = status([record(1, done), record(2, { ...done, early: 'gap' })])
    expect(shown).toContain('2 compactions (1 early): ')
    expect(shown).toMatch(
      /Last compaction \S+, early since the cache was cold after a pause: 2,000 → 500 tokens/,
    )
    expect(status([record(1, done)])).not.toContain('early')
  })

  it('says where outputs were made shorter and there is no summary', () => {
    const done = { event: 'compaction', before: 2_000, after: 500, ms: 9 } as const
    expect(status([record(1, done)])).toContain('9 ms, old outputs made shorter, no summary.')
  })

  it('says how often a model was asked for a summary, and what became of that', () => {
    const call = (at: number, name: string, became?: CallOutcome): ClientRecord =>
      record(at, { event: 'call', call: name, ...(became && { became }) })
    const calls = [call(1, 'a'), call(2, 'b'), call(3, 'a', 'used'), call(4, 'c', 'late')]
    expect(status([record(0, { event: 'start' }), ...calls])).toContain(
      '3 requests to its model for a summary: 1 used, 1 not known to have ended, 1 too late.',
    )
    expect(didOf(calls)).toMatchObject({ calls: { used: 1, unknown: 1, late: 1 } })
    expect(status([record(1, { event: 'start' })])).not.toContain('request')
    // A client that repeats what was refused has made more than we know of.
    const untold = 'itself repeats a request that was refused, and does not say how often.'
    const begun = record(0, { event: 'start' })
    expect(status([begun, ...calls], false, true)).toContain(untold)
    expect(status([begun, ...calls])).not.toContain(untold)
    expect(status([begun, call(1, 'a', 'used')], false, true)).not.toContain(untold)
  })

  it('says why code wrote a summary that a model was asked for', () => {
    const reason = 'the client’s model: it did not answer in time'
    const done = { event: 'compaction', before: 2_000, after: 500, ms: 9 } as const
    expect(status([record(1, { ...done, by: 'local', reason })])).toContain(
      'summary by code (the client’s model: it did not answer in time).',
    )
    expect(status([record(1, { ...done, by: 'client-model', reason: 'hooks module' })])).toContain(
      'summary by the client’s model.',
    )
  })
})
