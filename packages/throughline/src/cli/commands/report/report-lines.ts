import { sanitizeLine } from '../../../log/sanitize.ts'
import { bareBar, table } from '../../terminal/table.ts'
import { clipColumns, wrap } from '../../terminal/columns.ts'
import { counted, percent, withThousands } from '../../terminal/numbers.ts'
import { dollars, headLines, kindNames, largestKinds, lostText, nextText } from './head-lines.ts'
import { formatTokens } from '../../../tokens/windows.ts'
import type { Column } from '../../terminal/table.ts'
import type { Shown } from './head-lines.ts'
import type {
  Comparison,
  Fate,
  Filling,
  Lost,
  ReportModel,
  Standing,
} from '../../../report/model.ts'
import type { Told } from './report-for.ts'

const rows = 6
const eighths = [' ', '▁', '▂', '▃', '▄', '▅', '▆', '▇', '█']
const labelWidth = 7

/** The size of the requests over the session, as a saw-tooth of blocks; empty where none can be drawn. */
function chartLines(
  { requests, window, compactions }: ReportModel,
  { width, bars, paint }: Shown,
): string[] {
  const { tokens } = requests
  if (!bars || tokens.length < 2) return []
  const columns = Math.min(width - labelWidth - 3, tokens.length)
  const largest = tokens.reduce((most, each) => Math.max(most, each), 1)
  // A window ten times as large as the session would press it flat.
  const top = window.usable <= largest * 3 ? Math.max(largest, window.usable) : largest
  const heights = columnsOf(tokens, columns).map((each) => (each / top) * rows * 8)
  const limit = Math.round((window.usable / top) * rows)
  const lines: string[] = []
  for (let row = rows - 1; row >= 0; row--) {
    const cells = heights.map(
      (height) => eighths[Math.min(Math.max(Math.round(height - row * 8), 0), 8)],
    )
    const label = row === rows - 1 ? formatTokens(Math.round(top)) : row === 0 ? '0' : ''
    const text = cells.join('')
    const atLimit = row === limit - 1 && top === window.usable
    lines.push(
      `  ${paint('dim', label.padStart(labelWidth))} ${atLimit ? paint('dim', text) : paint('cyan', text)}`,
    )
  }
  const marks = Array.from({ length: columns }, () => ' ')
  for (const { request } of compactions) {
    marks[Math.min(Math.floor((request / tokens.length) * columns), columns - 1)] = '^'
  }
  const marked = compactions.length > 0
  return [
    ...lines,
    ...(marked ? [`  ${''.padStart(labelWidth)} ${paint('red', marks.join('').trimEnd())}`] : []),
    `  ${''.padStart(labelWidth)} ${paint('dim', `request 1 to ${tokens.length}${marked ? '; ^ a compaction' : ''}`)}`,
  ]
}

/** The largest of each stretch, so that no tooth is lost. */
function columnsOf(tokens: readonly number[], columns: number): number[] {
  return Array.from({ length: columns }, (_, column) => {
    const from = Math.floor((column * tokens.length) / columns)
    const to = Math.max(Math.floor(((column + 1) * tokens.length) / columns), from + 1)
    let most = 0
    for (let at = from; at < to; at++) most = Math.max(most, tokens[at] ?? 0)
    return most
  })
}

/** The whole report for a terminal. */
export function reportLines(told: Told, shown: Shown): string[] {
  const { model, toDo } = told
  const { paint, width } = shown
  return [
    ...headLines(told, shown),
    ...section(shown, 'Over the session', chartLines(model, shown)),
    ...section(shown, 'What fills the window now', fillingLines(model, shown)),
    ...section(shown, 'What it cost', moneyLines(model, shown)),
    ...section(shown, 'What each compaction forgot', compactionLines(model, shown)),
    ...section(shown, 'Still in the context', standingLines(model.standing, shown)),
    ...section(
      shown,
      'If it were compacted now (a plan: nothing was done)',
      nextLines(model, shown),
    ),
    ...section(
      shown,
      'What to do',
      toDo.flatMap(({ command, does }) => [
        `  ${paint('cyan', command)}`,
        ...wrap(does, width - 6).map((line) => `      ${line}`),
      ]),
    ),
  ]
}

