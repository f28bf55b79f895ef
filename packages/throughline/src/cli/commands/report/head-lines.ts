import { sanitizeLine } from '../../../log/sanitize.ts'
import { clipColumns, clipColumnsStart } from '../../terminal/columns.ts'
import { factLines, type Fact } from '../../terminal/table.ts'
import { counted, percent, withThousands } from '../../terminal/numbers.ts'
import type { Paint } from '../../terminal/colour.ts'
import type { Forgotten, Kind, ReportModel, Standing } from '../../../report/model.ts'
import type { Told } from './report-for.ts'

/** How wide a report is, and what it may be drawn with. */
export interface Shown {
  width: number
  /** Bars and colours of a terminal. */
  bars: boolean
  paint: Paint
}

/** What people call the kinds of content. */
export const kindNames: Readonly<Record<Kind, string>> = {
  fixed: 'system prompt, tools',
  summary: 'summary',
  human: 'you',
  harness: 'client’s notes',
  assistant: 'model’s words',
  thinking: 'thinking',
  calls: 'tool calls',
  results: 'tool results',
}

/** The answers in a few lines. */
export function headLines({ model }: Told, { width, paint }: Shown): string[] {
  const { session } = model
  const facts: Fact[] = [
    ['window', windowText(model)],
    ['cost', costText(model)],
    ['forgotten', forgottenText(model)],
    ['still in', standingText(model.standing)],
    ['now', nextText(model)],
  ]
  const names = [session.format, session.model, session.directory].filter((each) => each)
  return [
    paint('bold', clipColumnsStart(sanitizeLine(session.name), width)),
    paint('dim', clipColumns(sanitizeLine(`${names.join(', ')}`), width)),
    ...factLines(facts, { width, paint }),
  ]
}

function windowText({ now, window }: ReportModel): string {
  const [largest] = largestKinds(now.kinds)
  const most = largest
    ? `; ${percent(largest.tokens, now.tokens)} is ${kindNames[largest.kind]}`
    : ''
  return `${withThousands(now.tokens)} of ${withThousands(window.usable)} usable tokens, ${percent(now.tokens, window.usable)}${most}`
}

export function largestKinds(kinds: ReportModel['now']['kinds']): { kind: Kind; tokens: number }[] {
  return (Object.entries(kinds) as [Kind, number][])
    .filter(([, tokens]) => tokens >= 1)
    .map(([kind, tokens]) => ({ kind, tokens }))
    .sort((one, other) => other.tokens - one.tokens)
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
  return `${dollars(money.dollars + money.summaries)} for ${requests}, ${percent(read, sent)} of what was sent from the cache${priced}`
}

function forgottenText({ compactions }: ReportModel): string {
  const summaries = compactions.filter(({ kind }) => kind === 'summary')
  if (compactions.length === 0) return 'nothing: nobody has compacted it'
  const last = (summaries.at(-1) ?? compactions.at(-1))?.detail?.forgot
  const made = counted(compactions.length, 'compaction')
  const lost = last ? lostText(last) : undefined
  return `${made}; the newest forgot ${lost ?? 'nothing by name'}`
}

/** How much of each kind is gone, in words; nothing if nothing is. */
export function lostText(lost: Forgotten): string | undefined {
  const named = [
    [lost.rules.length, 'rule'],
    [lost.requests.length, 'request'],
    [lost.changed.length, 'changed file'],
    [lost.read.length, 'file read'],
    [lost.commands.length, 'check'],
    [lost.errors.length, 'error'],
  ] as const
  const counts = named.flatMap(([count, one]) =>
    count === 0 ? [] : [counted(count, one, one === 'file read' ? 'files read' : `${one}s`)],
  )
  return counts.length === 0 ? undefined : counts.join(', ')
}

function standingText({ rules, requests, files }: Standing): string {
  const inForce = rules.filter(({ retractedBy }) => retractedBy === undefined)
  const latest = requests.at(-1)
  return [
    inForce.length === 0
      ? 'no rules were found'
      : `${inForce.filter((rule) => rule.in).length}/${inForce.length} rules word for word`,
    latest === undefined
      ? 'nothing was requested'
      : latest.in === 'whole'
        ? 'the latest request'
        : latest.in === 'in part'
          ? 'the beginning of the latest request'
          : 'not the latest request',
    files.length === 0
      ? 'no files were changed'
      : `${files.filter((file) => file.in).length}/${files.length} changed files by name`,
  ].join(', ')
}

export function nextText({ next, money }: ReportModel): string | undefined {
  if ('reason' in next) return `a compaction would change nothing. ${next.reason}`
  const saved = money.next
    ? `; a request then costs ${dollars(money.next.compacted)} instead of ${dollars(money.next.now)}`
    : ''
  return `a compaction would leave ${withThousands(next.after)} of ${withThousands(next.before)} tokens${saved}`
}

/** `$0.013`, `$1.20`: two digits that say something. */
export function dollars(amount: number): string {
  if (amount >= 0.1 || amount === 0) return `$${amount.toFixed(2)}`
  return amount < 0.0001 ? '<$0.0001' : `$${Number(amount.toPrecision(2))}`
}
