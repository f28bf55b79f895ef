import fc from 'fast-check'
import { expect, it } from 'vitest'
import { safeJson } from './target.ts'

it('says exactly what the value holds, in characters that no terminal obeys', () => {
  fc.assert(
    fc.property(fc.jsonValue({ stringUnit: 'binary' }), (value) => {
      const json = safeJson(value)
      expect(json).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/)
      expect(JSON.parse(json)).toEqual(JSON.parse(JSON.stringify(value)))
    }),
  )
})

it('escapes C1 and bidi characters, which JSON lets through', () => {
  expect(safeJson('\x9b\u202e\x7f', 0)).toBe(String.raw`"\u009b\u202e\u007f"`)
})
