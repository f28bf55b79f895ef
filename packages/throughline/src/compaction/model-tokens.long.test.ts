import fc from 'fast-check'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { compact } from './compact.ts'
import { measureItems } from './measure/measure.ts'
import { type PlanInput } from './plan/plan.ts'
import { planCompaction } from './plan/plan-compaction.ts'
import { defaultPolicy, type Policy } from './policy.ts'
import { outputTokens, recentStart } from './prune/protected.ts'
import { summaryRoleOf } from './render/summary-block.ts'
import { closedCircuitBreaker } from './summary/with-model/circuit-breaker.ts'
import { contextOf } from '../log/context/context.ts'
import { chronological, type Chronological } from '../log/order.ts'
import { planInputFor } from '../session/once/plan-input.ts'
import { compileErrors } from '../testing/compile-errors.ts'
import { human, logFrom, step, type Drafts } from '../testing/generate/build.ts'
import { runs } from '../testing/generate/runs.ts'
import { sumEstimated, toModel, type ModelTokens } from '../tokens/units.ts'
import type { Entry } from '../log/entry.ts'
import type { Summarizer } from './summary/with-model/summarizer.ts'
import type { Unit } from '../log/steps.ts'
import type { PruneInput } from './prune/prune.ts'

const ratio = fc.double({ min: 0.5, max: 3, noNaN: true })
const window = fc.integer({ min: 8_000, max: 400_000 })
const line = 'export const answer = readTheSource(of, everything) // as it was\n'

/** Work of some turns, whose outputs are of any size. */
const work = fc
  .array(fc.array(fc.integer({ min: 1, max: 200 }), { minLength: 1, maxLength: 25 }), {
    minLength: 1,
    maxLength: 4,
  })
  .map((turns) =>
    logFrom(
      turns.flatMap((outputs, turn): Drafts[] => [
        human(`Go on with part ${turn}.`),
        ...outputs.map((lines, n) =>
          step(`c${turn}-${n}`, 'Read', { file_path: `src/${turn}-${n}.ts` }, line.repeat(lines)),
        ),
      ]),
    ),
  )

function inputOf(
  log: Chronological,
  { context, times, policy }: { context: number; times: number; policy: Policy },
): PlanInput {
  const input = planInputFor(log, { window: { context }, ratio: times, policy })
  return { ...input, trigger: 'manual' }
}

/** Says as much as it may, but for what a repair adds. */
const wordy: Summarizer = {
  name: 'wordy',
  summarize: async ({ template, budget, counter }) => {
    const headings = template.sections.map(({ heading }) => `## ${heading}\nso it is`).join('\n\n')
    const room = budget * 0.95 - 300 - counter.text(headings)
    const text = `${headings}\n${line.repeat(Math.max(room / counter.text(line), 0))}`
    return { text, finish: 'stop' }
  },
}

describe('in tokens of the model, whatever it counts for one of ours', () => {
  it('and in no other: what mixes the units does not compile', () => {
    const folder = fileURLToPath(new URL('does-not-compile', import.meta.url))
    const { asked, found } = compileErrors(folder, 'mixed-units.ts')
    expect(asked.length).toBeGreaterThan(8)
    expect(found).toEqual(asked)
  })

  it('pruning protects no more than the newest outputs worth a quarter of usable', () => {
    let protectedMore = 0
    fc.assert(
      fc.property(work, window, ratio, (log, context, times) => {
        let given: PruneInput | undefined
        const prune: Policy['prune'] = (input) => void (given = input)
        const policy = { ...defaultPolicy, prune, threshold: () => 1 }
        const plan = planCompaction({
          ...inputOf(log, { context, times, policy }),
          trigger: 'auto',
        })
        if (!given) return
        const { units, recentSteps, counter } = given
        const held = (from: readonly Unit[]): ModelTokens => {
          const results = from.flatMap((unit) => (unit.type === 'step' ? unit.results : []))
          return toModel(sumEstimated(results.map((part) => outputTokens(part, counter))), times)
        }
        const newest = units.filter(({ type }) => type === 'step').slice(-recentSteps)
        const most = Math.min(40_000, plan.budget.usable / 4)
        const recent = held(units.slice(recentStart(units, given)))
        if (recent > held(newest)) protectedMore += 1
        expect(recent).toBeLessThanOrEqual(Math.max(most, held(newest)))
      }),
      runs(80),
    )
    expect(protectedMore).toBeGreaterThan(8)
  })

  it('a compaction leaves no more than it may keep', async () => {
    let byWordy = 0
    await fc.assert(
      fc.asyncProperty(
        work,
        fc.integer({ min: 64_000, max: 400_000 }),
        ratio,
        fc.integer({ min: 4_000, max: 24_000 }),
        async (log, context, times, keep) => {
          const policy = { ...defaultPolicy, keep: () => keep, names: () => 0 }
          const input = inputOf(log, { context, times, policy })
          const role = summaryRoleOf(policy)
          const before = measureItems(input.context.items, input.counter, role)
          const options = { now: 0, circuitBreaker: closedCircuitBreaker(), summarizer: wordy }
          const { drafts, report } = await compact(input, options)
          const added = drafts.map((draft, n): Entry => ({ ...draft, seq: log.length + n + 1 }))
          if (report.summarizer === 'wordy') byWordy += 1
          const { items } = contextOf(chronological([...log, ...added]))
          const after = measureItems(items, input.counter, role)
          expect(after).toBe(report.after)
          expect(after).toBeLessThanOrEqual(Math.max(keep, report.action === 'none' ? before : 0))
        },
      ),
      runs(50),
    )
    expect(byWordy).toBeGreaterThan(10)
  })
})
