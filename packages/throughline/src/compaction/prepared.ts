import { checkpointItems } from '../log/checkpoint-items.ts'
import { indexAfter } from '../log/entry-at.ts'
import { changesView } from '../log/view-change.ts'
import { keptReplacements } from './kept-replacements.ts'
import { measureItems } from './measure.ts'
import { continuationOf } from './planned-cut.ts'
import { plannedUnits } from './planned-units.ts'
import { summaryRoleOf } from './summary-block.ts'
import type { ContextItem } from '../log/context-item.ts'
import type { CheckpointDraft, Entry, Seq, Spending, TailItem } from '../log/entry.ts'
import type { Plan, PlanInput } from './plan.ts'
import type { Attempt, Report, Rung } from './report.ts'
import { chooseTemplate, templateText, type Template } from './summary/template.ts'

/** What a summary is made for, before it is needed. */
export interface Basis extends SummaryWish {
  /** The newest entry of the context that it is made of, and the one that last changed that. */
  base: Seq
  changedAt: Seq
  /** Tokens of the model's window. */
  window: number
  model: string | undefined
}

/** A summary that was made before it is needed, and all that it was made for. */
export interface Prepared extends Basis {
  /** What of that context stays word for word. */
  tail: TailItem[]
  summary: string
  summarizer: string
  rung: Rung
  attempts: Attempt[]
  spent: Spending | undefined
}

/** Why something prepared is of no use. */
export type DiscardReason =
  /** What it summarises is not what the model sees any more: pruned, compacted, rewound, pinned, redacted. */
  | 'view-changed'
  | 'model-changed'
  /** The model's window has proved to be smaller. */
  | 'window-changed'
  /** Another template or focus is asked for. */
  | 'request-changed'
  /** So much has come since that it does not reach the low-water mark. */
  | 'too-large'
  /** The session, or the run that began it, has ended. */
  | 'ended'

/** What a compaction asks of a summary. */
export interface SummaryWish {
  template: Template
  focus: string | undefined
}

/** What a summary of this context is made for. */
export function basisOf({ context, frame, window }: PlanInput, wish: SummaryWish): Basis {
  const { seq: base, changedAt } = context
  return { base, changedAt, window: window.context, model: frame.model, ...wish }
}

/** Why a summary cannot be used on this context; `undefined` if it can. */
export function whyStale(
  basis: Basis,
  { context, log, frame, window }: PlanInput,
  wish: SummaryWish,
): DiscardReason | undefined {
  const since = log.slice(indexAfter(log, basis.base))
  if (context.changedAt !== basis.changedAt || since.some(changesSummarised)) return 'view-changed'
  if (frame.model !== basis.model) return 'model-changed'
  if (window.context !== basis.window) return 'window-changed'
  const same = templateText(wish.template) === templateText(basis.template)
  return same && wish.focus === basis.focus ? undefined : 'request-changed'
}

/** Pins stand in the block of the summary, and a summary may hold what was redacted. */
function changesSummarised(entry: Entry): boolean {
  if (entry.kind === 'observation') return entry.observation.type === 'redaction'
  return changesView(entry) || entry.kind === 'pin' || entry.kind === 'unpin'
}

/** A checkpoint from something prepared, and the size of the next request with it, in tokens. */
interface Adopted {
  draft: CheckpointDraft
  after: number
  done: Pick<Report, 'action' | 'rung' | 'summarizer' | 'attempts' | 'spent' | 'prepared'>
}

/** What a compaction is asked for, and when. */
interface Asked {
  template?: Template | undefined
  focus?: string | undefined
  /** Milliseconds since 1970. */
  now: number
}

/**
 * The checkpoint that something prepared makes of the present context: its summary, its tail, and
 * everything that came since. The session goes on from here, so that the continuation is decided
 * anew. Says why not, if it is stale or does not reach the low-water mark.
 */
export function adopt(
  prepared: Prepared,
  input: PlanInput,
  plan: Plan,
  { template, focus, now }: Asked,
): Adopted | DiscardReason {
  const wish = { template: chooseTemplate([template], input.policy.template), focus }
  const stale = whyStale(prepared, input, wish)
  if (stale) return stale
  const { context, log, policy, counter } = input
  const continuation = continuationOf(plannedUnits(context, input.index(), log), policy)
  const tail = [...prepared.tail, ...tailSince(prepared.base, context.items)]
  const { summary, summarizer, rung, spent } = prepared
  const draft: CheckpointDraft = {
    kind: 'checkpoint',
    at: now,
    base: context.seq,
    summary,
    summarizer,
    tail: tail.filter((item) => item.type === 'gap' || item.seq !== continuation?.of),
    continuation,
    metadata: {
      trigger: plan.trigger,
      rung,
      tokensBefore: plan.measurement.tokens,
      prepared: prepared.base,
      ...(spent && { spent }),
    },
  }
  const { system, tools } = plan.measurement
  const size = (items: PlanInput['context']['items']): number =>
    system + tools + measureItems(items, counter, summaryRoleOf(policy))
  const after = size(checkpointItems(context, { ...draft, seq: draft.base + 1 }, log))
  if (after > plan.budget.lowWater || after >= size(context.items)) return 'too-large'
  const { attempts } = prepared
  const done = { action: 'summary', rung, summarizer, attempts, prepared: true } as const
  return { draft, after, done: { ...done, ...(spent && { spent }) } }
}

function tailSince(base: Seq, items: readonly ContextItem[]): TailItem[] {
  return items.flatMap((item): TailItem[] => {
    if (item.seq <= base || (item.type !== 'message' && item.type !== 'late')) return []
    const replacements = keptReplacements(item)
    return [{ type: 'entry', seq: item.seq, ...(replacements.length > 0 && { replacements }) }]
  })
}
