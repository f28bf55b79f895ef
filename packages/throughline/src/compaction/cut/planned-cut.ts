import { allSteps } from '../../json/all-steps.ts'
import type { Counter } from '../../tokens/counter.ts'
import { earlierReplacements, keptReplacements } from '../clip/describe-media.ts'
import { unusedReports } from '../../facts/background/told-background.ts'
import { isLocalSummary } from '../../facts/summary/local-summary.ts'
import { unitTokens } from '../measure/unit-tokens.ts'
import { measureItems } from '../measure/measure.ts'
import { summaryBlock, summaryRoleOf, withRecallNote } from '../render/summary-block.ts'
import {
  estimatedTokens,
  least,
  minus,
  most,
  plus,
  share,
  sumEstimated,
  toEstimated,
  toModel,
  type EstimatedTokens,
  type ModelTokens,
} from '../../tokens/units.ts'
import type { Context } from '../../log/context/context.ts'
import type { Continuation, Ref, Replacement, Seq, TailItem } from '../../log/entry.ts'
import type { Unit } from '../../log/steps.ts'
import type { Policy } from '../policy.ts'
import type { Trigger } from '../trigger.ts'
import type { Facts } from '../../facts/facts.ts'

/** Where a compaction cuts. Sizes are in tokens of the model. */
export interface PlannedCut {
  head: Unit[]
  /** The newest entry of the head; 0 if nothing can be summarized. */
  through: Seq
  tail: TailItem[]
  tailTokens: ModelTokens
  /** Nothing is to change where the head is empty: no other rung is tried. */
  leave?: true
  continuation: Continuation | null
  /** The summary that the new one updates. */
  previous: string | undefined
  /** The summary's budget: what tail, continuation, pins and wrapper leave. */
  summaryBudget: ModelTokens
  /** The most that the human's rules may take of it. */
  standing: ModelTokens
}

// The mark of the list, and the ref.
const perRule = estimatedTokens(6)

/** What summary and tail may hold, in tokens of the model. */
export interface CutBudget {
  /** Together. */
  keep: ModelTokens
  /** The tail alone, before a rung asks for less. */
  tail: ModelTokens
  /** What the low-water mark leaves for both, with media that are not answered yet. */
  room: ModelTokens
  /** The most that pins and rules hold together. */
  standing: ModelTokens
  /** The tail takes what a summary by code has left: older talk stays in it, too. */
  keepsTalk?: true
}

export interface CutPlanInput {
  context: Context
  facts: () => Facts
  policy: Policy
  counter: Counter
  trigger: Trigger
  /** Who would be asked for a summary; without one, code writes it. */
  summarizer?: unknown
  /** The request is for another summary than the current one. */
  anew?: boolean | undefined
}

// Five headings with one line each: with less room, a summary says nothing.
const leastSummary = estimatedTokens(200)

// Of what the low-water mark leaves, what one human message may hold before its middle is clipped:
// its first and its last 1,000 to 2,000 tokens stay.
const requestShare = 0.6
const requestLeast = 2_000
const requestMost = 4_000

// Where somebody asked to keep less than the window has room for, one message takes no more of it
// than this: a long request may not leave a summary of a few lines. Where little is kept, the summary
// beside it is worth more than its middle.
const shareOfRequest = 0.35
const leastOfRequest = 0.25
const besideRequest = estimatedTokens(5_200)

// Where somebody asked to keep less than a window of any size would, one message takes no more of it
// than it could there.
const roomOverKeep = 1.25

// Where half a tail is more than has to go, so often a longer one is tried, while the difference is
// worth it.
const mostAttempts = 4
const leastMore = estimatedTokens(50)

// Older human messages are in the summary: they must not push it out.
const stretchShare = 0.45

/** The most that one human message may hold in a tail, of the room for summary and tail. */
export function requestTokens(room: EstimatedTokens): EstimatedTokens {
  return estimatedTokens(
    Math.min(Math.max(Math.floor(room * requestShare), requestLeast), requestMost),
  )
}

/**
 * Plans the cut with a tail of about `tailBudget`; with a shorter one if the summary would have no
 * room. Where nothing is left for the head because the tail holds all, clipped, that is the plan.
 */
export function planCut(...asked: Parameters<typeof cutSteps>): PlannedCut {
  return allSteps(cutSteps(...asked))
}

