import { beginPlan } from '../plan/plan-compaction.ts'
import { checkpointItems } from '../../log/context/items-of.ts'
import { closedSubTask, type ClosedSubTask, type SubTask } from './sub-task.ts'
import { defaultTemplate } from '../summary/template.ts'
import { droppedBetween } from '../plan/dropped-between.ts'
import { earlierReplacements } from '../clip/describe-media.ts'
import {
  estimatedTokens,
  least,
  most,
  share,
  sumEstimated,
  type EstimatedTokens,
} from '../../tokens/units.ts'
import { factsOf } from '../../facts/facts-of.ts'
import { keptItem } from '../../log/context/kept-reasoning.ts'
import { chronological } from '../../log/order.ts'
import { messageText } from '../../log/message.ts'
import { reportBefore, type Report } from '../report.ts'
import { sizeAfter, unitTokens } from '../measure/unit-tokens.ts'
import { summaryProblems } from '../summary/check.ts'
import { unitsOf, type Unit } from '../../log/steps.ts'
import type { CheckpointDraft, Omission, Seq, TailItem } from '../../log/entry.ts'
import type { Compaction } from '../compaction.ts'
import type { Context } from '../../log/context/context.ts'
import type { ContextItem } from '../../log/context/context-item.ts'
import type { Counter } from '../../tokens/counter.ts'
import type { PlanInput, PlanToSummarize } from '../plan/plan.ts'
import type { Policy } from '../policy.ts'
import { missingErrors, type RepairInput } from '../summary/repair.ts'
import { withoutInventions } from '../summary/invented-names.ts'
import { untoldFiles } from '../summary/told-files.ts'
import { withoutImitations } from '../summary/models-words.ts'

/** What a sub-task has put into a context, and what its summary may take. */
export interface Stretch {
  folded: readonly Unit[]
  tokens: EstimatedTokens
  /** The most that the text in its place may hold. */
  room: EstimatedTokens
}

// Of a stretch, what the text in its place may hold: as for any stretch that becomes a summary.
const textShare = 0.25
const leastText = estimatedTokens(300)
const mostText = estimatedTokens(4_000)

// Less than this is not worth a fold: the provider reads everything after it again.
const leastStretch = 800

/**
 * The steps between two marks. What a human said in between stays in its words, and so do pinned
 * parts and the results of protected tools.
 */
export function stretchOf(
  units: readonly Unit[],
  { opened }: SubTask,
  closed: number,
  { context, policy, counter }: Pick<PlanInput, 'context' | 'policy' | 'counter'>,
): Stretch {
  const stays = staying(context, policy)
  const folded = units.slice(opened + 1, closed).filter((unit) => !stays(unit))
  const tokens = sumEstimated(folded.map((unit) => tokensOf(unit, counter)))
  return { folded, tokens, room: most(least(share(tokens, textShare), mostText), leastText) }
}

/** Why a sub-task is not folded, for its agent; `undefined` if it can be. */
export function whyNotFolded(
  learned: string,
  { tokens, room }: Stretch,
  { context, counter }: Pick<PlanInput, 'context' | 'counter'>,
): string | undefined {
  const { refused, demanded } = context.reasoning
  if (refused && demanded) return 'this provider takes no steps behind what was folded'
  if (tokens < leastStretch) return `it has only ${tokens} tokens`
  const count = counter.text
  if (count(learned) > room)
    return `what you learned may have ${room} tokens at most: say it shorter`
  const answer = { text: `## Discoveries\n${learned}`, finish: 'stop' } as const
  const check = { template: defaultTemplate, budget: room, count, replaced: tokens }
  const [problem] = summaryProblems(answer, check)
  return problem === undefined ? undefined : `what you learned says too little: ${problem}`
}

/**
 * Folds the sub-task that the newest step has closed: its steps become what the agent learned, with
 * what the record adds, in their own place. All before it stays as it is, byte for byte, so that a
 * provider's cache holds up to there. A checkpoint like any other; `undefined` if nothing was closed
 * or nothing would become smaller.
 */
