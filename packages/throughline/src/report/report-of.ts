import { measure } from '../compaction/measure/measure.ts'
import { summaryRoleOf } from '../compaction/render/summary-block.ts'
import { renderContext } from '../compaction/render/render.ts'
import { advanceFacts, emptyFacts } from '../facts/facts-of.ts'
import { isIn, rangesAt } from '../log/history.ts'
import { planInputFor } from '../session/once/plan-input.ts'
import type { CompactLogOptions } from '../session/once/compact-log.ts'
import { costOf, pricesOf } from '../tokens/prices.ts'
import type { Prices } from '../tokens/price-table.ts'
import { sourcesOf } from '../log/source.ts'
import { usableTokens } from '../tokens/window.ts'
import { compactionsOf, fitted, nextCompaction, rewindsOf } from './compactions.ts'
import { fillings, entryOf, type Counting } from './filling.ts'
import { partTokens, sumOfKinds } from './kinds.ts'
import { unitsOf } from '../log/steps.ts'
import { logged } from './logged.ts'
import {
  kinds,
  type Carried,
  type Compaction,
  type LoggedEntry,
  type Money,
  type KindTokens,
  type NextCompaction,
  type ReportModel,
} from './model.ts'
import { namesInWords, standingIn, visibleText } from './standing.ts'
import { callsOf, entryTitle } from './subject.ts'
import { timelineOf, type Timeline } from './timeline.ts'
import type { Facts } from '../facts/facts.ts'
import type { Context } from '../log/context/context.ts'
import type { Seq } from '../log/entry.ts'
import type { Chronological } from '../log/order.ts'
import type { SessionFacts } from '../formats/format.ts'

export interface Reported {
  log: Chronological
  facts: SessionFacts
  name: string
  format: string
  /** How many lines of its file could not be read. */
  skipped: number
  /** Its name in the store, if it is in one. */
  stored?: string
}

export interface ReportOptions extends Omit<CompactLogOptions, 'trigger' | 'now'> {
  /** Where the size of the window comes from. */
  windowFrom: string
  /** Instead of the list prices of the models. */
  prices?: Prices | undefined
}

const mostFilling = 200

/**
 * Everything that a report shows of a session, as plain data. Pure: no model is called, and nothing
 * is written.
 * @throws InvalidWindowError if the window is invalid.
 */
export async function reportOf(session: Reported, options: ReportOptions): Promise<ReportModel> {
  const { log } = session
  const { window, directories } = options
  const input = planInputFor(log, options)
  const { counter, policy, frame } = input
  const counting: Counting = { counter, summaryRole: summaryRoleOf(policy) }
  const folded = timelineOf(log, { ...counting, frame, prices: options.prices })
  const measured = measure(folded.now.context, frame, counter, counting.summaryRole)
  // The next request has one size: what fills it by kind is scaled to it.
  const timeline = measured.source === 'usage' ? resized(folded, measured.tokens) : folded
  const calls = callsOf(log)
  const root = input.facts().root || session.facts.directory
  const belowRoot = (text: string): string =>
    root === undefined || root.length < 2 ? text : text.replaceAll(`${root}/`, '')
  const shared = {
    ...counting,
    titleOf: (seq: Seq) => belowRoot(entryTitle(log, seq, calls)),
    protectedTools: policy.protectedTools,
    sources: sourcesOf(log),
  }
  const known = emptyFacts()
  const factsUpTo = (upTo: Seq): Facts =>
    advanceFacts(known, log, { lenses: policy.lenses, directories, upTo })
  const { context } = timeline.now
  const isActive = activeIn(context)
  const compactions = compactionsOf(timeline, { ...shared, factsUpTo, isActive })
  const facts = factsUpTo(Number.MAX_SAFE_INTEGER)
  const next = await nextCompaction(log, options, timeline, { ...shared, facts })
  const messages = renderContext(context.items, counting.summaryRole).messages
  const usable = usableTokens(window, policy.reserved(window))
  const tokens = sumOfKinds(timeline.now.kinds)
  const now = fitted(counter, timeline.now.fit)
  const filled = fillings(unitsOf(context.items), {
    sizeOf: (part) => partTokens(part, now),
    root,
    lenses: policy.lenses,
  })
  const { model, id, directory } = session.facts
  const title = facts.requests[0]?.text.slice(0, 300).toWellFormed()
  return {
    version: 1,
    session: {
      name: session.name,
      format: session.format,
      ...(id !== undefined && { id }),
      ...(model !== undefined && { model }),
      ...(directory !== undefined && { directory }),
      ...(title !== undefined && { title }),
      from: log[0]?.at ?? 0,
      // What is done to the session later, such as a compaction, makes it no longer.
      to: (log.findLast(({ kind }) => kind === 'message') ?? log.at(-1))?.at ?? 0,
      entries: log.length,
      steps: timeline.requests.seq.length,
      skipped: session.skipped,
      ...(session.stored !== undefined && { stored: session.stored }),
    },
    window: {
      context: window.context,
      usable,
      threshold: policy.threshold(usable),
      from: options.windowFrom,
    },
    requests: timeline.requests,
    compactions,
    rewinds: rewindsOf(timeline.changes),
    now: {
      tokens,
      counted: timeline.now.counted,
      kinds: timeline.now.kinds,
      tools: filled.tools.slice(0, mostFilling),
      files: filled.files.slice(0, mostFilling),
    },
    money: moneyOf(timeline, { next, compactions, prices: options.prices, model }, shared.titleOf),
    standing: standingIn(visibleText(messages), facts, namesInWords(facts)),
    next,
    pins: [...context.pins.values()].map(({ seq, text, ref }) => ({
      seq,
      text,
      ...(ref !== undefined && { ref }),
    })),
    entries: entriesOf(log, timeline, isActive),
  }
}

