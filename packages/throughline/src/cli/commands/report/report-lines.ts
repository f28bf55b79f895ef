import { sanitizeLine } from '../../../log/sanitize.ts'
import { formatTokens } from '../../../tokens/windows.ts'
import { clipColumns, clipColumnsStart } from '../../terminal/columns.ts'
import { counted, percent, smallDollarText, withThousands } from '../../terminal/numbers.ts'
import {
  factLines,
  indentedTable,
  indentedText,
  section,
  shareTable,
  type Column,
  type Fact,
} from '../../terminal/table.ts'
import type {
  Comparison,
  Fate,
  Forgotten,
  Kind,
  Lost,
  ReportModel,
  Standing,
} from '../../../report/model.ts'
import type { Screen } from '../../terminal/colour.ts'
import type { Report } from './report-for.ts'

export function reportLines(report: Report, screen: Screen): string[] {
  const { model, toDo } = report
  const { paint, width } = screen
  const toDoLines = toDo.flatMap(({ command, does }) => [
    `  ${paint('cyan', command)}`,
    ...indentedText(does, { width, indent: 6 }),
  ])
  const plan = 'If it were compacted now (a plan: nothing was done)'
  return [
    ...headLines(report, screen),
    ...section(screen, 'Over the session', chartLines(model, screen)),
    ...section(screen, 'What fills the window now', fillingLines(model, screen)),
    ...section(screen, 'What it cost', moneyLines(model, screen)),
    ...section(screen, 'What each compaction forgot', compactionLines(model, screen)),
    ...section(screen, 'Still in the context', standingLines(model.standing, screen)),
    ...section(screen, plan, nextLines(model, screen)),
    ...section(screen, 'What to do', toDoLines),
  ]
}

/** The answers in a few lines. */
export function headLines({ model }: Report, { width, paint }: Screen): string[] {
  const { name, format, model: modelName, directory, skipped } = model.session
  const facts: Fact[] = [
    ['window', windowText(model)],
    [
      'skipped',
      skipped > 0 ? `${counted(skipped, 'damaged line')}, not part of these figures` : undefined,
    ],
    ['cost', costText(model)],
    ['forgotten', forgottenText(model)],
    ['still in', standingText(model.standing)],
    ['now', nextText(model)],
  ]
  const names = [format, modelName, directory].filter((each) => each)
  return [
    paint('bold', clipColumnsStart(sanitizeLine(name), width)),
    paint('dim', clipColumns(sanitizeLine(names.join(', ')), width)),
    ...factLines(facts, { width, paint }),
  ]
}

/** What people call the kinds of content. */
const kindNames: Readonly<Record<Kind, string>> = {
  fixed: 'system prompt, tools',
  summary: 'summary',
  human: 'you',
  harness: 'client’s notes',
  assistant: 'model’s words',
  thinking: 'thinking',
  calls: 'tool calls',
  results: 'tool results',
}

function largestKinds(kinds: ReportModel['now']['kinds']) {
  return (Object.entries(kinds) as [Kind, number][])
    .filter(([, tokens]) => tokens >= 1)
    .map(([kind, tokens]) => ({ name: kindNames[kind], tokens, count: 0 }))
    .sort((one, other) => other.tokens - one.tokens)
}

function windowText({ now, window }: ReportModel): string {
  const [largest] = largestKinds(now.kinds)
  const most = largest ? `; ${percent(largest.tokens, now.tokens)} is ${largest.name}` : ''
  return `${withThousands(now.tokens)} of ${withThousands(window.usable)} usable tokens, ${percent(now.tokens, window.usable)}${most}`
}

