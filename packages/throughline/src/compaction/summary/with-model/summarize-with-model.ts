import { errorLine } from '../../../log/error-line.ts'
import { wellFormed } from '../../../json/well-formed.ts'
import { abortable } from '../../abortable.ts'
import { textsBeside } from '../../cut/texts-beside.ts'
import { SummaryFailedError, TimeLimitError } from '../../errors.ts'
import { summaryProblems } from '../check.ts'
import { summaryInstruction } from '../instruction.ts'
import { backgroundLines } from '../../../facts/background/told-background.ts'
import { repairSummary, shareOfBackground } from '../repair.ts'
import { assistantText } from '../../../log/message.ts'
import { fallenOut } from './fallen-out.ts'
import { isOfAnotherSession } from '../invented-names.ts'
import { longestRequest, requestLines, ruleLines } from '../../../facts/summary/human-lines.ts'
import { withoutRecordNames, withRecordNames } from './record-names.ts'
import { withoutRecord, withRecord } from './from-record.ts'
import { withShortFileList } from './file-list.ts'
import { writtenLimit } from '../written-limit.ts'
import { unitTokens } from '../../measure/unit-tokens.ts'
import { spendingOf } from './circuit-breaker.ts'
import { refusedIn, type Refused } from './refused.ts'
import { inModelTokens, type Counter } from '../../../tokens/counter.ts'
import {
  estimatedTokens,
  least,
  minus,
  modelTokens,
  most,
  plus,
  share,
  sumEstimated,
  toEstimated,
  toModel,
} from '../../../tokens/units.ts'
import { withKeptMessages } from './kept-messages.ts'
import type { EstimatedTokens } from '../../../tokens/units.ts'
import type { Spending, Usage } from '../../../log/entry.ts'
import type { Chronological } from '../../../log/order.ts'
import type { Unit } from '../../../log/steps.ts'
import type { PlannedCut } from '../../cut/planned-cut.ts'
import type { Policy } from '../../policy.ts'
import type { Attempt, Rung } from '../../report.ts'
import type { Facts } from '../../../facts/facts.ts'
import type { LiveRequest, Summarizer, SummaryAnswer, SummaryCall } from './summarizer.ts'
import type { Template } from '../template.ts'

export interface ModelSummary {
  /** Checked and repaired; `undefined` if no attempt could be used. */
  summary: string | undefined
  summarizer: string
  rung: Rung
  attempts: Attempt[]
  spent: Spending | undefined
}

interface ModelSummaryInput {
  summarizer: Summarizer
  cut: PlannedCut
  units: readonly Unit[]
  template: Template
  focus: string | undefined
  signal: AbortSignal | undefined
  facts: Facts
  policy: Policy
  counter: Counter
  log: Chronological
  live: LiveRequest
}

/**
 * Asks the summarizer for the whole head, and once more where its answer could not be used, told
 * what was wrong. Where no answer came it is asked twice, then twice for the newer half; never more
 * often than the policy allows, and once only for what is refused however often it is asked: where
 * that is the size alone, the newer half comes next.
 */
export async function summarizeWithModel(input: ModelSummaryInput): Promise<ModelSummary> {
  const { summarizer, cut, policy } = input
  const attempts: Attempt[] = []
  const half = cut.head.slice(Math.ceil(cut.head.length / 2))
  const all: { rung: Rung; head: readonly Unit[] }[] = [
    { rung: 'model', head: cut.head },
    { rung: 'model', head: cut.head },
    { rung: 'model-half', head: half },
    { rung: 'model-half', head: half },
  ]
  let rungs = all.filter(({ head }) => head.length > 0)
  let said: { rung: Rung; problems: readonly string[] } | undefined
  for (let next = rungs[0]; next && attempts.length < policy.attempts; next = rungs[0]) {
    const { rung, head } = next
    const told = said?.rung === rung ? said.problems : []
    const { problems, summary, calls, answered, silent, refused } = await attempt(input, head, {
      told,
      number: attempts.length + 1,
    })
    const total = totalOf(calls)
    const why = refused && { refused }
    attempts.push({ rung, summarizer: summarizer.name, problems, calls, ...total, ...why })
    if (summary !== undefined) return modelSummary(summarizer, attempts, { summary, rung })
    // Who could not do it better when told what was wrong will not do it at all; who says nothing
    // at all would keep the agent waiting again; who refuses the key refuses it again.
    if ((said && answered) || silent || (refused && refused !== 'size')) break
    rungs = refused ? rungs.filter((one) => one.rung !== rung) : rungs.slice(1)
    // A call without an answer says nothing of what to do better.
    said = answered ? { rung, problems } : undefined
  }
  return modelSummary(summarizer, attempts, { summary: undefined, rung: 'model' })
}

