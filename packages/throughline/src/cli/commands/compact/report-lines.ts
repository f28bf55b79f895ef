import { retainedText, retainedIn } from '../../sizes/retained.ts'
import { skippedText } from '../../source/read-session.ts'
import { factLines, type Fact } from '../../terminal/table.ts'
import { counted, percent, withThousands } from '../../terminal/numbers.ts'
import { formatTokens } from '../../../tokens/windows.ts'
import { shownName } from '../../store/session-name.ts'
import { addedTo } from './work.ts'
import { droppedText } from './dropped-text.ts'
import { rowsDone, totalsOf, type ActionTotal } from './planned-rows.ts'
import { shownPath } from '../../paths.ts'
import { sanitizeLine } from '../../../log/sanitize.ts'
import { usableOf } from '../../sizes/keep-policy.ts'
import { costAfter } from './model/model-cost.ts'
import type { Paint } from '../../terminal/colour.ts'
import type { Compacted } from './compact-to-keep.ts'
import type { Plan } from '../../../compaction/plan/plan.ts'
import type { InstalledSizes } from '../../written/install.ts'
import type { Work } from './work.ts'

/** What a compaction did, in a few lines. */
export function reportLines(
  work: Work,
  compacted: Compacted,
  {
    paint,
    width,
    more = [],
    isStored = true,
  }: { paint: Paint; width: number; more?: readonly Fact[]; isStored?: boolean },
): string[] {
  const { result, after } = compacted
  const { output } = work.settings
  const facts: Fact[] = [
    ...(result.report.action === 'none' ? [] : doneFacts(work, compacted)),
    ['little', littleText(work, compacted)],
    ['sizes', result.report.action === 'none' ? undefined : sizesText(work, result.plan)],
    ['window', windowText(work)],
    ['model', costAfter(result)],
    ['stored', isStored ? storedText(work, compacted) : undefined],
    ['written to', output === undefined ? undefined : shownPath(output)],
    ...more,
    ['skipped', skippedText(work.session)],
  ]
  return [
    paint('bold', headline(work, compacted, after)),
    ...factLines(facts, { width, paint, indent: 2 }),
  ]
}

// Who asked for a compaction wonders about less.
const little = 0.75

/** Why a small session hardly shrinks: most of it is what a compaction keeps. */
function littleText({ before, settings }: Work, { result, after }: Compacted): string | undefined {
  const { report } = result
  if (settings.stretch || report.action !== 'summary' || after <= little * before) return undefined
  const smaller = Math.round(before / 2 / 500) / 2
  const how = smaller >= 1 ? `; to make it smaller: --keep ${smaller}k` : ''
  return settings.keep === undefined
    ? `the session was small already, and most of it was kept${how}`
    : undefined
}

/** The next request as it was, where a provider has counted more than the messages. */
function countedBefore(
  { before }: Pick<Work, 'before'>,
  { measurement }: Plan,
): number | undefined {
  // Less is how far an estimate is off.
  const isMore = measurement.source === 'usage' && measurement.tokens >= before * 1.05
  return isMore ? measurement.tokens : undefined
}

/** The sizes of a session that was written for a client, and of the one that it was made of. */
export function installedSizes(
  work: Pick<Work, 'before'>,
  plan: Plan,
  after: number,
): InstalledSizes {
  return { before: work.before, after, counted: countedBefore(work, plan) ?? null }
}

/** What the sizes leave out. */
export function sizesText(work: Pick<Work, 'before'>, plan: Plan): string | undefined {
  const counted = countedBefore(work, plan)
  if (counted === undefined) return undefined
  return `of messages alone; with system prompt and tools, the provider counted ${withThousands(counted)}`
}

function storedText({ session }: Work, { result }: Compacted): string | undefined {
  const [first] = addedTo(session, result)
  if (session.stored === undefined || !first) return undefined
  const name = shownName(session.stored)
  return `as entry ${first.seq} of ${name}; throughline undo ${name} reverts it`
}

function headline(
  { before, settings, goesTo }: Work,
  { result }: Compacted,
  after: number,
): string {
  const { report } = result
  if (report.action === 'none') {
    const anyway = 'Without --if-needed it is compacted.'
    const size = `${withThousands(before)} tokens`
    const how = !goesTo
      ? 'printed unchanged'
      : goesTo.tools === 'handed over'
        ? `written with the tools of ${goesTo.destination.label}`
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
  return `${withThousands(before)} → ${withThousands(after)} tokens (${percent(after, before)}): ${how}`
}

function doneFacts(work: Work, { result }: Compacted): Fact[] {
  const totals = totalsOf(rowsDone(work, result))
  const summary = result.context.checkpoint?.summary
  const tokens = summary === undefined ? 0 : work.counter.text(summary)
  const lines = merged(totals).map((total): Fact => {
    const to = total.action === 'summarized' ? tokens : total.after
    return [total.action, totalText(total, to)]
  })
  const retained = retainedText(retainedIn(result.messages, work.input.facts()))
  return [...lines, ['dropped', droppedText(result.report.dropped)], ['retained', retained]]
}

/** Everything that the new summary replaces, including an earlier summary, is summarized in it. */
function merged(totals: readonly ActionTotal[]): ActionTotal[] {
  const replaced = totals.find(({ action }) => action === 'replaced')
  return totals.flatMap((total) => {
    if (total === replaced) return []
    if (total.action !== 'summarized' || !replaced) return [total]
    const messages = total.messages + replaced.messages
    return [{ ...total, messages, before: total.before + replaced.before }]
  })
}

function totalText({ action, messages, before }: ActionTotal, after: number): string {
  const count = counted(messages, 'message')
  return action === 'kept'
    ? `${count} word for word, ${withThousands(after)} tokens`
    : `${count}, ${withThousands(before)} → ${withThousands(after)} tokens`
}

export function windowText({ choice, session, policy }: Work): string {
  const { window, from } = choice
  const usable = formatTokens(usableOf(window, policy))
  return sanitizeLine(
    `${formatTokens(window.context)} (${from}), ${usable} usable; a session of ${session.format}`,
  )
}
