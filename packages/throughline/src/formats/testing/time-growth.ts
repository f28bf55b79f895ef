import { expect } from 'vitest'
import type { Format } from '../format.ts'

/** Records by their place, and how many such places there are. */
export type RecordsAt = (index: number, count: number) => readonly unknown[]

/** Fails if reading takes longer than its records grow: a reader that looks back would show. */
export function expectLinear(format: Format, records: RecordsAt): void {
  // In milliseconds of this thread's own work.
  const measure = (count: number): number => {
    const all = Array.from({ length: count }, (_, index) => records(index, count)).flat()
    const start = process.threadCpuUsage()
    const reader = format.reader()
    for (const record of all) reader.push(record)
    reader.end()
    const { user, system } = process.threadCpuUsage(start)
    return (user + system) / 1000
  }
  const isLinear = (): boolean => {
    const few = Math.min(measure(2000), measure(2000))
    // Eight times the records: quadratic work would take sixty-four times as long.
    return measure(16_000) < 24 * few + 100
  }
  // What the machine does beside slows one attempt down, but not all of them.
  expect([1, 2, 3, 4].some(isLinear)).toBe(true)
}
