import { breakEven, type BreakEven } from '../../../compaction/plan/break-even.ts'
import {
  explainPlan,
  plannedItems,
  type PlannedItem,
} from '../../../compaction/plan/explain-plan.ts'
import { defaultPolicy, type Policy } from '../../../compaction/policy.ts'
import { summaryRoleOf } from '../../../compaction/render/summary-block.ts'
import { sanitizeLine } from '../../../log/sanitize.ts'
import { unitsOf } from '../../../log/steps.ts'
import { least, minus, modelTokens, plus, type ModelTokens } from '../../../tokens/units.ts'
import { formatTokens } from '../../../tokens/windows.ts'
import { shownPath } from '../../paths.ts'
import { usableOf } from '../../sizes/keep-policy.ts'
import { retainedIn, retainedText } from '../../sizes/retained.ts'
import { skippedText } from '../../source/read-session.ts'
import { shownName } from '../../store/session-name.ts'
import { clipColumnsStart } from '../../terminal/columns.ts'
import { counted, percent, withThousands } from '../../terminal/numbers.ts'
import { factLines, table, type Fact } from '../../terminal/table.ts'
import { costAfter, costBefore } from './model/model-cost.ts'
import { addedTo, type Work, type Compacted } from './work.ts'
import type { Dropped } from '../../../compaction/plan/dropped.ts'
import type { Plan } from '../../../compaction/plan/plan.ts'
import type { CompactedLog } from '../../../session/once/compact-log.ts'
import type { Screen } from '../../terminal/colour.ts'
import type { InstalledSizes } from '../../written/install.ts'

/** What a finished compaction did to every message, according to its entry in the log. */
function rowsDone({ context, input }: Work, { log, report }: CompactedLog): PlannedItem[] {
  const newest = report.action === 'none' ? undefined : log.at(-1)
  const decided =
    newest?.kind === 'checkpoint'
      ? { tail: newest.tail }
      : { replacements: newest?.kind === 'prune' ? newest.replacements : [] }
  const { counter, policy } = input
  const summaryRole = summaryRoleOf(policy)
  return plannedItems(unitsOf(context.items), decided, { counter, summaryRole })
}

/** The totals of the messages that were treated alike. */
interface ActionTotal {
  action: PlannedItem['action']
  messages: number
  before: number
  after: number
}

const actions = ['kept', 'clipped', 'pruned', 'summarized', 'replaced'] as const

function totalsOf(rows: readonly PlannedItem[]): ActionTotal[] {
  return actions.flatMap((action) => {
    const own = rows.filter((row) => row.action === action)
    if (own.length === 0) return []
    return [
      { action, messages: own.length, before: sumOf(own, 'before'), after: sumOf(own, 'after') },
    ]
  })
}

export function totalsDone(work: Work, result: CompactedLog): ActionTotal[] {
  return totalsOf(rowsDone(work, result))
}

function sumOf(items: readonly PlannedItem[], field: 'before' | 'after'): number {
  return items.reduce((sum, item) => sum + item[field], 0)
}

/** A plan for a reader: what would be done, and what it would cost. */
export function planLines(work: Work, plan: Plan, { paint, width }: Screen): string[] {
  const { context, input, session, handover } = work
  const { policy, counter } = input
  const items = explainPlan(plan, context, { counter, summaryRole: summaryRoleOf(policy) })
  const facts: Fact[] = [
    ['context', contextText(work, plan)],
    ['window', windowText(work)],
    ['dropped', plan.action === 'none' ? undefined : droppedText(plan.dropped)],
    ['cost', costText(work, plan)],
    ['pruning', pruningText(plan)],
    ['cheapest', cheapestText(policy, plan)],
    [
      'continues',
      handover && `in ${handover.destination.label}, in ${shownPath(handover.directory)}`,
    ],
    ['skipped', skippedText(session)],
  ]
  return [
    paint('bold', clipColumnsStart(session.name, width)),
    `Plan: ${actionText(plan)}`,
    ...factLines(facts, { width, paint, indent: 2 }),
    '',
    ...totalsTable(items, plan.action === 'summarize' ? plan.cut.summaryBudget : undefined, width),
    '',
    ...planRows(items, width),
  ]
}

