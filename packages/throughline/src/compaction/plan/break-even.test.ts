import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { breakEven } from './break-even.ts'
import { cachePrices, pricesOf } from '../../tokens/prices.ts'
import type { Prices } from '../../tokens/price-table.ts'
import { modelTokens } from '../../tokens/units.ts'

const warm = { growth: modelTokens(800), coldShare: 0, isCold: false }
const sonnet = { prices: { input: 3, output: 15 }, model: undefined }
const sizes = { left: modelTokens(20_000), usable: modelTokens(180_000) }

const arbitraryCase = fc.record({
  growth: fc.integer({ min: 10, max: 20_000 }),
  coldShare: fc.double({ min: 0, max: 1, noNaN: true }),
  isCold: fc.boolean(),
  left: fc.integer({ min: 100, max: 50_000 }),
  more: fc.integer({ min: 0, max: 900_000 }),
  input: fc.integer({ min: 1, max: 50 }),
  cacheRead: fc.option(fc.integer({ min: 0, max: 50 }), { nil: undefined }),
})

describe('the size at which compacting costs least', () => {
  it.each([0, 0.2])('is what simulating finds, with a summary for $%s', (summary) => {
    const priced = { ...sonnet, summary }
    const { read, write } = cachePrices(sonnet.prices)
    // Dollars for each of very many requests, one after the other.
    const simulated = (size: number): number => {
      let [dollars, tokens] = [0, 0]
      const requests = 20_000
      for (let request = 0; request < requests; request++) {
        if (request === 0 || tokens + warm.growth > size) {
          tokens = sizes.left
          dollars += write * tokens + summary * 1e6
        } else {
          dollars += read * tokens + write * warm.growth
          tokens += warm.growth
        }
      }
      return dollars / requests
    }
    const { at } = breakEven(priced, warm, sizes)
    const least = Math.min(
      ...[22, 25, 30, 35, 45, 60, 90, 180].map((size) => simulated(size * 1e3)),
    )
    expect(simulated(at)).toBeLessThan(least * 1.03)
    const { dollars, dollarsWhenFull } = breakEven(priced, warm, sizes)
    for (const [told, size] of [
      [dollars, at],
      [dollarsWhenFull, sizes.usable],
    ] as const) {
      expect((told * 1e6) / simulated(size)).toBeGreaterThan(0.9)
      expect((told * 1e6) / simulated(size)).toBeLessThan(1.1)
    }
  })

  it('goes by the prices that are given, else by those of the model, else by usual ones', () => {
    const pricesBy = (prices: Prices | undefined, model: string | undefined) =>
      breakEven({ prices, model }, warm, sizes).prices
    const model = 'claude-opus-4-5'
    expect(pricesBy(sonnet.prices, model)).toEqual(sonnet.prices)
    expect(pricesBy(undefined, model)).toEqual(pricesOf(model))
    for (const unknown of [undefined, 'nobody-knows-it']) {
      expect(pricesBy(undefined, unknown)).toEqual({ input: 3, output: 15 })
    }
  })

  it('is what is usable where reading is free, and least where the cache has just forgotten', () => {
    const free = { prices: { input: 3, output: 15, cacheRead: 0 }, model: undefined }
    expect(breakEven(free, warm, sizes).at).toBe(sizes.usable)
    expect(breakEven(sonnet, { ...warm, isCold: true }, sizes).at).toBe(26_000)
    // A cache that always forgets reads nothing.
    const { write } = cachePrices(sonnet.prices)
    const dear = { ...sonnet, prices: { ...sonnet.prices, cacheRead: write } }
    const forgetful = breakEven(sonnet, { ...warm, coldShare: 1 }, sizes)
    expect(forgetful.at).toBe(breakEven(dear, warm, sizes).at)
    expect(forgetful.at).toBeLessThan(breakEven(sonnet, warm, sizes).at)
  })

  it('costs what a full window costs where nothing less is worth its while', () => {
    const tight = breakEven(sonnet, warm, { ...sizes, usable: modelTokens(21_000) })
    expect(tight).toMatchObject({ at: 21_000, dollars: tight.dollarsWhenFull })
  })

  it('is never above what is usable, and always leaves room for what is kept', () => {
    fc.assert(
      fc.property(arbitraryCase, ({ growth, coldShare, isCold, left, more, input, cacheRead }) => {
        const prices = { input, output: 5 * input, ...(cacheRead !== undefined && { cacheRead }) }
        const usable = modelTokens(left + more)
        const pace = { growth: modelTokens(growth), coldShare, isCold }
        const even = breakEven({ prices, model: undefined }, pace, {
          left: modelTokens(left),
          usable,
        })
        expect(even.at).toBeLessThanOrEqual(usable)
        expect(even.at).toBeGreaterThanOrEqual(left)
        // A tenth of it must go, or it is not worth its while.
        expect(even.at).toBeGreaterThanOrEqual(Math.min(usable, Math.floor(left / 0.9)))
        expect(Number.isFinite(even.dollars)).toBe(true)
        expect(even.dollars).toBeLessThanOrEqual(even.dollarsWhenFull * (1 + 1e-9))
      }),
    )
  })

  it('comes sooner where the cache has forgotten the session, or often does', () => {
    const { at } = breakEven(sonnet, warm, sizes)
    expect(breakEven(sonnet, { ...warm, isCold: true }, sizes).at).toBeLessThan(at)
    expect(breakEven(sonnet, { ...warm, coldShare: 0.2 }, sizes).at).toBeLessThan(at)
  })

  it('knows the prices of well-known models, and the usual ones', () => {
    const known = breakEven({ prices: undefined, model: 'claude-sonnet-4-5' }, warm, sizes)
    expect(known.prices).toMatchObject({ input: 3 })
    expect(breakEven({ prices: undefined, model: 'my-own' }, warm, sizes).at).toBe(known.at)
  })
})
