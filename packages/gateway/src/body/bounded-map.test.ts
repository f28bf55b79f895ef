import fc from 'fast-check'
import { expect, it } from 'vitest'
import { BoundedMap } from './bounded-map.ts'

it('a bounded map holds the newest that are within its bounds, and tells of what it lets go', () => {
  const change = fc.record({
    key: fc.constantFrom('a', 'b', 'c', 'd', 'e'),
    bytes: fc.integer({ min: 0, max: 60 }),
    deletes: fc.boolean(),
  })
  fc.assert(
    fc.property(fc.array(change), (changes) => {
      const map = new BoundedMap<{ bytes: number }>({
        bytesOf: ({ bytes }) => bytes,
        mostBytes: 100,
        mostValues: 3,
      })
      let expected: [string, { bytes: number }][] = []
      for (const { key, bytes, deletes } of changes) {
        expected = expected.filter(([other]) => other !== key)
        if (deletes) {
          map.delete(key)
          continue
        }
        const value = { bytes }
        const dropped = map.set(key, value)
        expected.push([key, value])
        const sum = (): number => expected.reduce((all, [, one]) => all + one.bytes, 0)
        const gone: { bytes: number }[] = []
        while (expected.length > 1 && (expected.length > 3 || sum() > 100)) {
          const [first] = expected.splice(0, 1)
          if (first) gone.push(first[1])
        }
        expect(dropped).toEqual(gone)
      }
      expect([...map]).toEqual(expected)
      for (const [key, value] of expected) expect(map.get(key)).toBe(value)
    }),
  )
})

it('a value that grows after it was set is counted as it was then', () => {
  const map = new BoundedMap<{ bytes: number }>({ bytesOf: ({ bytes }) => bytes, mostBytes: 100 })
  const grown = { bytes: 40 }
  map.set('a', grown)
  grown.bytes = 90
  map.delete('a')
  expect(map.set('b', { bytes: 90 })).toEqual([])
  expect(map.set('c', { bytes: 10 })).toEqual([])
  expect(map.set('d', { bytes: 1 })).toEqual([{ bytes: 90 }])
})
