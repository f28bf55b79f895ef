import type { Spread } from './spread.ts'

/** What a figure was to be, and whether its median is not. */
export function atLeast(goal: number, { median }: Spread): string {
  return median >= goal ? `(goal ≥ ${goal})` : `(goal ≥ ${goal}, MISSED)`
}

export function atMost(goal: number, { median }: Spread): string {
  return median <= goal ? `(goal ≤ ${goal})` : `(goal ≤ ${goal}, MISSED)`
}
