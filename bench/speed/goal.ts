import type { Spread } from './spread.ts'

/** A figure's goal, and whether its median misses it. */
export function atLeast(goal: number, { median }: Spread): string {
  return median >= goal ? `(goal ≥ ${goal})` : `(goal ≥ ${goal}, MISSED)`
}

export function atMost(goal: number, { median }: Spread): string {
  return median <= goal ? `(goal ≤ ${told(goal)})` : `(goal ≤ ${told(goal)}, MISSED)`
}

function told(goal: number): string {
  return Number.isInteger(goal) ? `${goal}` : `${Number(goal.toFixed(2))}`
}