function modelSummary(
  { name }: Summarizer,
  attempts: Attempt[],
  result: Pick<ModelSummary, 'summary' | 'rung'>,
): ModelSummary {
  const spent = spendingOf(attempts.flatMap(({ calls }) => calls))
  return { ...result, summarizer: name, attempts, spent }
}

function totalOf(calls: readonly SummaryCall[]): { usage?: Usage; cost?: number } {
  const spent = spendingOf(calls)
  if (!spent || calls.every(({ usage }) => usage === undefined)) return {}
  const { calls: _, cost, ...usage } = spent
  return { usage, ...(cost !== undefined && { cost }) }
}

interface Tried {
  problems: string[]
  answered: boolean
  /** Its time was over. */
  silent?: boolean
  refused?: Refused
  summary?: string
  calls: readonly SummaryCall[]
}

// What the default asks for in its largest room. A policy that keeps more than that has room for
// its tail, not for a summary of 20,000 words: 2,800 tokens is the middle of the recorded ones.
const mostWritten = estimatedTokens(7_000)

// Of a summary's room, what a model is asked to fill: the record has things of its own to say.
const shareOfModel = 0.8

// A summary that is filled up from the record must still be worth making.
const mostOfReplaced = 0.5

async function attempt(
  input: ModelSummaryInput,
  head: readonly Unit[],
  { told, number }: { told: readonly string[]; number: number },
): Promise<Tried> {
  const { summarizer, cut, template, focus, signal, facts, policy, counter } = input
  const budget = cut.summaryBudget
  const room = toEstimated(budget, counter.ratio)
  const writing = least(minus(share(room, shareOfModel), requiredTokens(input)), mostWritten)
  // Like all figures, the limits in a complaint are in tokens of the model.
  const count = inModelTokens(counter)
  // What code added from the log it adds again: a model need not read it, and has no fewer words for it.
  const isInLog = facts.inherited === undefined
  const before = cut.previous && withoutRecordNames(cut.previous)
  const previous = before && wellFormed(isInLog ? withoutRecord(before) : before)
  let answer: SummaryAnswer
  try {
    const request = summarizer.summarize(
      {
        head: wellFormed(
          policy.transcript({
            head: withKeptMessages(head, { units: input.units, summarized: cut.head, counter }),
            units: input.units,
            protectedTools: policy.protectedTools,
            counter,
          }),
        ),
        through: cut.through,
        previous,
        template,
        instruction: wellFormed(
          summaryInstruction({
            template,
            limit: writtenLimit(writing, { count: counter.text, said: saidIn(head), previous }),
            focus,
            update: previous !== undefined,
            problems: told,
          }),
        ),
        budget: writing,
        attempt: number,
        focus,
        facts,
        counter,
        live: input.live,
      },
      signal ? { signal } : {},
    )
    answer = await abortable(request, signal)
  } catch (error) {
    signal?.throwIfAborted()
    const calls = callsBefore(error, summarizer)
    const silent = isSilence(error)
    const refused = refusedIn(error)
    const problems = [`${refused ? refusedWords[refused] : 'the call failed'}: ${errorLine(error)}`]
    return { problems, answered: false, silent, calls, ...(refused && { refused }) }
  }
  signal?.throwIfAborted()
  const calls = callsOf(answer, summarizer)
  // A plugin's summarizer may return anything.
  if (typeof answer?.text !== 'string')
    return { problems: ['it had no text'], answered: true, calls }
  const replaced = replacedTokens(cut, counter)
  const size = { budget, count, replaced: toModel(replaced, counter.ratio) }
  const problems = summaryProblems(answer, { template, ...size })
  if (problems.length > 0) return { problems, answered: true, calls }
  if (isOfAnotherSession(answer.text, { facts, log: input.log })) {
    return { problems: ['it named hardly anything that this session holds'], answered: true, calls }
  }
  const beside = textsBeside(cut, input.log)
  const record = { facts, template, focus, beside, log: input.log }
  const summary = repairSummary(answer.text, { ...record, ...size, standing: cut.standing })
  if (summary === undefined) {
    return { problems: ['not even the latest request fits'], answered: true, calls }
  }
  const filledTo = modelAndRecord(counter.text(answer.text))
  const limit = least(room, share(replaced, mostOfReplaced), filledTo)
  return {
    problems: [],
    answered: true,
    calls,
    summary: filled(summary, input, { beside, limit }),
  }
}