function costText({ money, session }: ReportModel): string {
  const requests = counted(money.requests, 'request')
  if (money.dollars === null) {
    const model = session.model === undefined ? 'its model' : sanitizeLine(session.model)
    return `${requests}; no price is known for ${model} (--prices in=3,out=15)`
  }
  const read = money.cacheRead.tokens
  const sent = read + money.cacheWrite.tokens + money.input.tokens
  const priced = money.unpriced > 0 ? `; ${money.unpriced} have no known price` : ''
  const all = money.estimated === money.requests ? 'estimated' : `${money.estimated} estimated`
  const counting = money.estimated > 0 ? `, ${all}` : ''
  return `${smallDollarText(money.dollars + money.summaries)} for ${requests}${counting}, ${percent(read, sent)} of what was sent from the cache${priced}`
}

function forgottenText({ compactions }: ReportModel): string {
  if (compactions.length === 0) return 'nothing: nobody has compacted it'
  const newest = compactions.findLast(({ kind }) => kind === 'summary') ?? compactions.at(-1)
  const lost = newest?.detail && lostText(newest.detail.forgot)
  return `${counted(compactions.length, 'compaction')}; the newest forgot ${lost ?? 'nothing by name'}`
}

/** What is forgotten, by kind: the word for one line of it, for one of them, and for several. */
const lostKinds = [
  ['rules', 'rule', 'rule', 'rules'],
  ['requests', 'request', 'request', 'requests'],
  ['changed', 'changed', 'changed file', 'changed files'],
  ['read', 'read', 'file read', 'files read'],
  ['commands', 'check', 'check', 'checks'],
  ['errors', 'error', 'error', 'errors'],
] as const

/** How much of each kind is lost, in words; `undefined` if nothing is. */
function lostText(lost: Forgotten): string | undefined {
  const counts = lostKinds.flatMap(([kind, , one, several]) =>
    lost[kind].length === 0 ? [] : [counted(lost[kind].length, one, several)],
  )
  return counts.length === 0 ? undefined : counts.join(', ')
}

function inForce(rules: Standing['rules']): Standing['rules'] {
  return rules.filter(({ retractedBy }) => retractedBy === undefined)
}

/** How many of these are in the context: `2/3`. */
function share(all: readonly { in: unknown }[]): string {
  const kept = all.filter((each) => each.in === true || each.in === 'whole')
  return `${kept.length}/${all.length}`
}

const requestTexts = {
  whole: 'the latest request',
  'in part': 'the beginning of the latest request',
  no: 'not the latest request',
} as const

function standingText({ rules, requests, files }: Standing): string {
  const valid = inForce(rules)
  const latest = requests.at(-1)
  return [
    valid.length === 0 ? 'no rules were found' : `${share(valid)} rules word for word`,
    latest ? requestTexts[latest.in] : 'nothing was requested',
    files.length === 0 ? 'no files were changed' : `${share(files)} changed files by name`,
  ].join(', ')
}

function nextText({ next, money }: ReportModel): string {
  if ('reason' in next) return `a compaction would change nothing. ${next.reason}`
  const saved = money.next
    ? `; a request then costs ${smallDollarText(money.next.compacted)} instead of ${smallDollarText(money.next.now)}`
    : ''
  return `a compaction would leave ${withThousands(next.after)} of ${withThousands(next.before)} tokens${saved}`
}

const chartRows = 6
const eighths = [' ', '▁', '▂', '▃', '▄', '▅', '▆', '▇', '█']
const labelWidth = 7

