import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { namesWithin, Room } from './room.ts'

const count = (text: string): number => Math.ceil(text.length / 4)

/** Lists the best of some names, and notes how many were asked for. */
function listing(names: readonly string[]) {
  const asked: number[] = []
  const best = (most: number) => {
    asked.push(most)
    const first = names.slice(0, most)
    return {
      length: first.length,
      linesOf: (shown: number) => (shown === 0 ? [] : [first.slice(0, shown).join(' ')]),
    }
  }
  return { asked, best }
}

const name = fc.string({ minLength: 8, maxLength: 60, unit: fc.constantFrom('a', '/', '_') })

describe('as many names as there is room for', () => {
  test('fit, and hardly one more would', () => {
    fc.assert(
      fc.property(
        fc.array(name, { maxLength: 400 }),
        fc.integer({ min: 0, max: 3_000 }),
        (names, tokens) => {
          const room = new Room(tokens, count)
          const [line = ''] = namesWithin(room, listing(names).best)
          const shown = line === '' ? 0 : line.split(' ').length
          expect(line === '' ? 0 : room.cost(line)).toBeLessThanOrEqual(tokens)
          const unused = tokens - (line === '' ? 0 : room.cost(line))
          const longest = 60 / 4 + 1
          if (shown < names.length) expect(unused).toBeLessThan(longest + tokens / 50)
        },
      ),
    )
  })

  test('are asked for, however many more there are', () => {
    const names = Array.from({ length: 100_000 }, (_, at) => `src/module${at}/file.ts`)
    const { asked, best } = listing(names)
    const [line = ''] = namesWithin(new Room(2_000, count), best)
    const shown = line.split(' ').length
    expect(shown).toBeGreaterThan(300)
    expect(Math.max(...asked)).toBeLessThan(3 * shown)
    expect(asked).toHaveLength(1)
  })

  test('of one token each are listed as well', () => {
    const names = Array.from({ length: 5_000 }, (_, at) => `name_${at}`)
    const words = (text: string): number => text.split(/\s+/).filter((word) => word !== '').length
    const [line = ''] = namesWithin(new Room(1_000, words), listing(names).best)
    expect(line.split(' ').length).toBeGreaterThan(980)
  })
})
