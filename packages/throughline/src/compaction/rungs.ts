import { checkpointItems } from '../log/context/items-of.ts'
import { clientSummaryIn } from '../facts/human/client-summary.ts'
import { messageText } from '../log/message.ts'
import { sizeAfter } from './measure/unit-tokens.ts'
import { least, minus, modelTokens, plus, share, toEstimated, toModel } from '../tokens/units.ts'
import { planCut, type PlannedCut } from './cut/planned-cut.ts'
import { textsBeside } from './cut/texts-beside.ts'
import { summarySteps } from './summary/local/summarize-locally.ts'
import { together } from './summary/with-model/circuit-breaker.ts'
import type { PlanInput, PlanToSummarize } from './plan/plan.ts'
import type { ProviderTried } from './provider/ask-provider.ts'
import type { Rung } from './report.ts'
import type { ModelSummary } from './summary/with-model/summarize-with-model.ts'
import type { FactsReading } from '../facts/summary/reading.ts'
import type { Template } from './summary/template.ts'
import type { CheckpointDraft } from '../log/entry.ts'
import type { Unit } from '../log/steps.ts'
import type { ModelTokens } from '../tokens/units.ts'
import type { CompactOptions } from './compaction.ts'
import type { ContextItem } from '../log/context/context-item.ts'

/** What a rung would commit, and the size of the next request with it. */
export interface Candidate {
  cut: PlannedCut
  draft: CheckpointDraft
  after: ModelTokens
  rung: Rung
}

/** What the rungs work on. */
export interface Ladder {
  input: PlanInput
  plan: PlanToSummarize
  units: readonly Unit[]
  options: CompactOptions
  template: Template
  /** What the local summaries share. */
  reading: FactsReading
  /** What a model wrote, if it was asked. */
  model: ModelSummary | undefined
  /** What its provider made, if it was asked. */
  provider: ProviderTried | undefined
  /** The estimated size of the request as it is. */
  before: ModelTokens
}

type MakeCandidate = (ladder: Ladder) => Promise<Candidate | undefined>

const wholeTail: readonly MakeCandidate[] = [withModel, withProvider, withFacts]
const lessTail: readonly MakeCandidate[] = [withShorterTail, withClippedTail]

/**
 * The first rung that reaches the low-water mark, or else the smallest; `undefined` where none is
 * smaller than the context is now. A rung is made only when the one before it was not enough.
 */
export async function climb(ladder: Ladder): Promise<Candidate | undefined> {
  const { input, plan, options, before } = ladder
  const { lowWater } = plan.budget
  // A request that is small enough and already has a summary would lose tail for nothing.
  const isSettled = input.context.checkpoint !== undefined && before <= lowWater
  let best: Candidate | undefined
  for (const make of isSettled ? wholeTail : [...wholeTail, ...lessTail]) {
    await options.pause?.()
    const made = await make(ladder)
    if (!made || made.after >= (best?.after ?? before)) continue
    best = made
    if (made.after <= lowWater) break
  }
  return best
}

async function withModel(ladder: Ladder): Promise<Candidate | undefined> {
  const { model, plan } = ladder
  if (model?.summary === undefined) return undefined
  const { summary, summarizer, rung } = model
  return candidate(ladder, plan.cut, { summary, summarizer, rung })
}

async function withProvider(ladder: Ladder): Promise<Candidate | undefined> {
  const { provider, plan } = ladder
  if (!provider?.block) return undefined
  const summary = await summaryOfFacts(ladder, plan.cut)
  const { block } = provider
  return candidate(ladder, plan.cut, { summary, summarizer: 'local', rung: 'provider', block })
}

async function withFacts(ladder: Ladder): Promise<Candidate | undefined> {
  const { cut, budget } = ladder.plan
  const summary = await summaryOfFacts(ladder, cut)
  let best = candidate(ladder, cut, { summary, summarizer: 'local', rung: 'local' })
  let latest = { cut, summary }
  for (let times = 0; times < mostWidenings; times++) {
    const wider = widerCut(ladder, latest)
    if (!wider) break
    // The facts have as much room as before: a longer tail takes only what they left.
    const again = await summaryOfFacts(ladder, wider, cut.summaryBudget)
    const longer = candidate(ladder, wider, { summary: again, summarizer: 'local', rung: 'local' })
    const fits = sizeOf(ladder, again) <= wider.summaryBudget
    if (!fits || longer.after > budget.lowWater || longer.after >= ladder.before) break
    best = longer
    latest = { cut: wider, summary: again }
  }
  return best
}