function actionText(plan: Plan): string {
  if (plan.action === 'prune') return 'prune old tool outputs; no summary is needed'
  if (plan.action === 'summarize') {
    return 'summarize the old part and keep the newest word for word'
  }
  if (plan.reason === 'off') return 'nothing, because compaction is off: policy.auto'
  const why = plan.reason === 'fits' ? 'it is small enough' : 'there is nothing to compact'
  return `nothing, because ${why}`
}

function contextText({ before }: Work, { measurement }: Plan): string {
  const own = `${withThousands(before)} tokens of messages, estimated`
  return measurement.source === 'usage'
    ? `${own}; the next request ${withThousands(measurement.tokens)} by the provider’s count`
    : own
}

function costText(work: Work, plan: Plan): string {
  const { model } = work.settings
  const asked = model && costBefore(model, work, plan)
  if (asked !== undefined) return asked
  const local = plan.action === 'summarize' ? ': the summary is written locally' : ''
  return `no model is called${local}`
}

function requestDollars(dollars: number): string {
  return `$${dollars.toFixed(4)}`
}

function cheapestText(policy: Policy, { budget }: Plan): string | undefined {
  const { breakEven: even } = budget
  if (!even) return undefined
  const { at, dollars, dollarsWhenFull, pace } = even
  const grows = `it grows by ${withThousands(pace.growth)} tokens a request`
  const cold = pace.isCold ? ', and the provider’s cache has forgotten it' : ''
  return `compacted at ${withThousands(at)} tokens, a request costs ${requestDollars(dollars)}, when full ${requestDollars(dollarsWhenFull)}: ${grows}${cold}${keptText(policy, budget.usable, even)}`
}

/** What a request would cost if as much were kept as by default. */
function keptText(policy: Policy, usable: ModelTokens, { left, prices, pace }: BreakEven): string {
  const kept = modelTokens(policy.keep(usable))
  const more = modelTokens(defaultPolicy.keep(usable))
  if (more <= kept) return ''
  const fuller = least(usable, plus(left, minus(more, kept)))
  const { dollars } = breakEven({ prices, model: undefined }, pace, { left: fuller, usable })
  return `; up to ${withThousands(kept)} tokens are kept, with ${withThousands(more)} it would cost ${requestDollars(dollars)}`
}

/** Whether old outputs are pruned without a summary, and why, where that alone makes enough room. */
function pruningText(plan: Plan): string | undefined {
  if (plan.action === 'none' || !plan.weighed) return undefined
  const { pruned, summarized, pricesKnown } = plan.weighed
  const [makes, costs] = plan.action === 'prune' ? ['makes', 'costs'] : ['would make', 'would cost']
  const more = Math.round((pruned / summarized - 1) * 100)
  const price = pricesKnown
    ? `${requestDollars(pruned)}; with a summary ${requestDollars(summarized)}`
    : `about ${more > 0 ? `${more}% more` : `${-more}% less`} than with a summary`
  return `it alone ${makes} enough room, and a request then ${costs} ${price}`
}

function totalsTable(
  items: readonly PlannedItem[],
  summary: number | undefined,
  width: number,
): string[] {
  const most = summary === undefined ? '' : 'up to '
  const rows = totalsOf(items).map(({ action, messages, before, after }) => [
    action,
    counted(messages, 'message'),
    withThousands(before),
    withThousands(after),
  ])
  if (summary !== undefined) rows.push(['summary', '', '', `${most}${withThousands(summary)}`])
  const after = sumOf(items, 'after') + (summary ?? 0)
  rows.push(['in total', '', withThousands(sumOf(items, 'before')), most + withThousands(after)])
  const right = { side: 'right' } as const
  const sizes = [
    { heading: 'tokens before', ...right },
    { heading: 'after', ...right },
  ]
  return table([{}, right, ...sizes], rows, width)
}

