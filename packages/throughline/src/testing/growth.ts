import { expect } from 'vitest'

/** Makes work of this size ready; what it returns is the work that is measured. */
export type WorkOfSize = (size: number) => () => unknown

/** The two sizes that are compared; the large one is at least eight times the small one. */
export interface Sizes {
  small: number
  large: number
}

// Milliseconds: work that takes less cannot be told from noise.
const noise = 10
const attempts = 12

/**
 * How much more processor time one large piece of work takes than as many small ones as make up
 * its size: 1 where the work is linear, `large / small` where it is quadratic. Only this thread's
 * own work counts, so a busy machine changes little; the least of several attempts counts.
 * @example
 * const growth = await growthOf((size) => {
 *   const text = 'a'.repeat(size)
 *   return () => scan(text)
 * }, { small: 10_000, large: 160_000 })
 */
export async function growthOf(work: WorkOfSize, { small, large }: Sizes): Promise<number> {
  const times = large / small
  const [few, many] = [work(small), work(large)]
  // The first run compiles.
  await few()
  let least = Infinity
  for (let attempt = 0; attempt < attempts && least >= times / 4; attempt++) {
    const expected = await processorTime(few, times)
    const taken = await processorTime(many, 1)
    least = Math.min(least, taken / Math.max(expected, noise))
  }
  return least
}

/** Fails where the work grows faster than its size, by far: quadratic work is twice over the limit. */
export async function expectLinear(work: WorkOfSize, sizes: Sizes, name?: string): Promise<void> {
  expect(await growthOf(work, sizes), name).toBeLessThan(sizes.large / sizes.small / 2)
}

async function processorTime(work: () => unknown, times: number): Promise<number> {
  const start = process.threadCpuUsage()
  for (let time = 0; time < times; time++) await work()
  // What the system does for it, it does by pages of memory: that depends on what else is in memory.
  return process.threadCpuUsage(start).user / 1_000
}
