import { describe, expect, test } from 'vitest'
import { assistant, call, human, logFrom, result, tool } from '../../testing/generate/build.ts'
import { budgetOf } from '../plan/budget.ts'
import { contextOf } from '../../log/context/context.ts'
import { counterOf } from '../../tokens/counter.ts'
import { defaultPolicy } from '../policy.ts'
import { factsOf } from '../../facts/facts-of.ts'
import { measure } from '../measure/measure.ts'
import { modelTokens, type ModelTokens } from '../../tokens/units.ts'
import { planPreparation } from './prepare.ts'
import { summaryRoleOf } from '../render/summary-block.ts'
import type { Drafts } from '../../testing/generate/build.ts'
import type { PlanInput } from '../plan/plan.ts'

const window = { context: 60_000 }
const counter = counterOf({ ratio: 1 })
// What is said stays: nothing can be pruned instead.
const policy = { ...defaultPolicy, prune: () => undefined }
const { usable, lowWater, keep } = budgetOf(policy, window, modelTokens(0))

function inputOf(drafts: Drafts[]): PlanInput {
  const log = logFrom(drafts)
  const facts = factsOf(log)
  const context = contextOf(log)
  const frame = {}
  return { log, context, facts: () => facts, frame, window, policy, counter, trigger: 'auto' }
}

function sizeOf({ context, frame }: PlanInput): ModelTokens {
  return measure(context, frame, counter, summaryRoleOf(policy)).tokens
}

/** A step whose result has so many tokens, and few besides. */
function step(id: number, tokens: number): Drafts {
  const perWord = counter.text('word '.repeat(1_000)) / 1_000
  const output = 'word '.repeat(tokens / perWord)
  return [assistant([call(`c${id}`, 'run', { id })]), tool(result(`c${id}`, 'run', output))]
}

/** A session of about this size whose newest step has so many tokens. */
function sessionOf(size: number, newest: number): PlanInput {
  const first = human('Run all of them.')
  const newestStep = step(0, newest)
  const filler = counter.text(JSON.stringify(step(1, 500)))
  let count = Math.floor((size - newest) / filler)
  for (;;) {
    const input = inputOf([
      first,
      Array.from({ length: count }, (_, at) => step(at + 1, 500)),
      newestStep,
    ])
    if (sizeOf(input) >= size) return input
    count += 2
  }
}

describe('a preparation', () => {
  test('leaves room for all that may come: what is missing until it is due, and one step like the newest', () => {
    for (const newest of [200, 4_000, 8_000]) {
      const input = sessionOf(usable * 0.85, newest)
      const plan = planPreparation(input)
      const untilDue = usable - sizeOf(input)
      expect(plan?.budget.keep).toBeLessThanOrEqual(lowWater - untilDue - newest)
      expect(plan?.budget.keep).toBeGreaterThan(keep / 4)
      expect(plan?.cut.tailTokens).toBeLessThanOrEqual(plan?.budget.keep ?? 0)
    }
  })

  test('keeps less where the newest step is larger', () => {
    const [small, large] = [200, 8_000].map((newest) =>
      planPreparation(sessionOf(usable * 0.8, newest)),
    )
    const difference = (small?.budget.keep ?? 0) - (large?.budget.keep ?? 0)
    expect(difference).toBeGreaterThan(3_000)
  })

  test('waits until a quarter of what a compaction keeps is left, and is made from there on', () => {
    const early = sessionOf(usable * 0.72, 10_000)
    expect(sizeOf(early)).toBeGreaterThan(policy.prepareAt(usable))
    expect(planPreparation(early)).toBeUndefined()
    // The same step, with less still to come.
    const late = sessionOf(usable * 0.9, 10_000)
    expect(planPreparation(late)?.budget.keep).toBeGreaterThanOrEqual(keep / 4)
  })

  test('is not made before it is time, nor where a compaction is due already', () => {
    expect(planPreparation(sessionOf(usable * 0.6, 200))).toBeUndefined()
    expect(planPreparation(sessionOf(usable * 1.05, 200))).toBeUndefined()
  })

  test('is not made where no compaction could make the context fit', () => {
    // Pins stay whole in every context, and a summary says the human's rules once more.
    const rules = Array.from({ length: 30 }, (_, at) => `Never touch the folder vendor${at}.`)
    const pinned = (words: number): PlanInput => {
      const pin = { kind: 'pin', at: 0, text: 'word '.repeat(words) } as const
      const input = inputOf([
        human(rules.join('\n')),
        pin,
        Array.from({ length: 6 }, (_, at) => step(at, 4)),
      ])
      return {
        ...input,
        policy: {
          ...policy,
          tail: () => 0,
          lowWater: (most) => most,
          standing: (most) => most * 2,
        },
      }
    }
    const perWord = counter.text('word '.repeat(1_000)) / 1_000
    const besides = sizeOf(pinned(0))
    const sized = (size: number): PlanInput => pinned(Math.floor((size - besides) / perWord))
    const full = sized(usable - 30)
    expect(sizeOf(full)).toBeLessThan(usable)
    expect(planPreparation(full)).toBeUndefined()
    const roomy = sized(usable - 600)
    expect(planPreparation(roomy)?.floor.total).toBeLessThanOrEqual(usable)
  })
})
