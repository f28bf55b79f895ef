import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { human, logFrom } from '../testing/generate/build.ts'
import { chronological, entryAt, indexAfter } from './order.ts'
import type { Entry } from './entry.ts'

describe('a log', () => {
  it('refuses entries that are not in order of seq', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.nat(), { minLength: 2, maxLength: 20 }), (seqs) => {
        const log = logFrom(seqs.map((seq) => human(String(seq))))
        const entries = log.map((entry, index) => ({ ...entry, seq: seqs[index] ?? 0 }))
        const sorted = seqs.every((seq, index) => index === 0 || seq > (seqs[index - 1] ?? 0))
        if (sorted) expect(() => chronological(entries)).not.toThrow()
        else expect(() => chronological(entries)).toThrow(/comes after/)
      }),
    )
  })

  it('says which two entries do not stand in order', () => {
    const [first, second] = logFrom([human('a'), human('b')]) as readonly Entry[] as [Entry, Entry]
    for (const [one, other] of [
      [second, first],
      [first, first],
    ] as const) {
      expect(() => chronological([one, other])).toThrow(
        expect.objectContaining({
          code: 'LOG_ORDER',
          before: one.seq,
          seq: other.seq,
          message: `Entry ${other.seq} comes after entry ${one.seq}. A log must be in order of seq: sort the entries, or read them from the store.`,
        }),
      )
    }
  })

  it('finds entries by seq, also where it holds only some of them', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.integer({ min: 1, max: 40 }), { maxLength: 25 }), (some) => {
        const seqs = some.toSorted((one, other) => one - other)
        const log = chronological(seqs.map((seq): Entry => ({ ...(human('x') as Entry), seq })))
        for (let seq = -1; seq <= 42; seq++) {
          expect(entryAt(log, seq)?.seq).toBe(seqs.find((one) => one === seq))
          const after = seqs.findIndex((one) => one > seq)
          expect(indexAfter(log, seq)).toBe(after < 0 ? seqs.length : after)
        }
      }),
    )
  })

  it('finds an entry in few looks, whether it holds all or some', () => {
    const whole = logFrom(Array.from({ length: 4_096 }, () => human('x')))
    const some = chronological(whole.filter(({ seq }) => seq % 3 > 0))
    const looks = (log: readonly Entry[], seq: number): number => {
      let count = 0
      const counted = new Proxy(log, {
        get: (target, name, receiver) => {
          if (typeof name === 'string' && /^\d+$/.test(name)) count += 1
          return Reflect.get(target, name, receiver) as unknown
        },
      })
      expect(entryAt(counted as typeof whole, seq)?.seq).toBe(seq)
      return count
    }
    expect(looks(whole, 3_000)).toBe(2)
    expect(looks(some, 3_001)).toBeLessThan(20)
  })
})