// Of a summary, what a model's words are at least: code adds a quarter to them, in any generation.
const shareOfWords = 0.75
// A short answer is filled up to this size: what it leaves out an agent would have to look up again.
const fullSummary = estimatedTokens(5_000)

/** What a summary may hold with all that code adds to an answer of so many words. */
function modelAndRecord(words: EstimatedTokens): EstimatedTokens {
  return most(share(words, 1 / shareOfWords), fullSummary)
}

const refusedWords: Record<Refused, string> = {
  key: 'the key was refused',
  model: 'the model was not found',
  certificate: 'the server’s certificate is not trusted',
  proxy: 'a proxy wants a name and a password',
  money: 'the account has no credit left',
  size: 'the request was too long',
  request: 'the request was refused',
}

/** Whether no answer came in time, by our limit or by that of the provider's own client. */
function isSilence(error: unknown): boolean {
  if (TimeLimitError.isInstance(error)) return true
  for (let one = error, depth = 0; one instanceof Error && depth < 5; one = one.cause, depth++) {
    if (one.name === 'TimeoutError') return true
  }
  return false
}

// A name that no statement explains is worth little.
const shareOfNames = 0.1

/** The summary with what it does not say, if there is room. */
function filled(
  summary: string,
  { facts, template, focus, policy, counter, cut, log }: ModelSummaryInput,
  { beside, limit }: { beside: readonly string[]; limit: EstimatedTokens },
): string {
  const wanted = toEstimated(modelTokens(policy.names(cut.summaryBudget)), counter.ratio)
  const names = least(wanted, share(limit, shareOfNames))
  const size = { budget: limit, count: counter.text, focus, beside }
  const since = log.findLast(({ kind }) => kind === 'checkpoint')?.seq ?? 0
  const lost = cut.previous ? fallenOut(cut.previous, summary, { facts, since }) : []
  const told = withRecord(withShortFileList(summary, template), {
    ...size,
    facts,
    template,
    budget: minus(limit, names),
    fallenOut: lost,
  })
  if (names <= 0) return told
  const taken = counter.text(told)
  const besideTold = share(taken, shareOfNames / (1 - shareOfNames))
  const room = least(limit, plus(taken, least(names, besideTold)))
  return withRecordNames(told, { ...size, facts, budget: room })
}

/** What the answers to the latest messages were written in. */
function saidIn(head: readonly Unit[]): string[] {
  return head.flatMap((unit) =>
    unit.type === 'step' && unit.item.message.role === 'assistant'
      ? [assistantText(unit.item.message)]
      : [],
  )
}

/** What code will write into the summary by itself, whatever a model answers. */
function requiredTokens({ facts, cut, counter, log }: ModelSummaryInput): EstimatedTokens {
  const request = requestLines(facts, { beside: textsBeside(cut, log), most: longestRequest })
  const most = toEstimated(cut.standing, counter.ratio)
  const rules = ruleLines(facts, { tokens: most, count: counter.text })
  const room = toEstimated(cut.summaryBudget, counter.ratio) * shareOfBackground
  const background = backgroundLines(facts, { tokens: room, count: counter.text })
  return counter.text([...rules, ...background, ...request].join('\n'))
}

/** What a summary would replace. */
function replacedTokens({ head, previous = '' }: PlannedCut, counter: Counter): EstimatedTokens {
  return plus(
    counter.text(previous),
    sumEstimated(head.map((unit) => unitTokens(unit, [], counter))),
  )
}

/** The requests that an answer needed. */
export function callsOf(answer: SummaryAnswer, { name }: Summarizer): readonly SummaryCall[] {
  if (Array.isArray(answer?.calls)) return answer.calls
  return [{ model: name, ...(answer?.usage && { usage: answer.usage }) }]
}

/** The requests that were made before a summarizer gave up. */
export function callsBefore(
  error: unknown,
  { name }: Pick<Summarizer, 'name'>,
): readonly SummaryCall[] {
  return SummaryFailedError.isInstance(error) ? error.calls : [{ model: name, failed: true }]
}
