import type { Result, SeriesResult } from 'throughline/evaluation'

/** What must be reached, by what is kept. The names of a bare list reach more, but no reader. */
const forwardNeedGoals = new Map([
  [3_000, 0.6],
  [8_000, 0.88],
  [12_000, 0.93],
])

/** Says in words which goals a compactor misses; nothing if it reaches them all. */
export function missedGoals(results: readonly Result[], series: readonly SeriesResult[]): string[] {
  return [...results.flatMap(missedAtCuts), ...series.flatMap(missedInSeries)]
}

function missedAtCuts(result: Result): string[] {
  const { keep, forwardNeed, trail, invented, orphans, over } = result
  const goal = forwardNeedGoals.get(keep) ?? 0
  const at = `at ${keep / 1_000}k`
  return [
    forwardNeed.mean < goal &&
      `forward need ${at}: ${percent(forwardNeed.mean)}, goal ${percent(goal)}`,
    trail.right < trail.changed &&
      `artifact trail ${at}: ${trail.right} of ${trail.changed}: ${some(trail.missed)}`,
    invented.length > 0 && `invented paths ${at}: ${some(invented)}`,
    orphans > 0 && `orphan calls or results ${at}: ${orphans}`,
    over > 0 && `contexts over the cap ${at}: ${over}`,
  ].filter((problem) => problem !== false)
}

/** A few of many, for a person to look at; --json has them all. */
function some(items: readonly string[]): string {
  const shown = 6
  const more = items.length > shown ? `, and ${items.length - shown} more` : ''
  return items.slice(0, shown).join(', ') + more
}

function missedInSeries({ keep, after }: SeriesResult): string[] {
  return after
    .filter(({ rules }) => rules < 1)
    .map(
      ({ rounds, rules }) =>
        `rules at ${keep / 1_000}k after ${rounds} compactions: ${percent(rules)}`,
    )
}

export function percent(share: number): string {
  return `${(share * 100).toFixed(share === 1 || share === 0 ? 0 : 1)}%`
}
