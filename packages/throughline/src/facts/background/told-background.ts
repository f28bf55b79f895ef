import type { BackgroundFact, Facts } from '../facts.ts'
import type { Seq } from '../../log/entry.ts'

/** The line above what runs in the background, by which the next summary finds it. */
export const backgroundLabel = 'In the background (do not start it again):'

/** How much is said of each piece of running work while there is room. */
const longestTask = 160
const shortestTask = 40
const mostTold = 24

/**
 * What runs in the background and what it is to deliver, and reports that nobody has used yet: lines
 * that code alone writes and no summary may be without. Where all of them would take more than
 * `tokens`, each says less.
 */
export function backgroundLines(
  { background = new Map() }: Pick<Facts, 'background'>,
  { tokens, count }: { tokens: number; count: (text: string) => number },
): string[] {
  const told = [...background.values()].filter(
    ({ state }) => state === 'running' || state === 'delivered',
  )
  if (told.length === 0) return []
  // Work that is waited for comes before work that only runs.
  const newest = [
    ...told.filter(({ kind }) => kind === 'command').slice(-mostTold / 2),
    ...told.filter(({ kind }) => kind !== 'command').slice(-mostTold),
  ].toSorted((one, other) => one.seq - other.seq)
  const gone = told.length - newest.length
  const more = gone === 0 ? [] : [`- (${gone} older ones are left out here.)`]
  const linesOf = (most: number, delivers: boolean): string[] => [
    backgroundLabel,
    ...newest.map((fact) => lineOf(fact, most, delivers)),
    ...more,
  ]
  const lines = linesOf(longestTask, true)
  return count(lines.join('\n')) <= tokens ? lines : linesOf(shortestTask, false)
}

function lineOf(
  { kind, id, task, delivers, outlived, state, seq, endedAt }: BackgroundFact,
  most: number,
  withDelivery: boolean,
): string {
  const said = task.length <= most ? task : `${task.slice(0, most - 1).toWellFormed()}…`
  if (state === 'delivered') {
    return `- ${kind} ${id} has delivered its report [${endedAt}], not used yet: ${said} [${seq}]`
  }
  const to = withDelivery && delivers !== undefined ? `; delivers to ${delivers}` : ''
  const report =
    withDelivery && delivers === undefined && kind === 'agent' ? '; delivers a report' : ''
  const runs = outlived ? 'was running when last seen' : 'is running'
  return `- ${kind} ${id} ${runs}: ${said}${to}${report} [${seq}]`
}

/** Entries with a report that has not been used yet: they must stay. */
export function unusedReports({ background = new Map() }: Pick<Facts, 'background'>): Set<Seq> {
  return new Set(
    [...background.values()].flatMap(({ state, endedAt }: BackgroundFact) =>
      state === 'delivered' && endedAt !== undefined ? [endedAt] : [],
    ),
  )
}

/** A text without such lines: what they say may no longer hold, and code writes those that do. */
export function withoutBackground(text: string): string {
  return text
    .split('\n')
    .filter((each) => each !== backgroundLabel && !line.test(each))
    .join('\n')
}

const line =
  /^- (agent|command|job) (\S{1,120}) (is running|was running when last seen|has delivered its report [^\n:]{1,60}): ([^\n]{1,400}?)(?:; delivers (?:to (\S{1,300})|a report))?(?: \[[^\]\n]{1,60}\])?$/

/** What such lines of an earlier summary say. */
export function backgroundIn(body: string): Omit<BackgroundFact, 'turn' | 'state' | 'seq'>[] {
  const lines = body.split('\n')
  // Code's own lines come after similar lines that a model may have written.
  const start = lines.lastIndexOf(backgroundLabel)
  if (start === -1) return []
  const found: Omit<BackgroundFact, 'turn' | 'state' | 'seq'>[] = []
  for (const each of lines.slice(start + 1)) {
    if (!each.startsWith('- ')) break
    const [, kind, id, state, task, delivers] = line.exec(each) ?? []
    if (kind === undefined || id === undefined || task === undefined) continue
    found.push({
      id,
      kind: kind as BackgroundFact['kind'],
      task,
      ...(delivers !== undefined && { delivers }),
      ...(state === 'was running when last seen' && { outlived: true }),
    })
  }
  return found
}