function section({ paint }: Shown, title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : ['', paint('bold', title), ...lines]
}

const mostRows = 6
const barWidth = 14

function fillingLines({ now }: ReportModel, shown: Shown): string[] {
  const kinds = largestKinds(now.kinds).map(({ kind, tokens }) => ({
    name: kindNames[kind],
    tokens,
    count: 0,
  }))
  return [
    ...fillingTable(kinds, kinds.length, now.tokens, shown),
    ...titled('of it by tool', fillingTable(now.tools, mostRows, now.tokens, shown)),
    ...titled('of it by file', fillingTable(now.files, mostRows, now.tokens, shown)),
  ]
}

function titled(title: string, lines: string[]): string[] {
  return lines.length === 0 ? [] : [`  ${title}`, ...lines]
}

function fillingTable(
  all: readonly Filling[],
  most: number,
  whole: number,
  { bars, width }: Shown,
): string[] {
  const rows = all
    .slice(0, most)
    .map(({ name, tokens }) => [
      sanitizeLine(name),
      withThousands(tokens),
      percent(tokens, whole),
      ...(bars ? [bareBar(whole > 0 ? tokens / whole : 0, barWidth)] : []),
    ])
  return indented([{ clip: 'start' }, right, right, {}], rows, width)
}

const right: Column = { side: 'right' }

function indented(columns: readonly Column[], rows: string[][], width: number): string[] {
  return table(columns, rows, width - 4).map((line) => `    ${line}`)
}

function moneyLines({ money }: ReportModel, { width }: Shown): string[] {
  const { input, cacheRead, cacheWrite, output } = money
  const known = money.dollars !== null
  const parts = [
    ['read from the cache', cacheRead],
    ['written to the cache', cacheWrite],
    ['input not cached', input],
    ['output', output],
  ] as const
  const rows = parts
    .filter(([, { tokens }]) => tokens > 0)
    .map(([name, part]) => [name, withThousands(part.tokens), known ? dollars(part.dollars) : ''])
  const carried = money.carried
    .slice(0, mostRows)
    .map((each) => [
      `[${each.seq}]`,
      sanitizeLine(each.what),
      withThousands(each.tokens),
      `×${each.times}`,
      each.dollars === null ? '' : dollars(each.dollars),
    ])
  const estimated =
    money.estimated === 0
      ? []
      : wrap(
          `(${counted(money.estimated, 'request')} estimated: the file has no usage for them. A cache of five minutes is assumed.)`,
          width - 2,
        ).map((line) => `  ${line}`)
  return [
    ...indented([{}, right, right], rows, width),
    ...titled(
      known ? 'what was sent again and again, costliest first' : 'what was sent again and again',
      indented([right, { clip: 'end' }, right, right, right], carried, width),
    ),
    ...estimated,
  ]
}

function compactionLines({ compactions, rewinds }: ReportModel, shown: Shown): string[] {
  const undone = new Set(rewinds.map(({ undid }) => undid))
  return compactions.flatMap((each, index) => {
    const { seq, by, kind, before, after, state, detail, request } = each
    const whose = by === 'local' ? 'Throughline without a model' : sanitizeLine(by)
    const who = kind === 'pruning' ? 'pruned' : `summarized by ${whose}`
    const now = undone.has(seq) ? 'undone' : state
    const head = `${index + 1}. [${seq}] after request ${request}: ${who}, ${withThousands(before)} → ${withThousands(after)} tokens, ${now}`
    return [
      ...wrap(head, shown.width - 2).map((line) => `  ${line}`),
      ...(detail ? forgotLines(detail, shown) : ['     (too long ago to be compared here)']),
    ]
  })
}

const fateNames: readonly Fate[] = [
  'kept',
  'clipped',
  'pruned',
  'summarized',
  'dropped',
  'replaced',
]
const mostLost = 5