/** The same in steps, one for each tail that is tried: other work comes between them. */
export function* cutSteps(
  { context, facts: index, policy, counter, trigger, summarizer, anew }: CutPlanInput,
  units: readonly Unit[],
  budget: CutBudget,
  tailBudget: ModelTokens,
): Generator<undefined, PlannedCut> {
  const { ratio } = counter
  const nothing = estimatedTokens(0)
  // The tail is cut by our own count; what it leaves of `keep` is reported in tokens of the model.
  const keep = toEstimated(budget.keep, ratio)
  const full = toEstimated(budget.tail, ratio)
  const standing = toEstimated(budget.standing, ratio)
  const rules = minus(standing, pinTokens(context, counter))
  const smallest = plus(leastSummary, least(ruleTokens(index(), counter), most(rules, nothing)))
  const overhead = blockOverhead(context, policy, counter)
  // The last rung has no room for media, and after an overflow large ones are what is suspected.
  const mediaRoom = minus(toEstimated(budget.room, ratio), overhead, smallest, full)
  const mediaShare = tailBudget <= 0 ? 0 : trigger === 'overflow' ? 0.25 : 1
  const media = most(share(mediaRoom, mediaShare), nothing)
  const continuation = shownContinuation(units, policy, counter, media)
  const repeated = continuation?.of
  const toCut =
    repeated === undefined
      ? units
      : units.filter((unit) => unit.type !== 'human' || unit.seq !== repeated)
  const taken = continuation ? counter.message(continuation.message) : nothing
  const room = minus(keep, taken, overhead)
  // If everything fits, everything stays: no medium is dropped for nothing.
  let unchanged: PlannedCut | undefined
  // Where nothing is summarized, the earlier summary stays as it is.
  const asItIs = counter.text(context.checkpoint?.summary ?? '')
  const roomThere = toEstimated(budget.room, ratio)
  const likeThere = share(keep, roomOverKeep)
  const isAsked = roomThere > likeThere
  const request = requestTokens(least(roomThere, likeThere))
  const part = most(share(keep, leastOfRequest), minus(keep, besideRequest))
  const asked = isAsked ? least(request, share(keep, shareOfRequest), part) : request
  const withTail = (tail: EstimatedTokens): { cut: PlannedCut; fits: boolean; same: boolean } => {
    const cut = policy.cut({
      units: toCut,
      budget: most(tail, nothing),
      full,
      stretch: tail > 0 ? minus(share(keep, stretchShare), taken) : nothing,
      request: asked,
      media,
      olderMedia: policy.olderMedia,
      tailTurns: policy.tailTurns,
      protectedTools: policy.protectedTools,
      wanted: unusedReports(index()),
      leavesCallsOut: context.reasoning.refused && context.reasoning.demanded,
      tellsTalk: summarizer === undefined && !budget.keepsTalk,
      counter,
      recallTool: policy.recallTool,
    })
    const left = minus(plus(room, cut.mediaTokens ?? nothing), cut.tailTokens)
    const through = newestSeq(cut.head)
    const planned: PlannedCut = {
      ...cut,
      through,
      continuation,
      tailTokens: toModel(cut.tailTokens, ratio),
      // Where an agent folded steps in version 0.2, there may be no summary yet.
      previous: context.checkpoint?.summary || undefined,
      summaryBudget: toModel(most(left, smallest), ratio),
      standing: toModel(most(rules, nothing), ratio),
    }
    if (through > 0) return { cut: planned, fits: left >= smallest, same: false }
    const replaced = newReplacements(units, cut)
    if (trigger === 'manual' && left >= asItIs && replaced.length === 0) unchanged = planned
    const onlyMedia = unchanged !== undefined && replaced.every(({ how }) => how === 'described')
    const fits = left >= asItIs && replaced.length > 0 && !onlyMedia
    return { cut: planned, fits, same: onlyMedia }
  }
  let tail = minus(toEstimated(tailBudget, ratio), taken)
  if (isCompacted()) return { ...withTail(tail).cut, through: 0, leave: true }
  let tooLong: EstimatedTokens | undefined
  for (;;) {
    const { cut, fits, same } = withTail(tail)
    if (fits) return tooLong === undefined ? cut : yield* longestThatFits(cut, tail, tooLong)
    if (tail <= 0) return same && unchanged ? unchanged : cut
    yield
    // If a summary already exists, what fits need not be dropped just to drop something.
    tooLong = cut.through === 0 && context.checkpoint ? tail : undefined
    tail = share(tail, 0.5)
  }

  /**
   * Whether nothing was said since, and what code wrote and kept still fits: telling it again would
   * only lose some of it.
   */
  function isCompacted(): boolean {
    if (trigger !== 'manual' || summarizer !== undefined || anew === true) return false
    const { checkpoint } = context
    if (!checkpoint || !isLocalSummary(checkpoint.summary)) return false
    if (newestSeq(units) > checkpoint.seq) return false
    return measureItems(context.items, counter, summaryRoleOf(policy)) <= budget.keep
  }

  /** Between a tail that leaves nothing to summarize and half of it: the longest that leaves some. */
  function* longestThatFits(
    cut: PlannedCut,
    short: EstimatedTokens,
    long: EstimatedTokens,
  ): Generator<undefined, PlannedCut> {
    let best = { cut, tail: short }
    let above = long
    for (
      let attempt = 0;
      attempt < mostAttempts && minus(above, best.tail) > leastMore;
      attempt++
    ) {
      yield
      const tail = share(plus(best.tail, above), 0.5)
      const tried = withTail(tail)
      if (tried.fits) best = { cut: tried.cut, tail }
      else above = tail
    }
    return best.cut
  }
}

