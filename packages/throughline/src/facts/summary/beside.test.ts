import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Beside } from './beside.ts'

test('says of any text whether it stands there, as a search would', () => {
  const words = fc.array(fc.constantFrom('a', 'look', 'src/a.ts', ' ', '\n', '日本', '😀', '.'))
  const text = words.map((all) => all.join(''))
  fc.assert(
    fc.property(fc.array(text), text, fc.nat(60), fc.nat(60), (texts, other, from, length) => {
      const beside = new Beside(texts)
      const all = texts.join('\n')
      expect(beside.text).toBe(all)
      for (const asked of [other, all.slice(from, from + length), `${all.slice(from)}!`]) {
        expect(beside.includes(asked)).toBe(all.includes(asked))
      }
    }),
  )
})
