import fc from 'fast-check'
import { expect, it } from 'vitest'
import { FairShares } from './fair-shares.ts'

it('leave something for whoever comes next, however much the others take', () => {
  const limit = 1_024
  const ask = fc.record({ who: fc.nat(3), amount: fc.integer({ min: 1, max: limit }) })
  fc.assert(
    fc.property(fc.array(ask, { maxLength: 40 }), (asks) => {
      const shares = new FairShares(() => limit)
      let taken = 0
      for (const { who, amount } of asks) {
        if (shares.take(`${who}`, amount)) taken += amount
      }
      expect(taken).toBeLessThan(limit)
      expect(shares.take('another', Math.ceil((limit - taken) / 2))).toBe(true)
    }),
  )
})

it('that are given back can be taken again', () => {
  const shares = new FairShares(() => 100)
  expect([shares.take('a', 50), shares.take('a', 1)]).toEqual([true, false])
  shares.give('a', 50)
  expect(shares.take('a', 50)).toBe(true)
})

it('are whole: the only one may be taken', () => {
  expect(new FairShares(() => 1).take('a', 1)).toBe(true)
})
