import { timeOf } from '../../json/fields.ts'

/** An event's time. OpenHands writes no time zone: the same file must mean the same anywhere. */
export function eventTime(value: unknown): number | undefined {
  if (typeof value !== 'string') return timeOf(value)
  const zoned = value.endsWith('Z') || /[+-]\d\d:?\d\d$/.test(value.slice(-6))
  return timeOf(zoned ? value : `${value}Z`)
}
