import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { runs } from '../testing/generate/runs.ts'
import { costMeter, type PricedRequest } from './session-cost.ts'

const prices = { input: 3, output: 15 }
const minute = 60_000

/** A piece of as many million tokens as its letter is repeated. */
function request(at: number, letters: string, output = 0): PricedRequest {
  const prompt = letters
    .split(' ')
    .filter((word) => word !== '')
    .map((word) => ({ key: word, tokens: word.length * 1_000_000 }))
  return { at, prompt, output }
}

function dollarsOf(...requests: PricedRequest[]): number[] {
  const meter = costMeter(prices)
  return requests.map((each) => Number(meter.add(each).dollars.toFixed(6)))
}

describe('a sequence of requests costs what its provider would charge', () => {
  it('writes all of the first prompt to the cache at 1.25 times the price of input', () => {
    expect(dollarsOf(request(0, 'aa b', 1_000_000))).toEqual([3 * 3 * 1.25 + 15])
  })

  it('reads the same prompt at a tenth a minute later', () => {
    const system = { key: 'system', tokens: 1_000_000 }
    const meter = costMeter({ input: 3, output: 15 })
    expect(meter.add({ at: 0, prompt: [system], output: 0 }).dollars).toBe(3.75)
    const later = { at: minute, prompt: [system], output: 0 }
    expect(meter.priceOf(later).dollars).toBeCloseTo(0.3, 12)
    expect(meter.total().dollars).toBe(3.75)
    expect(meter.add(later).dollars).toBeCloseTo(0.3, 12)
  })

  it('reads an unchanged beginning at a tenth, and writes what is new', () => {
    expect(dollarsOf(request(0, 'aa b'), request(minute, 'aa b ccc'))).toEqual([
      11.25,
      // 3 read at 0.3, 3 written at 3.75
      3 * 0.3 + 3 * 3.75,
    ])
  })

  it('reads nothing behind a piece that changed, as after a compaction', () => {
    expect(dollarsOf(request(0, 's aa b'), request(minute, 's xx b'))).toEqual([
      4 * 3.75,
      1 * 0.3 + 3 * 3.75,
    ])
  })

  it('forgets what was not used for five minutes, and keeps what was', () => {
    expect(
      dollarsOf(
        request(0, 'a b'),
        request(4 * minute, 'a'),
        request(8 * minute, 'a b'),
        request(13 * minute, 'a b'),
        request(18 * minute + 1, 'a b'),
      ),
    ).toEqual([7.5, 0.3, 0.3 + 3.75, 0.6, 7.5])
  })

  it('finds an older beginning again where the human went back to it', () => {
    expect(dollarsOf(request(0, 'a b'), request(1, 'a c'), request(2, 'a b d'))).toEqual([
      7.5,
      0.3 + 3.75,
      0.6 + 3.75,
    ])
  })

  it('takes the prices of the cache where they are given', () => {
    const own = { ...prices, cacheRead: 1, cacheWrite: 3 }
    const meter = costMeter(own)
    meter.add(request(0, 'a'))
    meter.add(request(1, 'a b', 2_000_000))
    const { dollars, usage, requests } = meter.total()
    expect(dollars).toBe(3 + 1 + 3 + 30)
    expect(requests).toBe(2)
    expect(usage).toEqual({
      inputTokens: 3_000_000,
      outputTokens: 2_000_000,
      cacheReadTokens: 1_000_000,
      cacheWriteTokens: 2_000_000,
    })
  })

  it('charges the price of input for everything where there is no cache', () => {
    const meter = costMeter(prices, { life: 0 })
    meter.add(request(0, 'a'))
    meter.add(request(0, 'a b'))
    const { dollars, usage } = meter.total()
    expect(dollars).toBe(9)
    expect(usage).toMatchObject({ cacheReadTokens: 0, cacheWriteTokens: 0 })
  })

  it('reads what the longest common beginning with a request still in the cache holds', () => {
    const piece = fc.constantFrom('a', 'b', 'cc')
    const anyRequest = fc.record({ words: fc.array(piece, { maxLength: 6 }), wait: fc.nat(4) })
    fc.assert(
      fc.property(fc.array(anyRequest, { maxLength: 12 }), (given) => {
        let at = 0
        const requests = given.map(({ words, wait }) =>
          request((at += wait * 2 * minute), words.join(' ')),
        )
        const meter = costMeter(prices)
        const usedAt = new Map<string, number>()
        for (const each of requests) {
          const beginnings = each.prompt.map((_, end) =>
            each.prompt
              .slice(0, end + 1)
              .map(({ key }) => key)
              .join(' '),
          )
          const lost = beginnings.findIndex(
            (words) => each.at - (usedAt.get(words) ?? -Infinity) > 5 * minute,
          )
          const read = each.prompt
            .slice(0, lost === -1 ? undefined : lost)
            .reduce((sum, { tokens }) => sum + tokens, 0)
          for (const words of beginnings) usedAt.set(words, each.at)
          expect(meter.add(each).usage.cacheReadTokens).toBe(read)
        }
      }),
      runs(200),
    )
  })
})
