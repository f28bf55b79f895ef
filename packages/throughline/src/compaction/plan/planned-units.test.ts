import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { logFrom } from '../../testing/generate/build.ts'
import { arbitraryOddLog } from '../../testing/generate/odd-log.ts'
import { arbitrarySession } from '../../testing/generate/session.ts'
import { runs } from '../../testing/generate/runs.ts'
import { advanceContext, emptyContext } from '../../log/context/context.ts'
import { divideAhead, keptUnits } from '../../log/context/kept-units.ts'
import { copyOfItems } from '../../log/context/known-items.ts'
import { surveyOf } from '../../log/context/items-of.ts'
import { tailKept } from '../../log/context/kept-reasoning.ts'
import { modelOrder } from '../../log/order.ts'
import { unitsOf } from '../../log/steps.ts'
import { droppedBetween } from './dropped-between.ts'
import type { EntryDraft } from '../../log/entry.ts'

const drafts: fc.Arbitrary<readonly EntryDraft[]> = fc.oneof(arbitraryOddLog, arbitrarySession())

describe('what is found out about a context while it grows', () => {
  test('is what is found out about it at once, after any of its entries', () => {
    fc.assert(
      fc.property(drafts, fc.array(fc.boolean(), { minLength: 1, maxLength: 7 }), (said, asks) => {
        const log = logFrom(said)
        const context = emptyContext()
        for (const [at, { seq }] of log.entries()) {
          advanceContext(context, log, seq)
          const { items, reasoning } = context
          if (asks[at % asks.length] === true) divideAhead(items, reasoning)
          if (asks[(at + 1) % asks.length] === true) continue
          const fresh = modelOrder(items.slice())
          expect(keptUnits(items, reasoning)).toEqual(
            unitsOf(modelOrder(tailKept(fresh, reasoning))),
          )
          expect(surveyOf(items)).toEqual(surveyOf(fresh))
          const kept = modelOrder(items.slice(-3))
          expect(droppedBetween(items, kept, ['skill'])).toEqual(
            droppedBetween(fresh, kept, ['skill']),
          )
        }
      }),
      runs(60),
    )
  })

  test('stays as it is in a copy while the context grows', () => {
    fc.assert(
      fc.property(drafts, fc.nat(), (said, place) => {
        const log = logFrom(said)
        const context = emptyContext()
        advanceContext(context, log, log[place % Math.max(log.length, 1)]?.seq ?? 0)
        const { items, reasoning } = context
        const none = modelOrder([])
        const before = [
          keptUnits(items, reasoning),
          surveyOf(items),
          droppedBetween(items, none, []),
        ]
        const then = structuredClone(before)
        const copy = copyOfItems(items)
        const units = keptUnits(items, reasoning)
        advanceContext(context, log)
        divideAhead(context.items, context.reasoning)
        surveyOf(context.items)
        droppedBetween(context.items, none, [])
        expect([units, surveyOf(copy), droppedBetween(copy, none, [])]).toEqual(then)
      }),
      runs(60),
    )
  })
})
