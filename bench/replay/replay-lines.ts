import { retainedIn, retainedText } from '../../packages/throughline/src/cli/sizes/retained.ts'
import {
  skippedText,
  type SessionInput,
} from '../../packages/throughline/src/cli/source/read-session.ts'
import { moneyOf } from '../../packages/throughline/src/cli/sizes/session-money.ts'
import {
  counted,
  dollarText,
  withThousands,
} from '../../packages/throughline/src/cli/terminal/numbers.ts'
import { clipColumnsStart } from '../../packages/throughline/src/cli/terminal/columns.ts'
import { factLines, type Fact, table } from '../../packages/throughline/src/cli/terminal/table.ts'
import { formatTokens } from '../../packages/throughline/src/tokens/windows.ts'
import type { PolicyCost } from './costs/policy-costs.ts'
import type { Paint } from '../../packages/throughline/src/cli/terminal/colour.ts'
import type { WindowChoice } from '../../packages/throughline/src/cli/sizes/window-choice.ts'
import type { Replay, ReplayEnd, ReplayedCompaction } from './replay-session.ts'

/** What a replay cost, and the session in its own client, in US dollars. */
export interface ReplayCost {
  own: number
  client: PolicyCost
  /** Whose prices they are. */
  model: string
}

/** The result of a replay, as a table. */
export function replayLines(
  session: SessionInput,
  { window }: WindowChoice,
  { replay, usable, messages, facts: index }: ReplayEnd,
  { cost, paint, width }: { cost: ReplayCost | undefined; paint: Paint; width: number },
): string[] {
  const { done, of, largest } = replay
  const size = `${formatTokens(window.context)}, ${formatTokens(usable)} usable`
  const steps = done === of ? counted(of, 'step') : `${done} of ${counted(of, 'step')}`
  const at = largest.step === 0 ? '' : ` at step ${largest.step}`
  const facts: Fact[] = [
    ['compactions', compactionsText(replay)],
    ['tokens sent', sentText(replay)],
    ['cost', costText(cost)],
    ['really cost', cost && countedText(session)],
    ['largest request', `${withThousands(largest.tokens)} of ${withThousands(usable)} tokens${at}`],
    ['kept at the end', retainedText(retainedIn(messages, index))],
    ['skipped', skippedText(session)],
  ]
  return [
    paint('bold', clipColumnsStart(session.name, width)),
    `Replayed ${steps} in a window of ${size}`,
    '',
    ...compactionTable(replay, width),
    ...factLines(facts, { width, paint }),
  ]
}

function compactionsText({ compactions }: Replay): string {
  if (compactions.length === 0) return 'none was needed'
  const prunings = compactions.filter(({ action }) => action === 'prune').length
  const summaries = compactions.length - prunings
  return `${compactions.length} (${counted(summaries, 'summary', 'summaries')}, ${counted(prunings, 'pruning')})`
}

/**
 * What was sent, by its size; what could not have been sent at all without compaction saves nothing.
 */
function sentText({ sent, requests, tooLarge }: Replay): string {
  const size = `${withThousands(sent)} in ${counted(requests.length, 'request')}`
  return tooLarge === 0
    ? `${size}; all would have fit without compaction`
    : `${size}; without compaction, ${withThousands(tooLarge)} of them would not have fit`
}

/** What the requests cost, beside what the session's own client did, by the same counts. */
function costText(cost: ReplayCost | undefined): string | undefined {
  if (!cost) return undefined
  const { own, client, model } = cost
  const did =
    client.compactions === 0
      ? 'as its own client sent it, never compacted'
      : `as its own client compacted it ${client.compactions === 1 ? 'once' : counted(client.compactions, 'time')}`
  const large =
    client.tooLarge === 0
      ? ''
      : `, ${counted(client.tooLarge, 'request')} too large for this window`
  return `${dollarText(own)} by this; ${dollarText(client.dollars)} ${did}${large}; both with a prompt cache, at the prices of ${model}`
}

function countedText(session: SessionInput): string | undefined {
  const money = moneyOf(session)
  if (!money) return undefined
  return `${dollarText(money.dollars)} by the provider’s own count, tools and system prompt included`
}

// A screen or two; a long session in a small window has hundreds of rows.
const mostRows = 40

function compactionTable({ compactions }: Replay, width: number): string[] {
  if (compactions.length === 0) return []
  const numbered = compactions.map((compaction, index) => ({ compaction, number: index + 1 }))
  const shown = numbered.filter(
    ({ number }) => number <= mostRows / 2 || number > compactions.length - mostRows / 2,
  )
  const rows = shown.map(({ compaction, number }) => [
    `${number}`,
    `${compaction.step}`,
    howText(compaction),
    withThousands(compaction.before),
    withThousands(compaction.after),
  ])
  const lines = table(
    [
      { side: 'right' },
      { heading: 'at step', side: 'right' },
      { heading: 'how', clip: 'end' },
      { heading: 'tokens before', side: 'right' },
      { heading: 'after', side: 'right' },
    ],
    rows,
    width,
  )
  const left = compactions.length - shown.length
  const note = left > 0 ? [`(${left} in the middle are omitted; --json has all)`] : []
  return [...lines, ...note, '']
}

/** What a compaction did, in a few words. */
function howText({ action, rung }: Pick<ReplayedCompaction, 'action' | 'rung'>): string {
  if (action === 'prune') return 'pruned'
  if (rung === 'shorter-tail') return 'summarized, shorter tail'
  if (rung === 'provider') return 'compacted by the provider'
  if (rung === 'clipped-tail') return 'summarized, clipped tail'
  return 'summarized'
}

export function compactionText(compaction: ReplayedCompaction): string {
  const { before, after } = compaction
  return `${howText(compaction)}, ${withThousands(before)} → ${withThousands(after)} tokens`
}
