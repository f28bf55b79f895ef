import { timeOf } from '../../json/fields.ts'

/** No model existed before this time in milliseconds, so a smaller number counts seconds. */
const earliest = 100_000_000_000

/** A point in time in milliseconds since 1970, from an ISO text, milliseconds or seconds. */
export function clockTime(value: unknown): number | undefined {
  const time = timeOf(value)
  if (time === undefined || typeof value !== 'number') return time
  return Math.abs(time) < earliest ? Math.round(time * 1000) : time
}
