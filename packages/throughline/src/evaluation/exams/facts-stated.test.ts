import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { factsStated } from './facts-stated.ts'
import type { ExamFact } from './exam.ts'

const fact = (keys: string[][], within = 40): ExamFact => {
  return { id: '1', kind: 'recall', fact: '', where: '', keys, within }
}
const states = (text: string, one: ExamFact): boolean =>
  factsStated({ facts: [one] }, text).length > 0

describe('a text states a fact', () => {
  const kept = fact([['cache'], ['ten minutes', '10 min'], ['because', 'since']], 43)

  it('if one stretch holds a key of every group, in any order, whatever the marks and the case', () => {
    expect(states('**Because** of load the `Cache` lives\n ten  minutes.', kept)).toBe(true)
    expect(states('10 MIN cache, since', kept)).toBe(true)
  })

  it('not if the words stand too far apart, and not if one of them is missing', () => {
    expect(states(`cache ten minutes ${'x'.repeat(43)} because`, kept)).toBe(false)
    expect(states('cache ten minutes', kept)).toBe(false)
  })

  it('not by a list of names alone', () => {
    const named = fact([['src/cache.ts'], ['ttl'], ['raised', 'doubled']], 200)
    expect(states('src/cache.ts src/ttl.ts src/index.ts', named)).toBe(false)
    expect(states('`src/cache.ts`: TTL doubled', named)).toBe(true)
  })

  it('if a pattern between slashes matches', () => {
    const pattern = fact([['/drop(ped)? the \\w+/'], ['lock']])
    expect(states('Dropped the old lock', pattern)).toBe(true)
    expect(states('Kept the old lock', pattern)).toBe(false)
  })

  it('where trying every stretch finds it, and nowhere else', () => {
    const word = fc.constantFrom('a', 'bb', 'ccc', 'a bb', '.', 'dddd')
    fc.assert(
      fc.property(
        fc.array(word, { maxLength: 14 }),
        fc.array(fc.array(word, { minLength: 1, maxLength: 2 }), { minLength: 1, maxLength: 3 }),
        fc.integer({ min: 1, max: 20 }),
        (words, keys, within) => {
          const text = words.join(' ')
          const stretches = Array.from(text, (_, at) => text.slice(at, at + within))
          const expected = stretches.some((stretch) =>
            keys.every((group) => group.some((key) => stretch.includes(key))),
          )
          expect(states(text, fact(keys, within))).toBe(expected)
        },
      ),
    )
  })
})
