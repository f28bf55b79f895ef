import { sanitizeLine } from '../../../../log/sanitize.ts'
import { factLines, type Fact, bar, bareBar, table, type Column } from '../../../terminal/table.ts'
import { skippedText } from '../../../source/read-session.ts'
import { counted, percent, withThousands } from '../../../terminal/numbers.ts'
import { formatTokens } from '../../../../tokens/windows.ts'
import {
  clipColumnsStart,
  clipPath,
  clipWords,
  columnsOf,
  wrap,
} from '../../../terminal/columns.ts'
import { dollarText, moneyOf } from '../../../sizes/session-money.ts'
import type { SessionInput } from '../../../source/read-input.ts'
import type { RuleFact } from '../../../../facts/facts.ts'
import type { WindowChoice } from '../../../sizes/window-choice.ts'
import type { Inspection, Share, Turn } from './inspection.ts'
import type { Paint } from '../../../terminal/colour.ts'

/** What fills a context, for a reader. */
export function inspectLines(
  session: SessionInput,
  choice: WindowChoice,
  found: Inspection,
  page: Page,
): string[] {
  return [
    ...heading(session, choice, found, page),
    ...section(
      page,
      'By role',
      shareTable(found.roles, found.tokens, { ...page, top: found.roles.length }),
    ),
    ...section(page, 'By tool', shareTable(found.tools, found.tokens, page, 'call')),
    ...section(page, 'By file', shareTable(found.files, found.tokens, page, 'call', 'start')),
    ...section(page, 'By turn', turnTable(found.turns, found.tokens, page)),
    '',
    ...wrap(prunableText(found), page.width),
    ...section(page, `The human’s rules: ${found.rules.length}`, ruleLines(found.rules, page)),
    ...section(page, `Changed files: ${found.changed.length}`, fileLines(found, page)),
  ]
}

function heading(
  session: SessionInput,
  { window, from }: WindowChoice,
  found: Inspection,
  { paint, bars, width }: Page,
): string[] {
  const { facts, format, log } = session
  const names = [format, facts.model, facts.directory].filter((name) => name !== undefined)
  const { tokens, source } = found.measurement
  const isCounted = source === 'usage'
  // As in the list and the report: what the provider counted is what fills the window.
  const size = isCounted ? tokens : found.tokens
  const share = found.usable > 0 ? size / found.usable : 1
  const meter = bars ? `${bar(share, 20)} ` : ''
  const omitted = Object.entries(facts.omitted ?? {}).map(([name, count]) => `${count} ${name}`)
  const lines: Fact[] = [
    ['session', names.join(', ')],
    [
      'log',
      `${counted(log.length, 'entry', 'entries')}, ${counted(found.messages, 'message')} in the context`,
    ],
    [
      'context',
      `${meter}${withThousands(size)} of ${withThousands(found.usable)} tokens usable, ${percent(size, found.usable)}`,
    ],
    ['window', `${formatTokens(window.context)} (${from})`],
    [
      'counted',
      isCounted
        ? `by the provider, with system prompt and tools; the messages below are about ${withThousands(found.tokens)} of it`
        : undefined,
    ],
    ['cost', costText(session)],
    ['not seen', omitted.length > 0 ? `by the model: records (${omitted.join(', ')})` : undefined],
    ['skipped', skippedText(session)],
  ]
  const safe = lines.map(([name, text]): Fact => [name, text && sanitizeLine(text)])
  return [
    paint('bold', clipColumnsStart(session.name, width)),
    ...factLines(safe, { width, paint, indent: 2 }),
  ]
}

/** What the session has cost so far. */
function costText(session: SessionInput): string | undefined {
  const money = moneyOf(session)
  if (!money) return undefined
  const left = money.unpriced > 0 ? `; ${counted(money.unpriced, 'more')} of unknown price` : ''
  return `${dollarText(money.dollars)} so far for ${counted(money.requests, 'request')}, at list prices${left}`
}

function section({ paint }: Page, title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : ['', paint('bold', title), ...lines]
}

function prunableText({ prunable, tokens }: Inspection): string {
  if (prunable.tokens === 0) return 'Pruning would free nothing.'
  const stale = prunable.stale > 0 ? `, ${withThousands(prunable.stale)} of them stale` : ''
  return `Pruning would free ${withThousands(prunable.tokens)} tokens (${percent(prunable.tokens, tokens)}) in ${counted(prunable.parts, 'old output or input', 'old outputs and inputs')}${stale}.`
}