/** The size of the requests over the session, in blocks; empty where none can be drawn. */
function chartLines(
  { requests, window, compactions }: ReportModel,
  { width, bars, paint }: Screen,
): string[] {
  const { tokens } = requests
  if (!bars || tokens.length < 2) return []
  const columns = Math.min(width - labelWidth - 3, tokens.length)
  const largest = tokens.reduce((most, each) => Math.max(most, each), 1)
  // In a window ten times as large as the session, it would be flat.
  const top = window.usable <= largest * 3 ? Math.max(largest, window.usable) : largest
  const heights = columnsOf(tokens, columns).map((each) => (each / top) * chartRows * 8)
  const limit = Math.round((window.usable / top) * chartRows)
  const line = (label: string, text: string): string =>
    `  ${paint('dim', label.padStart(labelWidth))} ${text}`
  const rows = Array.from({ length: chartRows }, (_, index) => {
    const row = chartRows - 1 - index
    const cells = heights.map(
      (height) => eighths[Math.min(Math.max(Math.round(height - row * 8), 0), 8)],
    )
    const label = index === 0 ? formatTokens(Math.round(top)) : row === 0 ? '0' : ''
    const isLimit = row === limit - 1 && top === window.usable
    return line(label, paint(isLimit ? 'dim' : 'cyan', cells.join('')))
  })
  const marks = Array.from({ length: columns }, () => ' ')
  for (const { request } of compactions) {
    marks[Math.min(Math.floor((request / tokens.length) * columns), columns - 1)] = '^'
  }
  const isMarked = compactions.length > 0
  return [
    ...rows,
    ...(isMarked ? [line('', paint('red', marks.join('').trimEnd()))] : []),
    line('', paint('dim', `request 1 to ${tokens.length}${isMarked ? '; ^ a compaction' : ''}`)),
  ]
}

/** The largest request of each column. */
function columnsOf(tokens: readonly number[], columns: number): number[] {
  return Array.from({ length: columns }, (_, column) => {
    const from = Math.floor((column * tokens.length) / columns)
    const to = Math.max(Math.floor(((column + 1) * tokens.length) / columns), from + 1)
    return tokens.slice(from, to).reduce((most, each) => Math.max(most, each), 0)
  })
}

const mostRows = 6

function fillingLines({ now }: ReportModel, screen: Screen): string[] {
  const kinds = largestKinds(now.kinds)
  const shared = { ...screen, indent: 4, whole: now.tokens, clip: 'start' } as const
  const named = (title: string, all: ReportModel['now']['tools']): string[] =>
    titled(title, shareTable(all, { ...shared, top: mostRows }))
  return [
    ...shareTable(kinds, { ...shared, top: kinds.length }),
    ...named('of it by tool', now.tools),
    ...named('of it by file', now.files),
  ]
}

function titled(title: string, lines: string[]): string[] {
  return lines.length === 0 ? [] : [`  ${title}`, ...lines]
}

const right: Column = { side: 'right' }

function moneyLines({ money }: ReportModel, { width }: Screen): string[] {
  const isKnown = money.dollars !== null
  const parts = [
    ['read from the cache', money.cacheRead],
    ['written to the cache', money.cacheWrite],
    ['input not cached', money.input],
    ['output', money.output],
  ] as const
  const rows = parts.flatMap(([name, { tokens, dollars }]) =>
    tokens > 0 ? [[name, withThousands(tokens), isKnown ? smallDollarText(dollars) : '']] : [],
  )
  const carried = money.carried
    .slice(0, mostRows)
    .map(({ seq, what, tokens, times, dollars }) => [
      `[${seq}]`,
      sanitizeLine(what),
      withThousands(tokens),
      `×${times}`,
      dollars === null ? '' : smallDollarText(dollars),
    ])
  const estimated = `(${counted(money.estimated, 'request')} estimated: the file has no usage for them. A cache of five minutes is assumed.)`
  const page = { width, indent: 4 }
  return [
    ...indentedTable([{}, right, right], rows, page),
    ...titled(
      `what was sent again and again${isKnown ? ', costliest first' : ''}`,
      indentedTable([right, { clip: 'end' }, right, right, right], carried, page),
    ),
    ...(money.estimated === 0 ? [] : indentedText(estimated, { width, indent: 2 })),
  ]
}

function compactionLines({ compactions, rewinds }: ReportModel, screen: Screen): string[] {
  const undone = new Set(rewinds.map(({ undid }) => undid))
  return compactions.flatMap((each, index) => {
    const { seq, by, kind, before, after, state, detail, request } = each
    const whose = by === 'local' ? 'Throughline without a model' : sanitizeLine(by)
    const how = kind === 'pruning' ? 'pruned' : `summarized by ${whose}`
    const now = undone.has(seq) ? 'undone' : state
    const head = `${index + 1}. [${seq}] after request ${request}: ${how}, ${withThousands(before)} → ${withThousands(after)} tokens, ${now}`
    return [
      ...indentedText(head, { ...screen, indent: 2 }),
      ...(detail
        ? forgotLines(detail, screen, 'forgot')
        : ['     (too long ago to be compared here)']),
    ]
  })
}