function forgotLines({ forgot, rows, unreadable }: Comparison, { width, paint }: Shown): string[] {
  const margin = '     '
  const fates = fateNames.flatMap((fate) => {
    const count = rows.filter((row) => row.fate === fate).length
    return count === 0 ? [] : [`${withThousands(count)} ${fate}`]
  })
  const lost: [string, readonly Lost[]][] = [
    ['rule', forgot.rules],
    ['request', forgot.requests],
    ['changed', forgot.changed],
    ['read', forgot.read],
    ['check', forgot.commands],
    ['error', forgot.errors],
  ]
  const lines = lost.flatMap(([name, all]) => {
    const shownOnes = all.slice(-mostLost).map(({ name: what, seq }) => {
      const text = clipColumns(sanitizeLine(what.slice(0, 400)), width - 26)
      return `${margin}  ${name.padEnd(8)} ${text} ${paint('dim', `[${seq}]`)}`
    })
    const more = all.length - shownOnes.length
    return more > 0 ? [...shownOnes, `${margin}  ${''.padEnd(8)} and ${more} more`] : shownOnes
  })
  const said = lostText(forgot)
  const gone = said === undefined ? 'forgot nothing by name' : `forgot ${said}:`
  const note = unreadable ? ' Its summary is encrypted: what it says, only the provider knows.' : ''
  return [
    ...wrap(`messages: ${fates.join(', ')}`, width - 5).map((line) => margin + line),
    ...wrap(`${gone}${note}`, width - 5).map((line) => margin + line),
    ...lines,
  ]
}

function standingLines({ rules, requests, files }: Standing, { width, paint }: Shown): string[] {
  const mark = (is: boolean): string => (is ? paint('green', '✓') : paint('red', '✗'))
  const line = (is: boolean, name: string, text: string, seq: number): string =>
    `  ${mark(is)} ${name.padEnd(8)} ${clipColumns(sanitizeLine(text.slice(0, 400)), width - 24)} ${paint('dim', `[${seq}]`)}`
  const inForce = rules.filter(({ retractedBy }) => retractedBy === undefined)
  const latest = requests.at(-1)
  const gone = files.filter((file) => !file.in)
  const here = files.length - gone.length
  const earlier = requests.slice(0, -1).filter((request) => request.in === 'no').length
  return [
    ...inForce.slice(-mostRows).map((rule) => line(rule.in, 'rule', rule.text, rule.seq)),
    ...(latest ? [line(latest.in === 'whole', 'request', latest.text, latest.seq)] : []),
    ...(earlier > 0
      ? [
          `  ${mark(false)} ${'earlier'.padEnd(8)} ${counted(earlier, 'request')} of ${requests.length - 1} left no word of theirs`,
        ]
      : []),
    ...(here > 0
      ? [`  ${mark(true)} ${'files'.padEnd(8)} ${counted(here, 'changed file')} by name`]
      : []),
    ...gone.slice(-mostRows).map((file) => line(false, file.state, file.path, file.seq)),
    ...(gone.length > mostRows
      ? [`    ${''.padEnd(8)} and ${gone.length - mostRows} more files`]
      : []),
  ]
}

function nextLines(model: ReportModel, shown: Shown): string[] {
  const { next } = model
  const indent = (text: string): string[] => wrap(text, shown.width - 2).map((line) => `  ${line}`)
  if ('reason' in next) return indent(next.reason)
  const standing = next.detail?.standing
  return [
    ...indent(nextText(model) ?? ''),
    ...(next.detail ? forgotLines(next.detail, shown) : []),
    ...(standing ? indent(`then still in: ${keptText(standing)}`) : []),
  ]
}

function keptText({ rules, requests, files }: Standing): string {
  const inForce = rules.filter(({ retractedBy }) => retractedBy === undefined)
  const count = (all: readonly { in: unknown }[]): string =>
    `${all.filter((each) => each.in === true || each.in === 'whole').length}/${all.length}`
  return `rules ${count(inForce)}, requests whole ${count(requests)}, changed files ${count(files)}`
}
