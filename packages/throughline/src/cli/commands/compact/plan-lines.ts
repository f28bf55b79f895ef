import { explainPlan, type PlannedItem } from '../../../compaction/plan/explain-plan.ts'
import { summaryRoleOf } from '../../../compaction/render/summary-block.ts'
import { counted, withThousands } from '../../terminal/numbers.ts'
import { shownPath } from '../../paths.ts'
import { skippedText } from '../../source/read-session.ts'
import { clipColumnsStart } from '../../terminal/columns.ts'
import { factLines, type Fact, table } from '../../terminal/table.ts'
import { droppedText } from './dropped-text.ts'
import { totalsOf, type ActionTotal } from './planned-rows.ts'
import { windowText } from './report-lines.ts'
import { costBefore } from './model/model-cost.ts'
import { breakEven, type BreakEven } from '../../../compaction/plan/break-even.ts'
import { defaultPolicy, type Policy } from '../../../compaction/policy.ts'
import { least, minus, modelTokens, plus, type ModelTokens } from '../../../tokens/units.ts'
import type { Plan } from '../../../compaction/plan/plan.ts'
import type { Paint } from '../../terminal/colour.ts'
import type { Work } from './work.ts'
import { sanitizeLine } from '../../../log/sanitize.ts'

/** A plan for a reader: what would be done, and what it would cost. */
export function planLines(work: Work, plan: Plan, paint: Paint, width: number): string[] {
  const { context, input, session } = work
  const { policy, counter } = input
  const items = explainPlan(plan, context, { counter, summaryRole: summaryRoleOf(policy) })
  const facts: Fact[] = [
    ['context', contextText(work, plan)],
    ['window', windowText(work)],
    ['dropped', plan.action === 'none' ? undefined : droppedText(plan.dropped)],
    ['cost', costText(work, plan)],
    ['pruning', pruningText(plan)],
    ['cheapest', cheapestText(policy, plan)],
    ['goes to', goesToText(work)],
    ['skipped', skippedText(session)],
  ]
  return [
    paint('bold', clipColumnsStart(session.name, width)),
    `Plan: ${actionText(plan)}`,
    ...factLines(facts, { width, paint, indent: 2 }),
    '',
    ...totalsTable(totalsOf(items), summaryBudget(plan), width),
    '',
    ...planRows(items, width),
  ]
}

function actionText(plan: Plan): string {
  switch (plan.action) {
    case 'prune':
      return 'prune old tool outputs; no summary is needed'
    case 'summarize':
      return 'summarize the old part and keep the newest word for word'
    case 'none':
      if (plan.reason === 'off') return 'nothing, because compaction is off: policy.auto'
      return plan.reason === 'fits'
        ? 'nothing, because it is small enough'
        : 'nothing, because there is nothing to compact'
  }
}

function contextText({ before }: Work, { measurement }: Plan): string {
  const own = `${withThousands(before)} tokens of messages, estimated`
  return measurement.source === 'usage'
    ? `${own}; the next request ${withThousands(measurement.tokens)} by the provider's count`
    : own
}

function costText(work: Work, plan: Plan): string {
  const { model } = work.settings
  const asked = model && costBefore(model, work, plan)
  if (asked !== undefined) return asked
  return plan.action === 'summarize'
    ? 'no model is called: the summary is written locally'
    : 'no model is called'
}

function cheapestText(policy: Policy, { budget }: Plan): string | undefined {
  const { breakEven: even } = budget
  if (!even) return undefined
  const { at, dollars, dollarsWhenFull, pace } = even
  const grows = `it grows by ${withThousands(pace.growth)} tokens a request`
  const cold = pace.isCold ? ', and the provider’s cache has forgotten it' : ''
  return `compacted at ${withThousands(at)} tokens, a request costs $${dollars.toFixed(4)}, when full $${dollarsWhenFull.toFixed(4)}: ${grows}${cold}${keptText(policy, budget.usable, even)}`
}

/** What a request would cost if as much were kept as by default. */
function keptText(policy: Policy, usable: ModelTokens, { left, prices, pace }: BreakEven): string {
  const kept = modelTokens(policy.keep(usable))
  const more = modelTokens(defaultPolicy.keep(usable))
  if (more <= kept) return ''
  const fuller = least(usable, plus(left, minus(more, kept)))
  const { dollars } = breakEven({ prices, model: undefined }, pace, { left: fuller, usable })
  return `; up to ${withThousands(kept)} tokens are kept, with ${withThousands(more)} it would cost $${dollars.toFixed(4)}`
}

