import { checkpointItems } from '../../log/context/items-of.ts'
import { indexAfter } from '../../log/order.ts'
import { changesView } from '../../log/entry.ts'
import { sizeAfter, unitTokens } from '../measure/unit-tokens.ts'
import { estimatedTokens, minus, toFree, plus, sumEstimated, toModel } from '../../tokens/units.ts'
import { beginPlan, summarizedAway } from '../plan/plan-compaction.ts'
import { continuationOf, type PlannedCut } from '../cut/planned-cut.ts'
import { chooseTemplate, templateText, type Template } from '../summary/template.ts'
import { restated } from './restated.ts'
import { keptReplacements } from '../clip/describe-media.ts'
import { shrinkStep } from '../clip/shrink-step.ts'
import type {
  CheckpointDraft,
  Entry,
  Seq,
  Spending,
  Continuation,
  Replacement,
  TailItem,
} from '../../log/entry.ts'
import type { EstimatedTokens, ModelTokens } from '../../tokens/units.ts'
import type { PlanInput, PlanToSummarize } from '../plan/plan.ts'
import type { Attempt, Report, Rung } from '../report.ts'
import type { ContextItem, LateItem, MessageItem } from '../../log/context/context-item.ts'
import type { Unit } from '../../log/steps.ts'
import type { Clipping } from '../clip/clip.ts'

/** The conditions for which a summary is prepared. */
export interface Basis extends SummaryWish {
  /**
   * The newest entry of the context that it covers, and the entry that last changed that context.
   */
  base: Seq
  changedAt: Seq
  /** Of the model, in its tokens. */
  window: number
  model: string | undefined
}

/** A prepared summary, and the conditions it was made for. */
export interface Prepared extends Basis {
  /** What it summarizes, and what stays word for word. */
  cut: PlannedCut
  summary: string
  summarizer: string
  rung: Rung
  attempts: Attempt[]
  spent: Spending | undefined
}

/** Why a preparation can't be used. */
export type DiscardReason =
  /** The context it summarizes has changed: pruned, compacted, rewound, pinned or redacted. */
  | 'view-changed'
  | 'model-changed'
  /** The model's window turned out to be smaller. */
  | 'window-changed'
  /** Another template or focus is requested. */
  | 'request-changed'
  /** So much was added since that the result would be above the low-water mark. */
  | 'too-large'
  /** The session, or the run that started it, has ended. */
  | 'ended'

/** What a compaction requires of a summary. */
export interface SummaryWish {
  template: Template
  focus: string | undefined
}

/** The conditions that a summary of this context is made for. */
export function basisOf({ context, frame, window }: PlanInput, wish: SummaryWish): Basis {
  const { seq: base, changedAt } = context
  return { base, changedAt, window: window.context, model: frame.model, ...wish }
}

/** Why a summary can't be used on this context; `undefined` if it can. */
export function whyStale(
  basis: Basis,
  { context, log, frame, window }: PlanInput,
  wish: SummaryWish,
): DiscardReason | undefined {
  const since = log.slice(indexAfter(log, basis.base))
  if (context.changedAt !== basis.changedAt || since.some(changesSummarized)) return 'view-changed'
  if (frame.model !== basis.model) return 'model-changed'
  if (window.context !== basis.window) return 'window-changed'
  const same = templateText(wish.template) === templateText(basis.template)
  return same && wish.focus === basis.focus ? undefined : 'request-changed'
}

/** Pins are part of the summary block, and a summary may contain redacted text. */
function changesSummarized(entry: Entry): boolean {
  if (entry.kind === 'observation') {
    return entry.observation.type === 'redaction' || entry.observation.type === 'reasoning'
  }
  return changesView(entry) || entry.kind === 'pin' || entry.kind === 'unpin'
}

/** A compaction that needs no more waiting. */
interface Adopted {
  plan: PlanToSummarize
  drafts: CheckpointDraft[]
  report: Report
}

/** A prepared cut as it would be committed, and what the next request would then hold. */
interface Made {
  plan: PlanToSummarize
  draft: CheckpointDraft
  after: ModelTokens
}

/** The options of a compaction, and its time. */
interface Asked {
  template?: Template | undefined
  focus?: string | undefined
  /** Milliseconds since 1970. */
  now: number
}

/**
 * Makes a compaction of the current context from a prepared one: its summary, its tail, and
 * everything added since, with the newest step clipped if necessary. The session continues from the
 * current state, so the continuation is decided again. Returns a reason if the preparation is stale
 * or doesn't reach the low-water mark, and `undefined` if there is nothing to compact.
 * @throws ContextFloorError if even the smallest possible context doesn't fit the window.
 */