export function planFold(input: PlanInput, now: number): Compaction | undefined {
  const { context, policy, log } = input
  const tool = policy.foldTool
  if (tool === undefined) return undefined
  const units = unitsOf(context.items)
  const closed = closedSubTask(units, tool)
  if (!closed) return undefined
  const stretch = stretchOf(units, closed, closed.closed, input)
  if (whyNotFolded(closed.learned, stretch, input) !== undefined) return undefined
  // The view has been changed since: undone, or compacted.
  if (context.changedAt > newestSeq([units[closed.closed] as Unit])) return undefined
  const begun = beginPlan({
    ...input,
    trigger: 'manual',
    facts: () => stretchFacts(input, stretch),
  })
  if ('action' in begun) return undefined
  const { units: _, ...planned } = begun
  const passage = passageOf(closed, stretch, input)
  const { tail, fold } = foldedTail(context, stretch, passage)
  const { summary = '' } = context.checkpoint ?? {}
  const { tokens } = planned.measurement
  const draft: CheckpointDraft = {
    kind: 'checkpoint',
    at: now,
    base: context.seq,
    summary,
    summarizer: 'agent',
    tail,
    continuation: null,
    fold,
    metadata: { trigger: 'manual', rung: 'fold', tokensBefore: tokens },
  }
  const items = checkpointItems(context, { ...draft, seq: draft.base + 1 }, log)
  const before = sizeAfter(input, planned.measurement, context.items)
  const after = sizeAfter(input, planned.measurement, items)
  if (after >= before) return undefined
  const dropped = droppedBetween(context.items, items, policy.protectedTools)
  const { budget } = planned
  const plan: PlanToSummarize = {
    ...planned,
    action: 'summarize',
    dropped,
    cut: {
      head: [...stretch.folded],
      through: fold.to,
      tail,
      tailTokens: after,
      continuation: null,
      previous: summary || undefined,
      summaryBudget: budget.keep,
      standing: budget.standing,
    },
  }
  const report: Report = {
    ...reportBefore(plan),
    action: 'summary',
    rung: 'fold',
    summarizer: 'agent',
    after,
    fits: after < budget.usable,
    dropped,
  }
  return { plan, drafts: [draft], report }
}

/** The text that replaces a sub-task. */
function passageOf({ task, learned }: ClosedSubTask, stretch: Stretch, input: PlanInput): Omission {
  const seqs = stretch.folded.flatMap(seqsOf)
  const [from, to] = [Math.min(...seqs), Math.max(...seqs)]
  const inner = stretch.folded.flatMap(({ item }) => (isFold(item) ? [item.text] : []))
  const said = repairPassage(learned, {
    facts: stretchFacts(input, stretch),
    // The closing call itself says them, too.
    log: chronological(input.log.filter(({ seq }) => seq <= to)),
    budget: stretch.room,
    count: input.counter.text,
  })
  const head = `${foldMark} “${oneLine(task)}”, entries ${from}–${to}. Its steps stood here; this is what its agent learned.]`
  return { type: 'omission', from, to, text: [head, said, ...inner].join('\n') }
}

const foldMark = '[A closed sub-task:'

/** Whether an item replaces a sub-task. */
export function isFold(item: ContextItem): item is Omission & { seq: Seq } {
  return item.type === 'omission' && item.text.startsWith(foldMark)
}

const longestTask = 200

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').slice(0, longestTask)
}

/** The facts of the folded steps alone: everything else is still in the context. */
function stretchFacts(
  { log, policy }: PlanInput,
  { folded }: Stretch,
): ReturnType<PlanInput['facts']> {
  const seqs = new Set(folded.flatMap(seqsOf))
  const own = log.filter((entry) => entry.kind === 'message' && seqs.has(entry.seq))
  return factsOf(chronological(own), { lenses: policy.lenses })
}

