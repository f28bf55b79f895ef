import { atLeast, atMost } from './goal.ts'
import { printSpread, type Spread } from './spread.ts'

/** A figure of speed, beside its goal and beside the best that this machine could do. */
export interface Row {
  what: string
  figure: Spread
  unit: string
  goal?: { most: number } | { least: number }
  /** Measured in the same run, or what nobody can go below; in the same unit. */
  limit?: { figure: Spread; what: string }
  /** Digits behind the point; two by default. */
  digits?: number
}

const told: Row[] = []

/** All that has been told in this process, in order. */
export function toldRows(): readonly Row[] {
  return told
}

/** Prints a figure, and remembers it for the page. */
export function tell(row: Row): void {
  told.push(row)
  const { what, figure, unit, goal, limit, digits } = row
  const met = goal && ('most' in goal ? atMost(goal.most, figure) : atLeast(goal.least, figure))
  console.log(`${what}: ${printSpread(figure, digits)} ${unit}${met ? ` ${met}` : ''}`)
  if (limit) {
    console.log(`  at best ${printSpread(limit.figure, digits)} ${unit}: ${limit.what}`)
  }
}

/** A limit that is no measurement. */
export function exactly(value: number): Spread {
  return { median: value, min: value, max: value }
}
