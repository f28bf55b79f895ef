import type { Part, SpeedRecord } from './page.ts'
import type { Row } from './tell.ts'

/** A ratio whose best round is worse than the worst round on record. */
export interface Worse {
  what: string
  before: number
  now: number
}

/**
 * The ratios that got worse by more than their spread. Milliseconds of another machine say nothing, so
 * only what was measured beside its anchor counts.
 */
export function worseThan(recorded: SpeedRecord, measured: readonly Part[]): Worse[] {
  const before = new Map(recorded.parts.map(({ name, rows }) => [name, byName(rows)]))
  return measured.flatMap(({ name, rows }) =>
    rows.flatMap(({ what, unit, goal, figure }) => {
      const old = before.get(name)?.get(what)?.figure
      if (!old || unit !== '×') return []
      const isWorse = goal && 'least' in goal ? figure.max < old.min : figure.min > old.max
      return isWorse ? [{ what: what.trim(), before: old.median, now: figure.median }] : []
    }),
  )
}

function byName(rows: readonly Row[]): Map<string, Row> {
  return new Map(rows.map((row) => [row.what, row]))
}
