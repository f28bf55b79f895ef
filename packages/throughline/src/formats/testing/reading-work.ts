import type { Format } from '../format.ts'
import type { WorkOfSize } from '../../testing/growth.ts'

/** Records by their place, and how many such places there are. */
export type RecordsAt = (index: number, count: number) => readonly unknown[]

/** The work of a reader on so many records: one that looks back over them would show. */
export function readingWork(format: Format, records: RecordsAt): WorkOfSize {
  return (count) => {
    const all = Array.from({ length: count }, (_, index) => records(index, count)).flat()
    return () => {
      const reader = format.reader()
      for (const record of all) reader.push(record)
      reader.end()
    }
  }
}

/** Quadratic work on so many records takes a second or more. */
export const recordCounts = { small: 2_000, large: 16_000 }
