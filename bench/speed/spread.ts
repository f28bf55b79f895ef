/** A figure over several rounds of one run. */
export interface Spread {
  median: number
  min: number
  max: number
}

export function spreadOf(values: readonly number[]): Spread {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  return {
    median: sorted[middle] ?? Number.NaN,
    min: sorted[0] ?? Number.NaN,
    max: sorted.at(-1) ?? Number.NaN,
  }
}

export function printSpread({ median, min, max }: Spread, digits = 2): string {
  return `${median.toFixed(digits)} [${min.toFixed(digits)}–${max.toFixed(digits)}]`
}
