import { timeOf } from '../../json/fields.ts'

/** Earlier than this, in milliseconds, no model was asked: a smaller number counts seconds. */
const earliest = 100_000_000_000

/** A point in time in milliseconds since 1970, from an ISO text, from milliseconds or from seconds. */
export function clockTime(value: unknown): number | undefined {
  const time = timeOf(value)
  if (time === undefined || typeof value !== 'number') return time
  return Math.abs(time) < earliest ? Math.round(time * 1000) : time
}
