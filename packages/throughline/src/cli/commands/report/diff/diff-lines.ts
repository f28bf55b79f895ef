import { sanitize, sanitizeLine } from '../../../../log/sanitize.ts'
import { clipWords, wrap } from '../../../terminal/columns.ts'
import { counted, withThousands } from '../../../terminal/numbers.ts'
import type { Paint } from '../../../terminal/colour.ts'
import type { Difference, Seen } from './compare.ts'

/** One of the two contexts that are compared. */
export interface Side {
  name: string
  seen: readonly Seen[]
  /** Of all of it, as other commands count it. */
  tokens: number
}

// Of things that all went or came one after another, so many are shown at each end.
const shownAtEnds = 3
// Of a summary, so many lines.
const shownOfSummary = 20

/** What differs between two contexts, for a reader. */
export function diffLines(
  sides: { before: Side; after: Side },
  differences: readonly Difference[],
  { all, width, paint }: { all: boolean; width: number; paint: Paint },
): string[] {
  const lines: string[] = [
    ...wrap(`- ${sideText(sides.before)}`, width).map((line) => paint('red', line)),
    ...wrap(`+ ${sideText(sides.after)}`, width).map((line) => paint('green', line)),
    '',
  ]
  for (const run of runsOf(differences)) {
    const [first] = run
    if (first?.type === 'same') lines.push(paint('dim', clipWords(`  ${sameText(run)}`, width)))
    else {
      const { shown, hidden } = all ? { shown: run, hidden: 0 } : shortened(run)
      for (const [index, each] of shown.entries()) {
        if (hidden > 0 && index === shownAtEnds) lines.push(hiddenText(run, hidden, paint))
        lines.push(...lineOf(each, width, paint, all))
      }
    }
  }
  return lines
}

function sideText({ name, seen, tokens }: Side): string {
  return `${name}: ${counted(seen.length, 'message')}, ${withThousands(tokens)} tokens`
}

/** What stands one after another and differs in the same way. */
function runsOf(differences: readonly Difference[]): Difference[][] {
  const runs: Difference[][] = []
  for (const difference of differences) {
    const last = runs.at(-1)
    if (last?.[0]?.type === difference.type) last.push(difference)
    else runs.push([difference])
  }
  return runs
}

function sameText(run: readonly Difference[]): string {
  const seen = run.map(seenOf)
  const [from, to] = [
    seen.find(({ seq }) => seq > 0)?.seq,
    seen.findLast(({ seq }) => seq > 0)?.seq,
  ]
  const tokens = seen.reduce((sum, each) => sum + each.tokens, 0)
  const where = from === undefined ? '' : from === to ? ` [${from}]` : ` [${from}–${to}]`
  return `${counted(run.length, 'message')} the same${where}, ${withThousands(tokens)} tokens`
}

function seenOf(difference: Difference): Seen {
  return 'after' in difference ? difference.after : difference.before
}

function shortened(run: readonly Difference[]): { shown: Difference[]; hidden: number } {
  const hidden = run.length - 2 * shownAtEnds
  if (hidden < 2) return { shown: [...run], hidden: 0 }
  return { shown: [...run.slice(0, shownAtEnds), ...run.slice(-shownAtEnds)], hidden }
}

function hiddenText(run: readonly Difference[], hidden: number, paint: Paint): string {
  const tokens = run
    .slice(shownAtEnds, -shownAtEnds)
    .reduce((sum, each) => sum + seenOf(each).tokens, 0)
  return paint(
    'dim',
    `  … ${counted(hidden, 'more', 'more')}, ${withThousands(tokens)} tokens; --all shows them`,
  )
}

function lineOf(difference: Difference, width: number, paint: Paint, all: boolean): string[] {
  switch (difference.type) {
    case 'gone':
      return [paint('red', clipWords(`- ${seenText(difference.before)}`, width))]
    case 'new':
      return newLines(difference.after, width, paint, all)
    case 'changed': {
      const { before, after } = difference
      const sizes = `${withThousands(before.tokens)} → ${withThousands(after.tokens)} tokens`
      const text = `~ [${after.seq}] ${after.what}  ${sizes}  ${firstWords(after.text)}`
      return [paint('yellow', clipWords(text, width))]
    }
    case 'same':
      return [clipWords(`  ${seenText(difference.after)}`, width)]
  }
}

/** A summary is what everything else became: its lines are shown. */
function newLines(seen: Seen, width: number, paint: Paint, all: boolean): string[] {
  const head = clipWords(`+ ${seenText(seen)}`, width)
  if (seen.what !== 'summary') return [paint('green', head)]
  const lines = sanitize(seen.text).split('\n')
  const shown = all ? lines : lines.slice(0, shownOfSummary)
  const more = lines.length - shown.length
  return [
    paint('green', `+ summary  ${withThousands(seen.tokens)} tokens`),
    ...shown.map((line) => paint('green', `+   ${all ? line : clipWords(line, width - 4)}`)),
    ...(more > 0 ? [paint('dim', `    … ${counted(more, 'more line')}; --all shows them`)] : []),
  ]
}

function seenText({ what, seq, text, tokens }: Seen): string {
  const place = seq > 0 ? `[${seq}] ` : ''
  return `${place}${what}  ${withThousands(tokens)} tokens  ${firstWords(text)}`
}

function firstWords(text: string): string {
  return sanitizeLine(text.slice(0, 600)).replace(/\s+/g, ' ').trim()
}
