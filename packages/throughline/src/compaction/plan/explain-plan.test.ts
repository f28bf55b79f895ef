import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { contextOf } from '../../log/context/context.ts'
import { unitsOf } from '../../log/steps.ts'
import { plainCounter } from '../../testing/plain-counter.ts'
import {
  assistant,
  baseBefore,
  call,
  harness,
  human,
  logFrom,
  result,
  step,
  tool,
} from '../../testing/generate/build.ts'
import { counterOf } from '../../tokens/counter.ts'
import { defaultPolicy } from '../policy.ts'
import { factsOf } from '../../facts/facts-of.ts'
import { type PlanInput } from './plan.ts'
import { planCompaction } from './plan-compaction.ts'
import { runs } from '../../testing/generate/runs.ts'
import { summaryAsUser } from '../render/summary-block.ts'
import { explainPlan, plannedItems, type Decided, type PlannedItem } from './explain-plan.ts'

// A message of any size counts 10 for one of ours; the model counts it twice.
const counter = plainCounter((text) => text.length, { message: () => 10, ratio: 2 })
const context = contextOf(
  logFrom([
    human('Old.'),
    {
      kind: 'checkpoint',
      at: 0,
      base: baseBefore,
      summary: 'It was.',
      summarizer: 'other',
      tail: [],
      continuation: null,
      metadata: {},
    },
    human('Go.'),
    harness('Remember.'),
    assistant([call('a', 'Read'), call('b', 'Read'), call('c', 'Bash')]),
    tool(result('a', 'Read', 'x'), result('b', 'Read', 'x'), result('c', 'Bash', 'x')),
    assistant('So.'),
  ]),
)
const rows = (decided: Decided): PlannedItem[] =>
  plannedItems(unitsOf(context.items), decided, { counter, summaryRole: summaryAsUser })

describe('a plan, explained', () => {
  it('names every message, who said it, and its tools, each once', () => {
    const told = rows({ replacements: [] })
    expect(told.map(({ seq, what, tools }) => [seq, what, tools])).toEqual([
      [2, 'summary', undefined],
      [3, 'human', undefined],
      [4, 'harness', undefined],
      [5, 'assistant', ['Read', 'Bash']],
      [6, 'tool', ['Read', 'Bash']],
      [7, 'assistant', undefined],
    ])
    expect(Object.keys(told[5] ?? {})).not.toContain('tools')
    for (const { action, before, after } of told) {
      expect([action, before, after]).toEqual(['kept', 20, 20])
    }
  })

  it('of a pruning tells what is pruned and what is clipped, by ref', () => {
    const told = rows({
      replacements: [
        { how: 'pruned', ref: '6.0', text: '' },
        { how: 'clipped', ref: '6.1', text: 'x' },
        { how: 'clipped', ref: '5.0', input: {} },
      ],
    })
    expect(told.map(({ action, replaced }) => [action, replaced])).toEqual([
      ['kept', undefined],
      ['kept', undefined],
      ['kept', undefined],
      ['clipped', ['5.0']],
      ['pruned', ['6.0', '6.1']],
      ['kept', undefined],
    ])
    expect(told.map(({ after }) => after)).toEqual([20, 20, 20, 20, 20, 20])
  })

  it('of a cut tells what is summarized: the earlier summary is replaced', () => {
    const told = rows({
      tail: [
        { type: 'omission', from: 4, to: 4, text: 'left out' },
        { type: 'entry', seq: 3 },
        { type: 'entry', seq: 5 },
        { type: 'entry', seq: 6, replacements: [{ how: 'clipped', ref: '6.0', text: 'x' }] },
      ],
    })
    expect(told.map(({ action, after }) => [action, after])).toEqual([
      ['replaced', 0],
      ['kept', 20],
      ['summarized', 0],
      ['kept', 20],
      ['clipped', 20],
      ['summarized', 0],
    ])
    expect(Object.keys(told[1] ?? {})).not.toContain('replaced')
  })

  it('tells what a system message of a harness and a repeated request are', () => {
    const said = { kind: 'message', at: 0, origin: 'harness' } as const
    const { items } = contextOf(
      logFrom([
        human('Go.'),
        {
          kind: 'checkpoint',
          at: 0,
          base: baseBefore,
          summary: 'It was.',
          summarizer: 'other',
          tail: [],
          continuation: {
            kind: 'unanswered',
            message: { role: 'user', content: 'Go.' },
            metadata: { compaction_continue: true },
            of: 1,
          },
          metadata: {},
        },
        { ...said, message: { role: 'system', content: 'Be brief.' } },
      ]),
    )
    const told = plannedItems(
      unitsOf(items),
      { replacements: [] },
      { counter, summaryRole: summaryAsUser },
    )
    expect(told.map(({ seq, what }) => [seq, what])).toEqual([
      [2, 'summary'],
      [1, 'note'],
      [3, 'harness'],
    ])
  })

  it('calls a pin a note', () => {
    const { items } = contextOf(
      logFrom([{ kind: 'pin', at: 0, text: 'Be brief.' }, step('a', 'Read', {}, 'x')]),
    )
    const told = plannedItems(unitsOf(items), { tail: [] }, { counter, summaryRole: summaryAsUser })
    expect(told[0]).toEqual({ seq: 1, what: 'note', action: 'replaced', before: 20, after: 0 })
  })
})