const fates: readonly Fate[] = ['kept', 'clipped', 'pruned', 'summarized', 'dropped', 'replaced']
const mostLost = 5

function forgotLines(
  { forgot, rows, unreadable }: Comparison,
  { width, paint }: Screen,
  verb: 'forgot' | 'would forget',
): string[] {
  const counts = fates.flatMap((fate) => {
    const count = rows.filter((row) => row.fate === fate).length
    return count === 0 ? [] : [`${withThousands(count)} ${fate}`]
  })
  const line = (label: string, text: string): string => `       ${label.padEnd(8)} ${text}`
  const lines = lostKinds.flatMap(([kind, label]) => {
    const all: readonly Lost[] = forgot[kind]
    const shown = all.slice(-mostLost).map(({ name, seq }) => {
      const text = clipColumns(sanitizeLine(name.slice(0, 400)), width - 26)
      return line(label, `${text} ${paint('dim', `[${seq}]`)}`)
    })
    const more = all.length - shown.length
    return more > 0 ? [...shown, line('', `and ${more} more`)] : shown
  })
  const lost = lostText(forgot)
  const said = lost === undefined ? `${verb} nothing by name` : `${verb} ${lost}:`
  const note = unreadable ? ' Its summary is encrypted: only the provider can read it.' : ''
  return [
    ...indentedText(`messages: ${counts.join(', ')}`, { width, indent: 5 }),
    ...indentedText(`${said}${note}`, { width, indent: 5 }),
    ...lines,
  ]
}

function standingLines({ rules, requests, files }: Standing, { width, paint }: Screen): string[] {
  const line = (isIn: boolean, label: string, text: string): string =>
    `  ${isIn ? paint('green', '✓') : paint('red', '✗')} ${label.padEnd(8)} ${text}`
  const entry = (isIn: boolean, label: string, text: string, seq: number): string => {
    const shown = clipColumns(sanitizeLine(text.slice(0, 400)), width - 24)
    return line(isIn, label, `${shown} ${paint('dim', `[${seq}]`)}`)
  }
  const latest = requests.at(-1)
  const missing = files.filter((file) => !file.in)
  const here = files.length - missing.length
  const earlier = requests.slice(0, -1).filter((request) => request.in === 'no').length
  const lost = `${counted(earlier, 'request')} of ${requests.length - 1} left no word of theirs`
  return [
    ...inForce(rules)
      .slice(-mostRows)
      .map((rule) => entry(rule.in, 'rule', rule.text, rule.seq)),
    ...(latest ? [entry(latest.in === 'whole', 'request', latest.text, latest.seq)] : []),
    ...(earlier > 0 ? [line(false, 'earlier', lost)] : []),
    ...(here > 0 ? [line(true, 'files', `${counted(here, 'changed file')} by name`)] : []),
    ...missing.slice(-mostRows).map((file) => entry(false, file.state, file.path, file.seq)),
    ...(missing.length > mostRows
      ? [`    ${''.padEnd(8)} and ${missing.length - mostRows} more files`]
      : []),
  ]
}

function nextLines(model: ReportModel, screen: Screen): string[] {
  const { next } = model
  const text = (line: string): string[] => indentedText(line, { ...screen, indent: 2 })
  if ('reason' in next) return text(next.reason)
  const { detail } = next
  if (!detail) return text(nextText(model))
  const { rules, requests, files } = detail.standing
  return [
    ...text(nextText(model)),
    ...forgotLines(detail, screen, 'would forget'),
    ...text(
      `then still in: rules ${share(inForce(rules))}, requests whole ${share(requests)}, changed files ${share(files)}`,
    ),
  ]
}
