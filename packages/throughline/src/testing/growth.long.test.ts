import { describe, expect, it } from 'vitest'
import { expectLinear, growthOf, type WorkOfSize } from './growth.ts'

/** Looks at every item once. */
const linear: WorkOfSize = (size) => () => {
  let sum = 0
  for (let item = 0; item < size * 1_000; item++) sum = (sum + item) % 7
  return sum
}

/** Looks back over all items at each, for a while. */
const quadratic: WorkOfSize = (size) => () => {
  let sum = 0
  for (let item = 0; item < size; item++) {
    for (let earlier = 0; earlier < size * 8; earlier++) sum = (sum + earlier) % 7
  }
  return sum
}

const sorting: WorkOfSize = (size) => {
  const items = Array.from({ length: size }, (_, item) => (item * 7_919) % 104_729)
  return () => items.toSorted((a, b) => a - b)
}

describe('work that grows', () => {
  it('with its size passes', async () => {
    await expectLinear(linear, { small: 500, large: 8_000 })
    await expectLinear(sorting, { small: 5_000, large: 80_000 })
  })

  it('with the square of its size fails', async () => {
    const sizes = { small: 250, large: 2_000 }
    await expect(expectLinear(quadratic, sizes)).rejects.toThrow('less than')
  })

  it('is measured as well where it waits', async () => {
    const waiting: WorkOfSize = (size) => async () => {
      await new Promise((resolve) => setTimeout(resolve, 1))
      return quadratic(size)()
    }
    const sizes = { small: 250, large: 2_000 }
    expect(await growthOf(waiting, sizes)).toBeGreaterThan(4)
  })

  it('and is too small to be measured is not judged', async () => {
    await expectLinear(quadratic, { small: 10, large: 160 })
  })
})