// A screen or two; --json has every row.
const mostRows = 40

/**
 * A row for each run of messages that are treated alike; clipped and pruned ones get their own row.
 */
function planRows(items: readonly PlannedItem[], width: number): string[] {
  const runs: PlannedItem[][] = []
  for (const item of items) {
    const run = runs.at(-1)
    const isAlone = item.action === 'clipped' || item.action === 'pruned'
    if (run && !isAlone && run[0]?.action === item.action) run.push(item)
    else runs.push([item])
  }
  const hidden = runs.slice(0, -mostRows).flat()
  const lines = table(
    [
      { heading: 'entries' },
      { heading: 'what', clip: 'end' },
      { heading: 'action' },
      { heading: 'before', side: 'right' },
      { heading: 'after', side: 'right' },
    ],
    runs.slice(-mostRows).map(rowOf),
    width,
  )
  if (hidden.length === 0) return lines
  return [`(${counted(hidden.length, 'message')} before these; --json shows each)`, ...lines]
}

function rowOf(items: readonly PlannedItem[]): string[] {
  const [first, last] = [items[0], items.at(-1)] as [PlannedItem, PlannedItem]
  const { seq, what, tools, action } = first
  const seqs = seq === last.seq ? `${seq}` : `${seq}–${last.seq}`
  const only = tools ? sanitizeLine(`${what}: ${tools.join(', ')}`) : what
  const shown = items.length === 1 ? only : counted(items.length, 'message')
  const after = action === 'summarized' ? '' : withThousands(sumOf(items, 'after'))
  return [seqs, shown, action, withThousands(sumOf(items, 'before')), after]
}

/** What a compaction did, in a few lines. */
export function reportLines(
  work: Work,
  compacted: Compacted,
  { paint, width }: Screen,
  more: readonly Fact[] = [],
): string[] {
  const { result } = compacted
  const { output } = work.settings
  const isDone = result.report.action !== 'none'
  const facts: Fact[] = [
    ...(isDone ? doneFacts(work, compacted) : []),
    ['little', littleText(work, compacted)],
    ['sizes', isDone ? sizesText(work, result.plan) : undefined],
    ['window', windowText(work)],
    ['model', costAfter(result)],
    ['stored', storedText(work, compacted)],
    ['written to', output === undefined ? undefined : shownPath(output)],
    ...more,
    ['skipped', skippedText(work.session)],
  ]
  return [
    paint('bold', headline(work, compacted)),
    ...factLines(facts, { width, paint, indent: 2 }),
  ]
}

function headline({ before, settings, handover }: Work, { result, after }: Compacted): string {
  const { report } = result
  if (report.action === 'none') {
    const anyway = 'Without --if-needed it is compacted.'
    const size = `${withThousands(before)} tokens`
    const how = !handover
      ? 'printed unchanged'
      : handover.tools === 'handed over'
        ? `written with the tools of ${handover.destination.label}`
        : 'written unchanged'
    if (report.reason === 'off') {
      return `Compaction is off (policy.auto): ${size}, ${how}. ${anyway}`
    }
    return report.reason === 'fits'
      ? `Small enough already: ${size}, ${how}. ${anyway}`
      : `Nothing to compact: a summary would not make the ${size} fewer, ${how}.`
  }
  const how =
    report.action === 'prune'
      ? `old tool outputs pruned, no summary needed${settings.keep === undefined ? ' (--keep makes one)' : ''}`
      : report.summarizer === 'local'
        ? `summarized locally${report.attempts.length > 0 ? '' : ', no model was called'}`
        : `summarized by ${sanitizeLine(report.summarizer ?? '')}`
  return `${sizeChange(before, after)}: ${how}`
}

export function sizeChange(before: number, after: number): string {
  return `${withThousands(before)} → ${withThousands(after)} tokens (${percent(after, before)})`
}