export function adopt(
  prepared: Prepared,
  input: PlanInput,
  { template, focus, now }: Asked,
): Adopted | DiscardReason | undefined {
  const wish = { template: chooseTemplate([template], input.policy.template), focus }
  const stale = whyStale(prepared, input, wish)
  if (stale) return stale
  const begun = beginPlan(input)
  if ('action' in begun) return undefined
  const { units, ...planned } = begun
  const { context, log, policy, counter } = input
  const { budget, measurement, trigger } = planned
  const { items } = context
  const { base } = prepared
  const continuation = continuationOf(units, policy)
  const clipping = { counter, recallTool: policy.recallTool }
  const made = (over: EstimatedTokens): Made => {
    const cut = cutSince(prepared.cut, { base, items, units, continuation, over, ...clipping })
    const dropped = summarizedAway(input, cut)
    const plan: PlanToSummarize = { ...planned, action: 'summarize', cut, dropped }
    const asked = draftOf(prepared, plan, { base: context.seq, now })
    const { standing } = cut
    const written = { draft: asked, since: base, template: wish.template, standing }
    const draft = { ...asked, summary: restated(written, input) }
    const changed = checkpointItems(context, { ...draft, seq: draft.base + 1 }, log)
    const after = sizeAfter(input, measurement, changed)
    return { plan, draft, after }
  }
  const whole = made(estimatedTokens(0))
  const over = toFree(minus(whole.after, budget.lowWater), counter.ratio)
  const { plan, draft, after } = over > 0 ? made(over) : whole
  if (after > budget.lowWater || after >= sizeAfter(input, measurement, items)) return 'too-large'
  const { rung, summarizer, attempts, spent } = prepared
  const report: Report = {
    action: 'summary',
    trigger,
    ...(planned.cold && { cold: planned.cold }),
    rung,
    summarizer,
    before: measurement.tokens,
    after,
    fits: after < budget.usable,
    dropped: plan.dropped,
    attempts,
    prepared: true,
    ...(spent && { spent }),
  }
  return { plan, drafts: [draft], report }
}

function draftOf(
  { summary, summarizer, rung, spent, base: prepared }: Prepared,
  { trigger, measurement, cut: { tail, continuation } }: PlanToSummarize,
  { base, now }: { base: Seq; now: number },
): CheckpointDraft {
  return {
    kind: 'checkpoint',
    at: now,
    base,
    summary,
    summarizer,
    tail,
    continuation,
    metadata: {
      trigger,
      rung,
      tokensBefore: measurement.tokens,
      prepared,
      ...(spent && { spent }),
    },
  }
}

/** What was added after a prepared cut. */
interface Since extends Clipping {
  /** The newest entry when the cut was made. */
  base: Seq
  /** The context as it is now. */
  items: readonly ContextItem[]
  units: readonly Unit[]
  continuation: Continuation | null
  /** By how much its newest step has to be smaller, as the counter counts. */
  over: EstimatedTokens
}

/**
 * The cut with everything that was added since in its tail, word for word except for clipped parts.
 */
function cutSince(cut: PlannedCut, since: Since): PlannedCut {
  const { base, items, continuation, counter } = since
  const clipped = clippedStep(since)
  const stays = (item: ContextItem): item is Said => item.seq > base && isSaid(item)
  const said = items.filter(stays)
  const added = sumEstimated(said.map(({ message }) => counter.message(message)))
  const tail = [...cut.tail, ...said.map((item) => tailItem(item, clipped.get(item)))]
  return {
    ...cut,
    tail: tail.filter((item) => item.type === 'omission' || item.seq !== continuation?.of),
    tailTokens: plus(cut.tailTokens, toModel(added, counter.ratio)),
    continuation,
  }
}

type Said = MessageItem | LateItem

function isSaid({ type }: ContextItem): boolean {
  return type === 'message' || type === 'late'
}

function tailItem(item: Said, clipped: Replacement[] | undefined): TailItem {
  const replacements = clipped ?? keptReplacements(item)
  return { type: 'entry', seq: item.seq, ...(replacements.length > 0 && { replacements }) }
}

/**
 * The most common reason for exceeding the threshold is one large output: it is clipped, as in any
 * tail.
 */
function clippedStep({ units, over, ...clipping }: Since): ReadonlyMap<ContextItem, Replacement[]> {
  const step = units.findLast((unit) => unit.type === 'step')
  if (over <= 0 || !step) return new Map()
  const kept = step.items.flatMap(keptReplacements)
  const room = minus(unitTokens(step, kept, clipping.counter), over)
  const replacements = shrinkStep(step, kept, room, clipping)
  return new Map(
    step.items.map((item) => [
      item,
      replacements.filter(({ ref }) => ref.startsWith(`${item.seq}.`)),
    ]),
  )
}