describe('every plan', () => {
  const window = { context: 32_000 }
  const real = counterOf({ ratio: 1.3 })
  const big = fc.array(fc.integer({ min: 10, max: 6_000 }), { minLength: 1, maxLength: 12 })

  it('is explained: a row for each message, whose sizes add up to what is measured', () => {
    const seen = new Set<string>()
    fc.assert(
      fc.property(
        big,
        fc.constantFrom('auto', 'manual'),
        fc.boolean(),
        (sizes, trigger, prunes) => {
          const log = logFrom([
            human('Old.'),
            ...sizes.map((size, at) => step(`c${at}`, 'Read', { at }, 'word '.repeat(size))),
          ])
          const context = contextOf(log)
          const facts = factsOf(log)
          const policy = { ...defaultPolicy, ...(!prunes && { prune: () => undefined }) }
          const base = { log, context, facts: () => facts, frame: {}, window, policy, trigger }
          const input: PlanInput = { ...base, counter: real }
          const plan = planCompaction(input)
          seen.add(plan.action)
          const told = explainPlan(plan, context, { counter: real, summaryRole: summaryAsUser })
          expect(told.map(({ seq }) => seq)).toEqual(context.items.map(({ seq }) => seq))
          const before = told.reduce((sum, row) => sum + row.before, 0)
          expect(Math.abs(before - plan.measurement.tokens)).toBeLessThanOrEqual(1)
          for (const row of told) {
            expect(row.after).toBeLessThanOrEqual(row.before)
            if (row.action === 'kept') expect(row.after).toBe(row.before)
            if (row.action === 'summarized') expect(row.after).toBe(0)
          }
          const replaced = told.flatMap((row) => row.replaced ?? [])
          if (plan.action === 'none') {
            expect(told.every(({ action }) => action === 'kept')).toBe(true)
          } else if (plan.action === 'prune') {
            const { replacements, freed } = plan.pruning
            expect(replaced.toSorted()).toEqual(replacements.map(({ ref }) => ref).toSorted())
            expect(told.some(({ action }) => action === 'summarized')).toBe(false)
            const less = told.reduce((sum, row) => sum + row.before - row.after, 0)
            expect(Math.abs(less - freed)).toBeLessThanOrEqual(freed * 0.05 + replacements.length)
          } else {
            const tail = plan.cut.tail.flatMap((item) => (item.type === 'entry' ? [item.seq] : []))
            const kept = told.flatMap(({ seq, action }) => (action === 'summarized' ? [] : [seq]))
            expect(kept).toEqual(tail.toSorted((a, b) => a - b))
          }
        },
      ),
      runs(60),
    )
    expect(seen).toEqual(new Set(['none', 'prune', 'summarize']))
  })
})