/** Everything else, in its place and as it was. */
function foldedTail(
  { items, reasoning, checkpoint }: Context,
  { folded }: Stretch,
  passage: Omission,
): Pick<CheckpointDraft, 'tail'> & { fold: NonNullable<CheckpointDraft['fold']> } {
  const gone = new Set(folded.flatMap((unit) => unit.items))
  const first = items.findIndex((item) => gone.has(item))
  const tail = items.flatMap((item, index): TailItem[] => {
    if (index === first) return [passage]
    if (gone.has(item)) return []
    return tailItem(index < first ? item : keptItem(item, reasoning))
  })
  const pinned = checkpoint?.fold?.pinned ?? checkpoint?.seq ?? 0
  return { tail, fold: { from: passage.from, to: passage.to, pinned } }
}

function tailItem(item: ContextItem): TailItem[] {
  switch (item.type) {
    case 'summary':
      return []
    case 'omission': {
      const { from, to, text } = item
      return [{ type: 'omission', from, to, text }]
    }
    case 'pin':
      return [omissionOf(item.seq, `[Pinned] ${item.text}`)]
    case 'continuation': {
      const { of, message, replacements } = item.continuation
      if (of === undefined) return [omissionOf(item.seq, messageText(message))]
      return [{ type: 'entry', seq: of, ...(replacements && { replacements }) }]
    }
    case 'late':
      return [{ type: 'entry', seq: item.seq }]
    case 'message': {
      const { seq, replacements, kept } = item
      return [
        {
          type: 'entry',
          seq,
          ...(replacements?.length && { replacements: [...replacements] }),
          ...(kept && { kept }),
        },
      ]
    }
  }
}

function omissionOf(seq: Seq, text: string): Omission {
  return { type: 'omission', from: seq, to: seq, text }
}

function staying({ pins }: Context, { protectedTools }: Policy): (unit: Unit) => boolean {
  const pinned = new Set(
    [...pins.values()].flatMap(({ ref }) => (ref ? [Number.parseInt(ref, 10)] : [])),
  )
  const whole = new Set(protectedTools.map((tool) => tool.toLowerCase()))
  return (unit) => {
    if (seqsOf(unit).some((seq) => pinned.has(seq))) return true
    if (unit.type === 'step') {
      if (unit.status === 'pending') return true
      return unit.calls.some(({ toolName }) => whole.has(toolName.toLowerCase()))
    }
    if (unit.type === 'human') return true
    return unit.item.type === 'summary' || unit.item.type === 'pin'
  }
}

function tokensOf(unit: Unit, counter: Counter): EstimatedTokens {
  if (unit.type === 'aside' && unit.item.type === 'omission') {
    return counter.message({ role: 'user', content: unit.item.text })
  }
  return unitTokens(unit, unit.items.flatMap(earlierReplacements), counter)
}

function seqsOf(unit: Unit): Seq[] {
  return unit.items.flatMap((item) => {
    if (item.type === 'message' || item.type === 'late') return [item.seq]
    return item.type === 'omission' ? [item.from, item.to] : []
  })
}

function newestSeq(units: readonly Unit[]): Seq {
  return Math.max(0, ...units.flatMap(seqsOf))
}

/**
 * A passage that a model wrote of a few steps, made to agree with their record: names that the
 * session never held are marked, what looks like a ref or like a line of ours is taken off, and
 * changed files and unresolved errors that it leaves out are added, as far as there is room.
 */
function repairPassage<T extends number>(
  text: string,
  { facts, log, budget, count }: Pick<RepairInput<T>, 'facts' | 'log' | 'budget' | 'count'>,
): string {
  const none: ReadonlySet<string> = new Set()
  const own = withoutImitations(text.trim(), none)
  const said = withoutInventions(own, { facts, log, named: new Set(), right: none })
  const files = untoldFiles(facts.files.values(), { text: said, accomplished: said })
  const missing = [...files, ...missingErrors(said, facts)]
  const passage = [said]
  for (const line of missing) {
    if (count([...passage, line].join('\n')) <= budget) passage.push(line)
  }
  return passage.join('\n')
}
