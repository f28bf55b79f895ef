import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cachePrices } from '../../tokens/prices.ts'
import { defaultPolicy, type Policy } from '../policy.ts'
import { dollarsARequest } from './prune-alone.ts'
import type { PricedSummarizer } from '../summary/with-model/summarizer.ts'
import { assistant, call, human, logFrom, result, tool } from '../../testing/generate/build.ts'
import { modelTokens } from '../../tokens/units.ts'
import { type Plan, type PlanInput } from './plan.ts'
import { planCompaction } from './plan-compaction.ts'
import { planInputFor } from '../../session/once/plan-input.ts'
import type { EntryDraft } from '../../log/entry.ts'

const prices = { input: 3, output: 15 }
const pace = { growth: modelTokens(500), coldShare: 0, isCold: false }
const due = modelTokens(50_000)

/** Steps that say so much and read so much; a prune takes only what was read. */
function work(steps: number, { read, said }: { read: number; said: number }): EntryDraft[] {
  return Array.from({ length: steps }, (_, at) => [
    assistant([
      { type: 'text', text: `I know file ${at} and what to do about it now. `.repeat(said) },
      call(`c${read}-${at}`, 'Read', { file_path: `src/f${at}.ts` }),
    ]),
    tool(result(`c${read}-${at}`, 'Read', `loop${at}();\n`.repeat(read))),
  ]).flat()
}

/** In a window that has just become full. */
function planned(
  drafts: readonly EntryDraft[],
  { model, full = 1, ...change }: Partial<PlanInput> & { model?: string; full?: number } = {},
): Exclude<Plan, { action: 'none' }> {
  const log = logFrom([human('Find the slow loop.'), ...drafts])
  const asked = { trigger: 'auto', ...(model !== undefined && { model }) } as const
  const { tokens } = planCompaction(
    planInputFor(log, { ...asked, window: { context: 1_000_000 } }),
  ).measurement
  // Three quarters of a window of this size are usable.
  const window = { context: Math.floor(tokens / 0.75 / full) - 10 }
  const plan = planCompaction({ ...planInputFor(log, { ...asked, window }), ...change })
  if (plan.action === 'none') throw new Error(plan.reason)
  return plan
}

const small = work(40, { read: 150, said: 2 })

describe('what a request costs until the next compaction is due', () => {
  it('is what adding up the requests says', () => {
    const { read, write } = cachePrices(prices)
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 45_000 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.double({ min: 0, max: 0.2, noNaN: true }),
        (leaves, share, dollars) => {
          const broken = Math.floor(leaves * share)
          let [sum, requests, size] = [dollars * 1e6 + broken * (write - read), 0, leaves]
          for (; requests === 0 || size < due; requests++, size += pace.growth) {
            sum += read * size + write * pace.growth
          }
          const made = { leaves: modelTokens(leaves), broken: modelTokens(broken), dollars }
          const told = dollarsARequest(made, { prices, pace, due })
          expect((told * 1e6) / (sum / requests)).toBeGreaterThan(0.85)
          expect((told * 1e6) / (sum / requests)).toBeLessThan(1.15)
        },
      ),
    )
  })

  it('grows with what is left, what is broken, what it costs itself, and a cold cache', () => {
    const base = { leaves: modelTokens(20_000), broken: modelTokens(10_000), dollars: 0.01 }
    const course = { prices, pace, due }
    const { leaves, broken } = base
    const least = dollarsARequest(base, course)
    for (const [made, cold] of [
      [{ ...base, leaves: modelTokens(leaves + 5_000) }, 0],
      [{ ...base, broken: modelTokens(broken + 5_000) }, 0],
      [{ ...base, dollars: 0.02 }, 0],
      [base, 0.1],
    ] as const) {
      const dollars = dollarsARequest(made, { ...course, pace: { ...pace, coldShare: cold } })
      expect(dollars).toBeGreaterThan(least)
    }
  })

  it('is finite where the session is as large as it may be', () => {
    const full = { leaves: modelTokens(60_000), broken: modelTokens(60_000), dollars: 0 }
    expect(Number.isFinite(dollarsARequest(full, { prices, pace, due }))).toBe(true)
  })
})

describe('a prune that alone makes enough room', () => {
  const byModel: PricedSummarizer = { prices: { input: 5, output: 25 } }

  it('waits for the summary where code writes it, since that costs less', () => {
    const { action, weighed } = planned(small)
    expect(action).toBe('summarize')
    expect(weighed?.pruned).toBeGreaterThan(weighed?.summarized ?? Infinity)
  })

  it('is done alone where a model’s summary costs more than it saves', () => {
    expect(planned(small, { summarizer: byModel })).toMatchObject({ action: 'prune', how: 'prune' })
    const cheap: PricedSummarizer = { prices: { input: 0.01, output: 0.04 } }
    expect(planned(small, { summarizer: cheap }).action).toBe('summarize')
  })

  it('is done alone where a long beginning stays cached and the session grows fast', () => {
    const talk = work(6, { read: 0, said: 100 })
    const reads = work(8, { read: 1_000, said: 1 })
    expect(planned([...talk, ...reads]).action).toBe('prune')
    expect(planned([...reads, ...talk])).toMatchObject({
      action: 'summarize',
      weighed: { pruned: expect.any(Number) },
    })
  })

  it('takes the cheaper way of asking for the price of a summary', () => {
    const asked = (summarizer: PricedSummarizer): number =>
      planned(small, { summarizer }).weighed?.summarized ?? 0
    expect(asked({ readsLive: true })).toBeLessThan(asked({}))
    expect(asked({ readsLive: true })).toBeGreaterThan(asked({ prices: { input: 0, output: 0 } }))
  })

  it('is done or not as the policy says, whatever it costs', () => {
    const says = (pruneAlone: Policy['pruneAlone']) => ({ ...defaultPolicy, pruneAlone })
    expect(planned(small, { policy: says(() => true) }).action).toBe('prune')
    const asked = { policy: says(() => false), summarizer: byModel }
    expect(planned(small, asked).action).toBe('summarize')
  })

  it('counts all that is left as broken where the cache is cold', () => {
    const warm = planned(small)
    const cold = planned(small, { full: 0.9, cold: 'gap' })
    expect(cold.cold).toBe('gap')
    expect(cold.action).toBe('summarize')
    const more = ({ weighed }: typeof cold) => (weighed?.pruned ?? 0) - (weighed?.summarized ?? 0)
    expect(more(cold)).toBeGreaterThan(more(warm))
  })

  it('goes by the prices of the model, else by usual ones, and says which', () => {
    const weighed = (model?: string) => planned(small, model === undefined ? {} : { model }).weighed
    expect(weighed()?.pricesKnown).toBe(false)
    expect(weighed('nobody-knows-it')).toEqual(weighed())
    expect(weighed('claude-opus-4-5')?.pricesKnown).toBe(true)
    expect(weighed('claude-opus-4-5')?.pruned).toBeGreaterThan(weighed()?.pruned ?? Infinity)
  })
})
