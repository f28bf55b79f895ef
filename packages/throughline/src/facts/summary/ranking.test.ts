import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Ranking } from './ranking.ts'

test('gives the things in the order that sorting gives, whatever is asked for first', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: -5, max: 5 })), fc.nat(20), (values, place) => {
      const things = [...values.keys()]
      const sorted = things.toSorted((a, b) => (values[b] ?? 0) - (values[a] ?? 0))
      const ranking = new Ranking(things, values)
      expect(ranking.at(place)).toBe(sorted[place])
      expect(values.map((_, at) => ranking.at(at))).toEqual(sorted)
      expect(ranking.at(values.length)).toBeUndefined()
    }),
  )
})

test('looks at no more values than are asked for', () => {
  let looks = 0
  const values = new Proxy(
    Array.from({ length: 10_000 }, (_, at) => (at * 7_919) % 10_007),
    {
      get: (all, key, receiver) => {
        looks += 1
        return Reflect.get(all, key, receiver)
      },
    },
  )
  const ranking = new Ranking([...values.keys()], values)
  looks = 0
  for (let place = 0; place < 10; place++) ranking.at(place)
  expect(looks).toBeLessThan(2_000)
  looks = 0
  for (let place = 0; place < 10; place++) ranking.at(place)
  expect(looks).toBe(0)
})