async function withShorterTail(ladder: Ladder): Promise<Candidate> {
  return withTailOf(ladder, 'shorter-tail', share(ladder.plan.budget.tail, 0.5))
}

async function withClippedTail(ladder: Ladder): Promise<Candidate> {
  return withTailOf(ladder, 'clipped-tail', modelTokens(0))
}

async function withTailOf(ladder: Ladder, rung: Rung, tail: ModelTokens): Promise<Candidate> {
  const cut = planCut(ladder.input, ladder.units, ladder.plan.budget, tail)
  const summary = await summaryOfFacts(ladder, cut)
  return candidate(ladder, cut, { summary, summarizer: 'local', rung })
}

// With less room than this, a longer tail is not worth another summary.
const leastMoreTail = 300

// What the longer tail holds leaves the summary, whose room may then be left again.
const mostWidenings = 3

// A summary that no longer repeats what the longer tail holds may still become a little longer.
const slack = 1.05
const slackTokens = modelTokens(32)

/** The cut with a tail that also takes what `summary` leaves; `undefined` where that gains little. */
function widerCut(
  ladder: Ladder,
  { cut, summary }: { cut: PlannedCut; summary: string },
): PlannedCut | undefined {
  const { input, units } = ladder
  const { budget, trigger } = ladder.plan
  // An overflow has shown that our estimates are too low here.
  if (trigger === 'overflow') return undefined
  const size = sizeOf(ladder, summary)
  const left = minus(cut.summaryBudget, plus(share(size, slack), slackTokens))
  const tail = least(budget.longestTail, plus(cut.tailTokens, left))
  if (minus(tail, cut.tailTokens) < leastMoreTail) return undefined
  const wider = planCut(input, units, { ...budget, tail, keepsTalk: true }, tail)
  return wider.through > 0 && wider.tailTokens > cut.tailTokens ? wider : undefined
}

function sizeOf({ input: { counter } }: Ladder, text: string): ModelTokens {
  return toModel(counter.text(text), counter.ratio)
}

/** Written by code in small pieces, between which the host may do something else. */
async function summaryOfFacts(
  { input, options, template, reading }: Ladder,
  cut: PlannedCut,
  room = cut.summaryBudget,
): Promise<string> {
  const { counter } = input
  const steps = summarySteps({
    facts: input.facts(),
    reading,
    budget: toEstimated(room, counter.ratio),
    standing: toEstimated(cut.standing, counter.ratio),
    count: counter.text,
    template,
    beside: textsBeside(cut, input.log),
    previous: cut.previous ?? handedIn(cut.head),
  })
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
    await options.pause?.()
  }
}

/** The newest summary that a client gave among its messages: a model reads it there. */
function handedIn(head: readonly Unit[]): string | undefined {
  // The head is long, and asked for each summary: nothing is copied of it.
  const unit = head.findLast(({ items }) => items.some(isSummaryGiven))
  const item = unit?.items.findLast(isSummaryGiven)
  return item && summaryGiven(item)
}

function isSummaryGiven(item: ContextItem): boolean {
  return summaryGiven(item) !== undefined
}

function summaryGiven(item: ContextItem): string | undefined {
  if (item.type !== 'message' || item.origin !== 'harness') return undefined
  return clientSummaryIn(messageText(item.message))?.text
}

function candidate(
  { input, plan, options, model, provider }: Ladder,
  cut: PlannedCut,
  { rung, ...said }: Pick<CheckpointDraft, 'summary' | 'summarizer' | 'block'> & { rung: Rung },
): Candidate {
  const spent = together(provider?.spent, model?.spent)
  const draft: CheckpointDraft = {
    kind: 'checkpoint',
    at: options.now,
    base: input.context.seq,
    ...said,
    tail: cut.tail,
    continuation: cut.continuation,
    metadata: {
      trigger: plan.trigger,
      rung,
      tokensBefore: plan.measurement.tokens,
      ...(spent && { spent }),
    },
  }
  const items = checkpointItems(input.context, { ...draft, seq: draft.base + 1 }, input.log)
  return { cut, draft, rung, after: sizeAfter(input, plan.measurement, items) }
}