/** What became of the messages; what an earlier summary held counts as summarized. */
function doneFacts(work: Work, { result }: Compacted): Fact[] {
  const totals = totalsDone(work, result)
  const replaced = totals.find(({ action }) => action === 'replaced')
  const summary = result.context.checkpoint?.summary
  const lines = totals.flatMap((total): Fact[] => {
    const { action, messages, before, after } = total
    if (action === 'replaced') return []
    if (action === 'kept') {
      const count = counted(messages, 'message')
      return [[action, `${count} word for word, ${withThousands(after)} tokens`]]
    }
    const isSummary = action === 'summarized'
    const earlier = isSummary ? replaced : undefined
    const to = isSummary && summary !== undefined ? work.counter.text(summary) : after
    const count = counted(messages + (earlier?.messages ?? 0), 'message')
    const from = before + (earlier?.before ?? 0)
    return [[action, `${count}, ${withThousands(from)} → ${withThousands(to)} tokens`]]
  })
  const retained = retainedText(retainedIn(result.messages, work.input.facts()))
  return [...lines, ['dropped', droppedText(result.report.dropped)], ['retained', retained]]
}

// A larger change needs no explanation.
const littleChange = 0.75

/** Why a small session hardly shrinks: most of it is what a compaction keeps. */
function littleText({ before, settings }: Work, { result, after }: Compacted): string | undefined {
  const isLittle = result.report.action === 'summary' && after > littleChange * before
  if (!isLittle || settings.keep !== undefined) return undefined
  const smaller = Math.round(before / 2 / 500) / 2
  const how = smaller >= 1 ? `; to make it smaller: --keep ${smaller}k` : ''
  return `the session was small already, and most of it was kept${how}`
}

function storedText({ session }: Work, { result }: Compacted): string | undefined {
  const [first] = addedTo(session, result)
  if (session.stored === undefined || !first) return undefined
  const name = shownName(session.stored)
  return `as entry ${first.seq} of ${name}; throughline undo ${name} reverts it`
}

function windowText({ choice, session, policy }: Work): string {
  const { window, from } = choice
  const usable = formatTokens(usableOf(window, policy))
  return sanitizeLine(
    `${formatTokens(window.context)} (${from}), ${usable} usable; a session of ${session.format}`,
  )
}

/** The next request as it was, where a provider has counted more than the messages. */
function countedBefore({ before }: Work, { measurement }: Plan): number | undefined {
  // A smaller difference is the error of an estimate.
  const isMore = measurement.source === 'usage' && measurement.tokens >= before * 1.05
  return isMore ? measurement.tokens : undefined
}

/** The sizes of a session that was written for a client, and of the one that it was made of. */
export function installedSizes(work: Work, plan: Plan, after: number): InstalledSizes {
  return { before: work.before, after, counted: countedBefore(work, plan) ?? null }
}

/** What the sizes leave out. */
export function sizesText(work: Work, plan: Plan): string | undefined {
  const all = countedBefore(work, plan)
  if (all === undefined) return undefined
  return `of messages alone; with system prompt and tools, the provider counted ${withThousands(all)}`
}

/** What the model no longer sees, by kind; `undefined` if that is nothing. `--json` has the refs. */
export function droppedText(dropped: Dropped): string | undefined {
  const kinds = [
    [dropped.humanMessages, 'human message'],
    [dropped.results, 'tool result'],
    [dropped.skills, 'skill'],
    [dropped.media, 'part with images or files', 'parts with images or files'],
    [dropped.reasoning, 'reasoning part'],
  ] as const
  const counts = kinds.flatMap(([refs, one, more]) =>
    refs.length === 0 ? [] : [counted(refs.length, one, more)],
  )
  if (counts.length === 0) return undefined
  const all = kinds.reduce((sum, [refs]) => sum + refs.length, 0)
  return `${counts.join(', ')}; the session still has ${all === 1 ? 'it' : 'them'}`
}
