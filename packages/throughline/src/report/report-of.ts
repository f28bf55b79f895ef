import { CompactionVetoedError, ContextFloorError } from '../compaction/errors.ts'
import { summaryRoleOf } from '../compaction/render/summary-block.ts'
import { renderContext } from '../compaction/render/render.ts'
import { advanceFacts, emptyFacts } from '../facts/facts-of.ts'
import { isIn, rangesAt } from '../log/history.ts'
import { compactLog, planInputFor, type CompactLogOptions } from '../session/once/compact-log.ts'
import { costOf, pricesOf, type Prices } from '../tokens/prices.ts'
import { usableTokens } from '../tokens/window.ts'
import { compare, type ComparisonOptions } from './comparison.ts'
import { fillings } from './fillings.ts'
import { entryOf, type Counting } from './filling.ts'
import { sumOfKinds } from './kinds.ts'
import { annotationIn, logged, undoneBy } from './logged.ts'
import { namesInWords, standingIn, visibleText } from './standing.ts'
import { callsOf, entryTitle } from './subject.ts'
import { timelineOf, type Timeline, type ViewChange } from './timeline.ts'
import type { Summary } from './summary-lines.ts'
import type { Fit } from './fit.ts'
import type { Facts } from '../facts/facts.ts'
import type { Context } from '../log/context.ts'
import type { Entry, EntryOf, Seq } from '../log/entry.ts'
import type { Chronological } from '../log/order.ts'
import type { Counter } from '../tokens/counter.ts'
import type { SessionFacts } from '../formats/format.ts'
import type {
  Carried,
  Compaction,
  LoggedEntry,
  Money,
  NextCompaction,
  ReportModel,
  ReportedRewind,
} from './model.ts'

/** A session to report on. */
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

// Older ones keep their figures; hundreds of comparisons would be read by nobody.
const mostCompared = 30

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
  const timeline = timelineOf(log, { ...counting, frame, prices: options.prices })
  const calls = callsOf(log)
  const root = input.facts().root || session.facts.directory
  const belowRoot = (text: string): string =>
    root === undefined || root.length < 2 ? text : text.replaceAll(`${root}/`, '')
  const shared = {
    ...counting,
    titleOf: (seq: Seq) => belowRoot(entryTitle(log, seq, calls)),
    protectedTools: policy.protectedTools,
  }
  const folded = emptyFacts()
  const factsUpTo = (upTo: Seq): Facts =>
    advanceFacts(folded, log, { lenses: policy.lenses, directories, upTo })
  const { context } = timeline.now
  const isActive = activeIn(context)
  const compactions = compactionsOf(timeline, { ...shared, factsUpTo, isActive })
  const facts = factsUpTo(Number.MAX_SAFE_INTEGER)
  const next = await nextCompaction(session, options, timeline, { ...shared, facts })
  const messages = renderContext(context.items, counting.summaryRole).messages
  const usable = usableTokens(window, policy.reserved(window))
  const tokens = sumOfKinds(timeline.now.kinds)
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
      to: log.at(-1)?.at ?? 0,
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
      ...fillings(context.items, {
        counter: fitted(counter, timeline.now.fit),
        root,
        lenses: policy.lenses,
      }),
    },
    money: moneyOf(timeline, { next, compactions, prices: options.prices, model }, shared.titleOf),
    standing: standingIn(visibleText(messages), facts, namesInWords(facts)),
    next,
    pins: [...context.pins.values()].map(({ seq, text }) => ({ seq, text })),
    annotations: log.flatMap((entry) => annotationIn(entry) ?? []),
    entries: entriesOf(log, timeline, isActive),
  }
}

function activeIn({ rewinds, seq: newest }: Context): (seq: Seq) => boolean {
  const ranges = rangesAt(rewinds, newest)
  return (seq) => isIn(ranges, seq)
}

interface CompactionOptions extends Omit<ComparisonOptions, 'facts'> {
  factsUpTo: (seq: Seq) => Facts
  isActive: (seq: Seq) => boolean
}