function ruleLines(rules: readonly RuleFact[], { top, width }: Page): string[] {
  const lines = rules.slice(-top).map(({ text, seq, retractedBy }) => {
    const taken = retractedBy === undefined ? '' : ` (withdrawn in entry ${retractedBy})`
    return clipWords(`  [${seq}] ${sanitizeLine(text)}${taken}`, width)
  })
  return withMore(lines, rules.length)
}

function fileLines({ changed, root }: Inspection, { top, width }: Page): string[] {
  const newest = changed.toSorted((a, b) => (b.seqs.at(-1) ?? 0) - (a.seqs.at(-1) ?? 0))
  const lines = newest.slice(0, top).map(({ path, state, edits, to }) => {
    const what = state === 'renamed' && to !== undefined ? `renamed to ${to}` : state
    const often = edits > 1 ? `, ${edits} edits` : ''
    const happened = sanitizeLine(`(${what}${often})`)
    const room = width - 3 - columnsOf(happened)
    return `  ${clipPath(sanitizeLine(belowRoot(root, path)), room)} ${happened}`
  })
  return withMore(lines, changed.length)
}

function withMore(lines: readonly string[], all: number): string[] {
  const more = all - lines.length
  return more > 0 ? [...lines, `  … and ${more} more; --top ${all} shows all`] : [...lines]
}

/** How much is shown, and where. */
interface Page {
  top: number
  width: number
  bars: boolean
  paint: Paint
}

const barWidth = 16

/** The largest shares, with their percentages of the whole. */
function shareTable(
  shares: readonly Share[],
  whole: number,
  page: Page,
  unit?: string,
  clip: 'start' | 'end' = 'end',
): string[] {
  const rows = shares
    .slice(0, page.top)
    .map(({ name, tokens, count }) => [
      sanitizeLine(name),
      ...(unit === undefined ? [] : [countText(count, unit)]),
      ...measures(tokens, whole, page),
    ])
  const rest = shares.slice(page.top)
  if (rest.length > 0) {
    const tokens = rest.reduce((sum, share) => sum + share.tokens, 0)
    const count = rest.reduce((sum, share) => sum + share.count, 0)
    rows.push([
      `(${rest.length} more)`,
      ...(unit === undefined ? [] : [countText(count, unit)]),
      ...measures(tokens, whole, page),
    ])
  }
  const counts: Column[] = unit === undefined ? [] : [{ side: 'right' }]
  return indented([{ clip }, ...counts, ...measureColumns(page)], rows, page)
}

/** The largest turns, in chronological order. */
function turnTable(turns: readonly Turn[], whole: number, page: Page): string[] {
  const largest = new Set(turns.toSorted((a, b) => b.tokens - a.tokens).slice(0, page.top))
  const rows = turns
    .filter((turn) => largest.has(turn))
    .map(({ seq, text, steps, tokens }) => [
      `[${seq}] ${text}`,
      countText(steps, 'step'),
      ...measures(tokens, whole, page),
    ])
  return indented([{ clip: 'end' }, { side: 'right' }, ...measureColumns(page)], rows, page)
}

function indented(columns: readonly Column[], rows: string[][], { width }: Page): string[] {
  return table(columns, rows, width - 2).map((line) => `  ${line}`)
}

function countText(count: number, unit: string): string {
  return `${withThousands(count)} ${unit}${count === 1 ? '' : 's'}`
}

function measures(tokens: number, whole: number, { bars }: Page): string[] {
  const cells = [withThousands(tokens), percent(tokens, whole)]
  return bars ? [...cells, bareBar(whole > 0 ? tokens / whole : 0, barWidth)] : cells
}

function measureColumns({ bars }: Page): Column[] {
  const columns: Column[] = [{ side: 'right' }, { side: 'right' }]
  return bars ? [...columns, {}] : columns
}

/** A path relative to the session's root directory, if it is below it. */
function belowRoot(root: string | undefined, path: string): string {
  return root && path.startsWith(`${root}/`) ? path.slice(root.length + 1) : path
}