function activeIn({ rewinds, seq: newest }: Context): (seq: Seq) => boolean {
  const ranges = rangesAt(rewinds, newest)
  return (seq) => isIn(ranges, seq)
}

const mostCarried = 30

function moneyOf(
  { spending, dollarsByKind, carried, now }: Timeline,
  {
    next,
    compactions,
    prices,
    model,
  }: {
    next: ReportModel['next']
    compactions: readonly Compaction[]
    prices: Prices | undefined
    model: string | undefined
  },
  titleOf: (seq: Seq) => string,
): Money {
  const known = spending.dollars !== null
  const worth = (one: Carried): number => (known ? (one.dollars ?? 0) : one.tokens * one.times)
  const all = [...carried].map(([seq, { tokens, times, dollars }]): Carried => ({
    seq,
    what: titleOf(seq),
    tokens,
    times,
    dollars: known ? dollars : null,
    here: now.filled.byEntry.has(seq),
  }))
  const price = prices ?? (model === undefined ? undefined : pricesOf(model))
  return {
    ...spending,
    summaries: compactions.reduce((sum, { spent = 0 }) => sum + spent, 0),
    kinds: dollarsByKind,
    carried: all.sort((one, other) => worth(other) - worth(one)).slice(0, mostCarried),
    ...(price && 'before' in next && { next: nextRequest(next, price) }),
  }
}

/** A timeline with another size of what fills the context now. */
function resized({ now, ...timeline }: Timeline, tokens: number): Timeline {
  const held = sumOfKinds(now.kinds)
  if (held <= 0) return { ...timeline, now }
  const factor = tokens / held
  const fit = { fixed: now.fit.fixed * factor, scale: now.fit.scale * factor }
  const all = Object.fromEntries(kinds.map((kind) => [kind, now.kinds[kind] * factor]))
  return { ...timeline, now: { ...now, fit, kinds: all as KindTokens } }
}

/** What the next request costs with a warm cache, and right after a compaction, which breaks it. */
function nextRequest({ before, after }: NextCompaction, price: Prices): NonNullable<Money['next']> {
  const warm = (tokens: number): number =>
    costOf({ inputTokens: tokens, outputTokens: 0, cacheReadTokens: tokens }, price)
  const cold = costOf({ inputTokens: after, outputTokens: 0, cacheWriteTokens: after }, price)
  return { now: warm(before), compacted: warm(after), first: cold }
}

function entriesOf(
  log: Chronological,
  { now, carried }: Timeline,
  isActive: (seq: Seq) => boolean,
): LoggedEntry[] {
  const state = new Map<Seq, LoggedEntry['now']>()
  for (const item of now.context.items) {
    if (item.type !== 'message' && item.type !== 'continuation') continue
    const replaced = item.type === 'message' ? item.replacements : item.continuation.replacements
    const how = replaced?.some((each) => each.how === 'pruned') ? 'pruned' : 'clipped'
    state.set(entryOf(item), replaced?.length ? how : 'whole')
  }
  return log.map((entry) => {
    const { seq, kind } = entry
    const gone = isActive(seq) ? 'gone' : 'rewound'
    const own = (now.filled.byEntry.get(seq) ?? carried.get(seq)?.tokens ?? 0) * now.fit.scale
    return logged(entry, {
      tokens: own,
      now: kind === 'message' ? (state.get(seq) ?? gone) : isActive(seq) ? 'never' : 'rewound',
    })
  })
}