/** The replacements that a cut makes for parts that were unchanged before. */
export function newReplacements(
  units: readonly Unit[],
  { tail }: Pick<PlannedCut, 'tail'>,
): Replacement[] {
  const replaced = tail.flatMap((item) => (item.type === 'entry' ? (item.replacements ?? []) : []))
  if (replaced.length === 0) return []
  const known = new Map<Ref, Replacement>()
  for (const { items } of units) {
    for (const item of items) {
      // Few are clipped, and this is asked of every cut.
      if (item.type === 'message' && item.replacements === undefined) continue
      for (const replacement of earlierReplacements(item)) known.set(replacement.ref, replacement)
    }
  }
  return replaced.filter((item) => known.get(item.ref) !== item)
}

/**
 * The continuation. There is none if it would only repeat, as text, a message whose newest medium
 * has room in the tail: then the message itself ends the tail.
 */
function shownContinuation(
  units: readonly Unit[],
  policy: Policy,
  counter: Counter,
  media: EstimatedTokens,
): Continuation | null {
  const continuation = continuationOf(units, policy)
  if (continuation?.kind !== 'media') return continuation
  const unit = units.find(
    ({ type, items }) => type === 'human' && items[0]?.seq === continuation.of,
  )
  if (!unit) return continuation
  const described = unit.items.flatMap(keptReplacements)
  const older = described.slice(0, -1)
  const newest = minus(unitTokens(unit, older, counter), unitTokens(unit, described, counter))
  return newest <= media ? null : continuation
}

/**
 * A plugin may answer anything, but there is no continuation before a pending call, and it can't
 * repeat an entry that is not a message.
 */
export function continuationOf(units: readonly Unit[], policy: Policy): Continuation | null {
  const last = units.at(-1)
  if (last?.type === 'step' && last.status === 'pending') return null
  const continuation = policy.continuation(units)
  if (continuation?.of === undefined) return continuation
  if (units.some((unit) => unit.type === 'human' && unit.seq === continuation.of)) {
    return continuation
  }
  const { of: _, replacements: __, ...own } = continuation
  return own
}

/** The wrapper of the summary with its pins. */
function blockOverhead(
  context: Context,
  { recallTool }: Policy,
  counter: Counter,
): EstimatedTokens {
  const pins = [...context.pins.values()].map(({ text }) => text)
  const takenBack = context.unpinned.map(({ text }) => text)
  const block = summaryBlock({ summary: '', pins, takenBack })
  return counter.message({ role: 'user', content: withRecallNote(block, recallTool) })
}

function pinTokens({ pins }: Context, counter: Counter): EstimatedTokens {
  return sumEstimated([...pins.values()].map(({ text }) => counter.text(text)))
}

/** Rules go last: the summary has room for them, whatever else must go, up to their limit. */
function ruleTokens(facts: Facts, counter: Counter): EstimatedTokens {
  const rules = facts.rules.filter((rule) => rule.retractedBy === undefined)
  return sumEstimated(rules.map(({ text }) => plus(counter.text(text), perRule)))
}

function newestSeq(units: readonly Unit[]): Seq {
  let newest = 0
  for (const unit of units) {
    for (const item of unit.items) {
      if (item.type === 'message' || item.type === 'late') newest = Math.max(newest, item.seq)
    }
  }
  return newest
}