function compactionsOf(
  { changes, now }: Timeline,
  { factsUpTo, isActive, ...options }: CompactionOptions,
): Compaction[] {
  const made = changes.filter(isCompaction)
  const newest = now.context.checkpoint?.seq ?? 0
  return made.map((change, index): Compaction => {
    const { entry, before, after, sizes, request, fit } = change
    const { seq, at, kind, metadata } = entry
    const upTo = kind === 'checkpoint' ? Math.min(entry.base, seq - 1) : seq - 1
    const summary = kind === 'checkpoint' ? summaryOf(entry) : undefined
    const counted = metadata['preTokens']
    const trigger = metadata['trigger']
    const spent = metadata.spent?.cost
    return {
      seq,
      at,
      kind: kind === 'checkpoint' ? 'summary' : 'pruning',
      by: kind === 'checkpoint' ? entry.summarizer : '',
      request,
      before: isCounted(counted, kind, sizes) ? counted : sizes.before,
      after: sizes.after,
      state: !isActive(seq) ? 'undone' : seq < newest ? 'replaced' : 'in force',
      ...(typeof trigger === 'string' && { trigger }),
      ...(typeof spent === 'number' && { spent }),
      ...(index >= made.length - mostCompared && {
        detail: compare(
          { before, after, summary, upTo },
          { ...options, counter: fitted(options.counter, fit), facts: factsUpTo(upTo) },
        ),
      }),
    }
  })
}

/** Only ours cite their entries. */
function summaryOf({ summary, metadata }: EntryOf<'checkpoint'>): Summary {
  return { text: summary, hasRefs: metadata['rung'] !== undefined }
}

/** What a client says that it compacted; for a pruning, some say what they saved. */
function isCounted(
  value: unknown,
  kind: CompactionChange['entry']['kind'],
  { after }: ViewChange['sizes'],
): value is number {
  return kind === 'checkpoint' && typeof value === 'number' && value > after
}

/** Counts as the provider did at that time. */
function fitted(counter: Counter, { scale }: Fit): Counter {
  return { ...counter, ratio: counter.ratio * scale }
}

type CompactionChange = ViewChange & { entry: EntryOf<'checkpoint'> | EntryOf<'prune'> }

function isCompaction(change: ViewChange): change is CompactionChange {
  return change.entry.kind !== 'rewind'
}

function rewindsOf(changes: readonly ViewChange[]): ReportedRewind[] {
  return changes.flatMap(({ entry, request }) => {
    if (entry.kind !== 'rewind') return []
    const undid = undoneBy(entry)
    const { seq, at, to } = entry
    return [{ seq, at, to, request, ...(undid !== undefined && { undid }) }]
  })
}

/** What a compaction would do now, by code alone. */
async function nextCompaction(
  { log }: Reported,
  options: ReportOptions,
  { now }: Timeline,
  comparing: ComparisonOptions,
): Promise<ReportModel['next']> {
  const { summarizer: _, ...local } = options
  try {
    const { context, log: grown, report } = await compactLog(log, { ...local, trigger: 'manual' })
    if (report.action === 'none') return { reason: 'There is nothing to compact.' }
    const entry = grown.findLast(({ kind }) => kind === 'checkpoint' || kind === 'prune') as Entry
    const summary = entry.kind === 'checkpoint' ? summaryOf(entry) : undefined
    const shrunk = {
      before: now.context.items,
      after: context.items,
      summary,
      upTo: log.at(-1)?.seq ?? 0,
    }
    const counter = fitted(comparing.counter, now.fit)
    const detail = compare(shrunk, { ...comparing, counter })
    const after = detail.result.reduce((sum, { tokens }) => sum + tokens, now.kinds.fixed)
    return {
      kind: entry.kind === 'checkpoint' ? 'summary' : 'pruning',
      by: 'local',
      before: sumOfKinds(now.kinds),
      after,
      detail,
    }
  } catch (error) {
    if (error instanceof ContextFloorError || error instanceof CompactionVetoedError) {
      return { reason: error.message }
    }
    throw error
  }
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
