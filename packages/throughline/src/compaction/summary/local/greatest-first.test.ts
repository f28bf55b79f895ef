import fc from 'fast-check'
import { expect, test } from 'vitest'
import { greatestFirst } from './greatest-first.ts'

test('gives the positions that sorting gives, as many as are asked for', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: -5, max: 5 })), fc.nat(20), (values, most) => {
      const sorted = [...values.keys()].sort((a, b) => (values[b] ?? 0) - (values[a] ?? 0))
      expect([...greatestFirst(values)]).toEqual(sorted)
      const first: number[] = []
      for (const position of greatestFirst(values)) {
        if (first.length === most) break
        first.push(position)
      }
      expect(first).toEqual(sorted.slice(0, most))
    }),
  )
})
