import { CompactionVetoedError, ContextFloorError } from '../compaction/errors.ts'
import { compactLog, type CompactLogOptions } from '../session/once/compact-log.ts'
import { compare, type ComparisonOptions } from './comparison.ts'
import { sumOfKinds, type Fit } from './kinds.ts'
import { undoneBy } from './logged.ts'
import { writtenMark } from '../ledger/recognize-own.ts'
import type { Facts } from '../facts/facts.ts'
import type { Entry, EntryOf, Seq } from '../log/entry.ts'
import type { Chronological } from '../log/order.ts'
import type { Counter } from '../tokens/counter.ts'
import type { Compaction, ReportModel, ReportedRewind } from './model.ts'
import type { Summary } from './summary-lines.ts'
import type { Timeline, ViewChange } from './timeline.ts'

// Older ones have only their figures.
const mostCompared = 30

interface CompactionOptions extends Omit<ComparisonOptions, 'facts'> {
  factsUpTo: (seq: Seq) => Facts
  isActive: (seq: Seq) => boolean
}

/** Every compaction and pruning, and what it did. */
export function compactionsOf(
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
    const counted = writtenMark(entry)?.before ?? metadata['preTokens']
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

/** Only ours cite entries of this log. */
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
export function fitted(counter: Counter, { scale }: Fit): Counter {
  return { ...counter, ratio: counter.ratio * scale }
}

type CompactionChange = ViewChange & { entry: EntryOf<'checkpoint'> | EntryOf<'prune'> }

function isCompaction(change: ViewChange): change is CompactionChange {
  return change.entry.kind !== 'rewind'
}

export function rewindsOf(changes: readonly ViewChange[]): ReportedRewind[] {
  return changes.flatMap(({ entry, request }) => {
    if (entry.kind !== 'rewind') return []
    const undid = undoneBy(entry)
    const { seq, at, to } = entry
    return [{ seq, at, to, request, ...(undid !== undefined && { undid }) }]
  })
}

/** What a compaction would do now, by code alone. */
export async function nextCompaction(
  log: Chronological,
  options: CompactLogOptions,
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
