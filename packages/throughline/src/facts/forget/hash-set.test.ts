import fc from 'fast-check'
import { expect, test } from 'vitest'
import { addHash, emptyHashes, emptyShortHashes, hasHash, hashOf, shortHashOf } from './hash-set.ts'

const kinds = [
  ['53', emptyHashes, hashOf],
  ['32', emptyShortHashes, shortHashOf],
] as const

test.each(kinds)('a table of numbers of %s bits knows what was added', (_, empty, hash) => {
  fc.assert(
    fc.property(fc.array(fc.string(), { maxLength: 300 }), fc.string(), (texts, other) => {
      const table = empty()
      const known = new Set<number>()
      for (const text of texts) {
        const number = hash(text)
        expect(addHash(table, number)).toBe(!known.has(number))
        known.add(number)
      }
      for (const number of known) expect(hasHash(table, number)).toBe(true)
      expect(hasHash(table, hash(other))).toBe(known.has(hash(other)))
      expect(table.size).toBe(known.size)
    }),
  )
})

test('a table of many takes few bytes for each, and survives a copy', () => {
  const table = emptyShortHashes()
  for (let at = 0; at < 50_000; at++) addHash(table, shortHashOf(`src/file${at}.ts`))
  expect(table.slots.byteLength / table.size).toBeLessThan(11)
  const copy = structuredClone(table)
  expect(hasHash(copy, shortHashOf('src/file7.ts'))).toBe(true)
  expect(hasHash(copy, shortHashOf('src/file.ts'))).toBe(false)
})
