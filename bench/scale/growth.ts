/** What was measured at one size, by the name of the figure. */
export interface Point {
  size: number
  figures: Readonly<Record<string, number>>
}

/** Something that grows: measured at a few sizes, wanted at one that is too large to measure. */
export interface Growth {
  /** What there is more and more of: "sessions". */
  of: string
  wanted: number
  points: readonly Point[]
  /** The figures of work that looks at everything. All others look at one, however many there are. */
  ofAll: readonly string[]
}

/**
 * What a figure of work that looks at everything would be at the wanted size: each further one takes
 * what it took between the last two sizes. What became less was noise, and stays as it is.
 */
export function expectedOf({ points, wanted }: Growth, figure: string): number {
  const [before, last] = points.slice(-2)
  const [from, to] = [before?.figures[figure], last?.figures[figure]]
  if (!before || !last || from === undefined || to === undefined) return Number.NaN
  const each = Math.max(0, to - from) / (last.size - before.size)
  return to + each * (wanted - last.size)
}

/** The median of what `work` takes in milliseconds; each round gets its number. */
export async function medianTime(
  rounds: number,
  work: (round: number) => Promise<unknown>,
): Promise<number> {
  const times: number[] = []
  for (let round = 0; round < rounds; round++) {
    const begun = performance.now()
    await work(round)
    times.push(performance.now() - begun)
  }
  return times.toSorted((a, b) => a - b)[Math.floor(rounds / 2)] ?? Number.NaN
}
