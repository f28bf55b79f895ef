import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  assistant,
  call,
  harness,
  human,
  logFrom,
  result,
  step,
  tool,
  type Drafts,
} from '../../testing/generate/build.ts'
import { advanceContext, contextOf, emptyContext } from './context.ts'
import { latest, trustedUsage } from './trusted-usage.ts'
import { chronological } from '../order.ts'
import type { CheckpointDraft, EntryDraft, Usage } from '../entry.ts'

const usage = (inputTokens: number): Usage => ({ inputTokens, outputTokens: 0 })

const foreignCheckpoint: CheckpointDraft = {
  kind: 'checkpoint',
  at: 0,
  base: 0,
  summary: 'what was',
  summarizer: 'local',
  tail: [{ type: 'entry', seq: 2 }],
  continuation: null,
  metadata: {},
}

describe('usage is trusted', () => {
  const overflowing = assistant('big', { usage: usage(280_000) })
  const trusted = (...drafts: Drafts[]): number | undefined =>
    contextOf(logFrom(drafts)).measured?.seq

  it('until an entry changes the context that it was measured on', () => {
    const before = [human('go'), overflowing]
    expect(trusted(before)).toBe(2)
    expect(trusted(before, human('more'), assistant('without usage'))).toBe(2)
    const changes: Record<string, EntryDraft> = {
      checkpoint: { ...foreignCheckpoint, base: 2 },
      prune: { kind: 'prune', at: 0, base: 2, replacements: [], metadata: {} },
      rewind: { kind: 'rewind', at: 0, to: 2 },
      redaction: { kind: 'observation', at: 0, observation: { type: 'redaction', seqs: [1] } },
    }
    for (const change of Object.values(changes)) {
      expect(trusted(before, change)).toBeUndefined()
      expect(trusted(before, change, human('more'))).toBeUndefined()
      expect(trusted(before, change, assistant('anew', { usage: usage(9) }))).toBe(4)
    }
  })

  it('unless a late result, or a pin, was put before what it had measured', () => {
    const open = [human('go'), assistant([call('a', 'read')], { usage: usage(7) })]
    expect(trusted(open, { kind: 'pin', at: 0, text: 'keep' })).toBeUndefined()
    expect(trusted(open, human('and?'), tool(result('a', 'read', 'late')))).toBeUndefined()
    expect(trusted(open, tool(result('a', 'read', 'in time')))).toBe(2)
  })

  it('by seq, wherever the message stands in the context', () => {
    expect(trustedUsage(undefined, 0)).toBeUndefined()
    const log = logFrom([human('go'), overflowing])
    const { measured } = latest(log)
    expect(trustedUsage(measured, 1)).toBe(measured)
    expect(trustedUsage(measured, 2)).toBeUndefined()
    expect(trustedUsage(measured, 3)).toBeUndefined()
  })

  it('the same whether the log is folded at once or entry by entry', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(4), { maxLength: 12 }), (kinds) => {
        const log = logFrom(
          kinds.map((kind, index): EntryDraft => {
            if (kind === 0) return { ...foreignCheckpoint, base: index, tail: [] }
            if (kind === 1) return { kind: 'rewind', at: 0, to: Math.floor(index / 2) }
            if (kind === 2) return human('more')
            return assistant('said', kind === 3 ? { usage: usage(5) } : {})
          }),
        )
        const stepwise = emptyContext()
        for (const { seq } of log) {
          advanceContext(stepwise, log, seq)
          expect(stepwise.measured?.seq).toBe(contextOf(log, seq).measured?.seq)
        }
      }),
    )
  })
})

describe('latest', () => {
  it('finds the newest human message, assistant and finished assistant by seq', () => {
    const log = logFrom([
      human('one'),
      assistant('first answer'),
      human('two'),
      harness('a reminder'),
      step('c1', 'read', {}, 'text'),
      assistant('partial', { finish: 'aborted' }),
    ])
    const found = latest(log)
    expect(found.human?.seq).toBe(3)
    expect(found.assistant?.seq).toBe(7)
    expect(found.finished?.seq).toBe(5)
    expect(found.tasks).toEqual([])
  })

  it('takes a checkpoint for what finished last, and what the human asks behind it for the tasks', () => {
    const summary = { ...foreignCheckpoint, base: 3 }
    const log = [human('build it'), assistant('big'), human('and test it'), summary]
    expect(latest(logFrom(log))).toMatchObject({ finished: { seq: 4 }, tasks: [] })
    const asked = logFrom([...log, harness('a reminder'), human('go on'), human('please')])
    expect(latest(asked)).toMatchObject({
      finished: { seq: 4 },
      tasks: [{ seq: 6 }, { seq: 7 }],
      human: { seq: 7 },
    })
    expect(latest(logFrom([...log, human('go on'), assistant('did')])).tasks).toEqual([])
  })

  it('knows what the human asked for and nobody has finished', () => {
    const log = logFrom([human('one'), assistant('half', { finish: 'length' }), human('two')])
    expect(latest(log).tasks.map(({ seq }) => seq)).toEqual([1, 3])
    expect(latest(log).finished).toBeUndefined()
  })

  it('finds the newest usage, of what came behind an entry and up to another', () => {
    const log = logFrom([
      assistant('one', { usage: usage(10) }),
      assistant('two', { usage: usage(20) }),
      human('three'),
      assistant('four', { usage: usage(40) }),
    ])
    const measured = (range: { after?: number; upTo?: number }): number | undefined =>
      latest(log, range).measured?.seq
    expect(measured({})).toBe(4)
    expect(measured({ upTo: 3 })).toBe(2)
    expect(measured({ upTo: 2 })).toBe(2)
    expect(measured({ upTo: 1 })).toBe(1)
    expect(measured({ after: 2, upTo: 3 })).toBeUndefined()
    expect(measured({ after: 1, upTo: 3 })).toBe(2)
  })

  it('finds nothing in an empty log', () => {
    expect(latest(chronological([]))).toEqual({
      human: undefined,
      assistant: undefined,
      finished: undefined,
      tasks: [],
      measured: undefined,
    })
  })
})
