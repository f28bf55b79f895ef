import { describe, expect, it } from 'vitest'
import {
  assistant,
  call,
  harness,
  human,
  logFrom,
  result,
  tool,
} from '../testing/generate/build.ts'
import { contextOf } from './context/context.ts'
import { unitsOf } from './steps.ts'
import type { CheckpointDraft, Continuation, EntryDraft } from './entry.ts'

const continuation = (of?: number): Continuation => ({
  kind: of === undefined ? 'mid-task' : 'media',
  message: { role: 'user', content: 'go on' },
  metadata: { compaction_continue: true },
  ...(of !== undefined && { of }),
})
const checkpoint = (of?: number): CheckpointDraft => ({
  kind: 'checkpoint',
  at: 0,
  base: 1,
  summary: 'what was',
  summarizer: 'local',
  tail: [],
  continuation: continuation(of),
  metadata: {},
})
const unitsIn = (...drafts: EntryDraft[]): ReturnType<typeof unitsOf> =>
  unitsOf(contextOf(logFrom(drafts)).items)

describe('a context', () => {
  it('is made of what the human said, of steps with their results, and of what stands beside', () => {
    const calls = assistant([call('a', 'x'), call('b', 'x')])
    const pin: EntryDraft = { kind: 'pin', at: 0, text: 'keep' }
    const units = unitsIn(
      human('go'),
      harness('a reminder'),
      calls,
      tool(result('a', 'x', '1')),
      tool(result('b', 'x', '2')),
      pin,
      assistant('done'),
    )
    expect(units.map(({ type, items }) => [type, items.map(({ seq }) => seq)])).toEqual([
      ['human', [1]],
      ['aside', [2]],
      ['step', [3, 4, 5]],
      ['aside', [6]],
      ['step', [7]],
    ])
    expect(units[0]).toMatchObject({ seq: 1, message: { role: 'user', content: 'go' } })
    expect(units[2]).toMatchObject({
      status: 'closed',
      calls: [{ toolCallId: 'a' }, { toolCallId: 'b' }],
      results: [{ toolCallId: 'a' }, { toolCallId: 'b' }],
      item: { seq: 3 },
    })
    expect(units[4]).toMatchObject({ status: 'closed', calls: [], results: [] })
  })

  it('takes a continuation that repeats a human message for that message, and no other one', () => {
    const [summary, repeated] = unitsIn(human('look'), checkpoint(1))
    expect(summary).toMatchObject({ type: 'aside', item: { type: 'summary' } })
    expect(repeated).toEqual({
      type: 'human',
      seq: 1,
      message: continuation(1).message,
      item: { type: 'continuation', seq: 2, continuation: continuation(1) },
      items: [{ type: 'continuation', seq: 2, continuation: continuation(1) }],
    })
    expect(unitsIn(human('look'), checkpoint())[1]).toMatchObject({
      type: 'aside',
      item: { type: 'continuation' },
    })
  })

  it('takes nothing for the human that a harness or a system message says', () => {
    const system = { ...human('x'), message: { role: 'system', content: 'x' } } as EntryDraft
    expect(unitsIn(system, harness('y')).map(({ type }) => type)).toEqual(['aside', 'aside'])
  })

  it('knows a step that waits from one that the agent has left', () => {
    const calls = assistant([call('a', 'x')])
    const status = (...drafts: EntryDraft[]): unknown =>
      unitsIn(...drafts).flatMap((unit) => (unit.type === 'step' ? [unit.status] : []))
    expect(status(calls)).toEqual(['pending'])
    expect(status(calls, human('and?'))).toEqual(['aborted'])
    expect(status(calls, calls)).toEqual(['aborted', 'pending'])
    expect(status(calls, tool(result('a', 'x', '1')))).toEqual(['closed'])
  })
})