/** Whether old outputs go without a summary, and why, where that alone would make enough room. */
function pruningText(plan: Plan): string | undefined {
  if (plan.action === 'none' || !plan.weighed) return undefined
  const { pruned, summarized, pricesKnown } = plan.weighed
  const done =
    plan.action === 'prune' ? 'it alone makes enough room' : 'it alone would make enough room'
  const then = plan.action === 'prune' ? 'costs' : 'would cost'
  const more = Math.round((pruned / summarized - 1) * 100)
  return pricesKnown
    ? `${done}, and a request then ${then} $${pruned.toFixed(4)}; with a summary $${summarized.toFixed(4)}`
    : `${done}, and a request then ${then} about ${percentText(more)} than with a summary`
}

function percentText(more: number): string {
  return more > 0 ? `${more}% more` : `${-more}% less`
}

function goesToText({ goesTo }: Work): string | undefined {
  return goesTo && `${goesTo.destination.label}, in ${shownPath(goesTo.directory)}`
}

function summaryBudget(plan: Plan): number | undefined {
  return plan.action === 'summarize' ? plan.cut.summaryBudget : undefined
}

function totalsTable(
  totals: readonly ActionTotal[],
  summary: number | undefined,
  width: number,
): string[] {
  const rows = totals.map(({ action, messages, before, after }) => [
    action,
    counted(messages, 'message'),
    withThousands(before),
    withThousands(after),
  ])
  if (summary !== undefined) rows.push(['summary', '', '', `up to ${withThousands(summary)}`])
  const before = totals.reduce((sum, total) => sum + total.before, 0)
  const after = totals.reduce((sum, total) => sum + total.after, summary ?? 0)
  const most = summary === undefined ? '' : 'up to '
  rows.push(['in total', '', withThousands(before), `${most}${withThousands(after)}`])
  return table(
    [
      {},
      { side: 'right' },
      { heading: 'tokens before', side: 'right' },
      { heading: 'after', side: 'right' },
    ],
    rows,
    width,
  )
}

// A screen or two; --json has every row.
const mostRows = 40

/**
 * A row for each run of messages that are treated alike; clipped and pruned ones get their own row.
 */
function planRows(items: readonly PlannedItem[], width: number): string[] {
  const stretches = stretchesOf(items)
  const shown = stretches.slice(-mostRows)
  const left = stretches.slice(0, stretches.length - shown.length)
  const lines = table(
    [
      { heading: 'entries' },
      { heading: 'what', clip: 'end' },
      { heading: 'action' },
      { heading: 'before', side: 'right' },
      { heading: 'after', side: 'right' },
    ],
    shown.map((rows) => rowOf(rows)),
    width,
  )
  if (left.length === 0) return lines
  const messages = left.reduce((sum, rows) => sum + rows.length, 0)
  return [`(${counted(messages, 'message')} before these; --json shows each)`, ...lines]
}

function stretchesOf(items: readonly PlannedItem[]): PlannedItem[][] {
  const stretches: PlannedItem[][] = []
  for (const item of items) {
    const stretch = stretches.at(-1)
    const alone = item.action === 'clipped' || item.action === 'pruned'
    if (stretch && !alone && stretch[0]?.action === item.action) stretch.push(item)
    else stretches.push([item])
  }
  return stretches
}

function rowOf(items: readonly PlannedItem[]): string[] {
  const [first] = items
  const last = items.at(-1)
  if (!first || !last) return []
  const seqs = first.seq === last.seq ? `${first.seq}` : `${first.seq}–${last.seq}`
  const what = items.length === 1 ? whatOf(first) : counted(items.length, 'message')
  const after = first.action === 'summarized' ? '' : withThousands(sumOf(items, 'after'))
  return [seqs, what, first.action, withThousands(sumOf(items, 'before')), after]
}

function whatOf({ what, tools }: PlannedItem): string {
  return tools ? sanitizeLine(`${what}: ${tools.join(', ')}`) : what
}

function sumOf(items: readonly PlannedItem[], field: 'before' | 'after'): number {
  return items.reduce((sum, item) => sum + item[field], 0)
}
