import { describe, expect, it } from 'vitest'
import { contextOf } from '../../log/context/context.ts'
import { unitsOf } from '../../log/steps.ts'
import { assistant, call, human, logFrom, step } from '../../testing/generate/build.ts'
import { estimatedTokens, modelTokens } from '../../tokens/units.ts'
import { planInputFor } from '../../session/once/plan-input.ts'
import { planCompaction } from '../plan/plan-compaction.ts'
import { defaultPolicy } from '../policy.ts'
import { continuationOf, newReplacements, requestTokens, type PlannedCut } from './planned-cut.ts'
import { seedTailBudget, tailBudget } from './tail-budget.ts'
import { textsBeside } from './texts-beside.ts'
import type { Continuation, Ref, Replacement, TailItem } from '../../log/entry.ts'

describe('what one human message may hold', () => {
  it('is a part of the room, neither too little nor too much', () => {
    const most = (room: number): number => requestTokens(estimatedTokens(room))
    expect(most(0)).toBe(2_000)
    expect(most(6_000)).toBeGreaterThan(2_000)
    expect(most(6_000)).toBeLessThan(4_000)
    expect(most(1_000_000)).toBe(4_000)
  })
})

it('leaves a summary three quarters of what is kept where that is little, however long the request is', () => {
  const read = Array.from({ length: 12 }, (_, at) =>
    step(`c${at}`, 'Read', {}, 'text '.repeat(900)),
  )
  for (const keep of [3_000, 4_000, 5_000]) {
    const input = planInputFor(logFrom([...read, human('Port it. '.repeat(4_000))].flat()), {
      window: { context: 200_000 },
      policy: { ...defaultPolicy, keep: () => keep, tail: () => 0, prune: () => undefined },
      trigger: 'manual',
    })
    const plan = planCompaction(input)
    if (plan.action !== 'summarize') throw new Error('nothing to summarize')
    expect(plan.cut.summaryBudget).toBeGreaterThan(keep * 0.7)
  }
})

describe('the continuation that a plugin wants', () => {
  const wanted: Continuation = {
    kind: 'unanswered',
    message: { role: 'user', content: 'Go on.' },
    metadata: { compaction_continue: true },
    of: 1,
    replacements: [],
  }
  const given = (of: number, ...drafts: Parameters<typeof logFrom>[0]): Continuation | null =>
    continuationOf(unitsOf(contextOf(logFrom(drafts)).items), {
      ...defaultPolicy,
      continuation: () => ({ ...wanted, of }),
    })

  it('repeats what a human said', () => {
    expect(given(1, human('go'), assistant('Done.'))).toEqual(wanted)
  })

  it('repeats nothing that no human said', () => {
    const { of: _, replacements: __, ...own } = wanted
    expect(given(2, human('go'), assistant('Done.'))).toEqual(own)
    expect(given(9, human('go'), assistant('Done.'))).toEqual(own)
  })

  it('is not set behind a call that waits', () => {
    expect(given(1, human('go'), assistant([call('a', 'Read')]))).toBeNull()
  })
})

describe('what a cut replaces', () => {
  const at = (ref: Ref, text: string): Replacement => ({ how: 'clipped', ref, text })
  const earlier = at('3.0', 'less')
  const context = contextOf(
    logFrom([
      human('go'),
      step('a', 'Read', {}, 'text'),
      { kind: 'prune', at: 0, base: 3, replacements: [earlier], metadata: {} },
    ]),
  )
  const units = unitsOf(context.items)
  const replaced = (...tail: TailItem[]): Replacement[] => newReplacements(units, { tail })

  it('is what did not stand there before', () => {
    const [known] = units.flatMap(({ items }) =>
      items.flatMap((item) => (item.type === 'message' ? (item.replacements ?? []) : [])),
    )
    expect(known).toEqual(earlier)
    const kept = known ? [known] : []
    expect(replaced({ type: 'entry', seq: 3, replacements: kept })).toEqual([])
    const other = at('3.0', 'still less')
    expect(replaced({ type: 'entry', seq: 3, replacements: [other] })).toEqual([other])
    expect(
      replaced({ type: 'omission', from: 2, to: 2, text: 'x' }, { type: 'entry', seq: 1 }),
    ).toEqual([])
  })
})

describe('what a summary need not repeat', () => {
  const log = logFrom([
    human('Please port it.'),
    assistant([
      { type: 'reasoning', text: 'Hm.' },
      { type: 'text', text: 'I read.' },
      call('a', 'Read', { path: 'a.ts', more: ['b.ts'] }),
    ]),
  ])
  const cut = (tail: TailItem[], continuation: Continuation | null = null): PlannedCut => ({
    head: [],
    through: 0,
    tail,
    tailTokens: modelTokens(0),
    continuation,
    previous: undefined,
    standing: modelTokens(0),
    summaryBudget: modelTokens(0),
  })

  it('is what the tail says, and the inputs of its calls', () => {
    const tail: TailItem[] = [
      { type: 'omission', from: 1, to: 1, text: 'left out' },
      { type: 'entry', seq: 1, replacements: [{ how: 'clipped', ref: '1.0', text: 'Please …' }] },
      { type: 'entry', seq: 2 },
      { type: 'entry', seq: 9 },
    ]
    expect(textsBeside(cut(tail), log)).toEqual(['left out', 'Please …', 'I read.', 'a.ts', 'b.ts'])
  })

  it('and what the continuation says', () => {
    const continuation: Continuation = {
      kind: 'mid-task',
      message: { role: 'user', content: 'continue' },
      metadata: { compaction_continue: true },
    }
    expect(textsBeside(cut([{ type: 'entry', seq: 1 }], continuation), log)).toEqual([
      'Please port it.',
      'continue',
    ])
  })
})

describe('the budget of the tail (T8)', () => {
  it('is a quarter of usable, from 2,000 to 8,000, and a part of what is kept', () => {
    expect(seedTailBudget(1_000)).toBe(2_000)
    expect(seedTailBudget(20_001)).toBe(5_000)
    expect(seedTailBudget(200_000)).toBe(8_000)
    expect(tailBudget(200_000, 100_000)).toBe(8_000)
    expect(tailBudget(200_000, 20_000)).toBe(6_000)
    expect(tailBudget(200_000, 10_001)).toBe(3_000)
  })
})
