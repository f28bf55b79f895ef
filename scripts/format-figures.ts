/** What a recorded run has shown of a format. */
export interface FormatFigures {
  format: string
  fuzzed?: { records: number; date: string }
  roundTrip?: { sessions: number; date: string }
}

interface Figure {
  what: string
  format?: string
  count: number
}

/** The figures that tests have left, a line each, in place of those of earlier runs. */
export function figuresIn(
  lines: string,
  date: string,
  before: readonly FormatFigures[],
): FormatFigures[] {
  const figures = new Map(before.map((one) => [one.format, one]))
  for (const line of lines.trim().split('\n')) {
    const { what, format, count } = JSON.parse(line) as Figure
    if (format === undefined) continue
    const own = figures.get(format) ?? { format }
    const added =
      what === 'fuzzed'
        ? { fuzzed: { records: count, date } }
        : { roundTrip: { sessions: count, date } }
    figures.set(format, { ...own, ...added })
  }
  return [...figures.values()].toSorted((a, b) => a.format.localeCompare(b.format))
}

/** What runs that attack the store have counted. */
export type AttackFigures = Record<string, { count: number; date: string }>

/** The figures that belong to no format, each added up, in place of those of earlier runs. */
export function attacksIn(lines: string, date: string, before: AttackFigures): AttackFigures {
  const counted: AttackFigures = {}
  for (const line of lines.trim().split('\n')) {
    const { what, format, count } = JSON.parse(line) as Figure
    if (format === undefined) counted[what] = { count: (counted[what]?.count ?? 0) + count, date }
  }
  return { ...before, ...counted }
}
