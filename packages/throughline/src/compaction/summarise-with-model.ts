import { abortable } from './abortable.ts'
import { summaryProblems } from './summary/check.ts'
import { summaryInstruction } from './summary/instruction.ts'
import { repairSummary } from './summary/repair.ts'
import type { Usage } from '../log/entry.ts'
import type { Chronological } from '../log/order.ts'
import type { Unit } from '../log/steps.ts'
import type { Counter } from './measure.ts'
import type { PlannedCut } from './planned-cut.ts'
import type { Policy } from './policy.ts'
import type { Attempt, Rung } from './report.ts'
import type { Index } from './summary/index/facts.ts'
import type { LiveRequest, Summarizer, SummaryAnswer } from './summary/summarizer.ts'
import type { Template } from './summary/template.ts'

/** What the attempts with a model came to. */
export interface ModelSummary {
  /** Checked and repaired; `undefined` if no attempt could be used. */
  summary: string | undefined
  summarizer: string
  rung: Rung
  attempts: Attempt[]
  usage?: Usage
}

interface ModelSummaryInput {
  summarizer: Summarizer
  cut: PlannedCut
  units: readonly Unit[]
  template: Template
  focus: string | undefined
  signal: AbortSignal | undefined
  index: Index
  policy: Policy
  counter: Counter
  log: Chronological
  live: LiveRequest
}

/**
 * Asks the summariser: twice for the whole head, the second time told what was wrong, then
 * twice for its newer half; never more often than the policy allows.
 */
export async function summariseWithModel(input: ModelSummaryInput): Promise<ModelSummary> {
  const { summarizer, cut, policy } = input
  const attempts: Attempt[] = []
  const usage: Usage = { inputTokens: 0, outputTokens: 0 }
  const half = cut.head.slice(Math.ceil(cut.head.length / 2))
  const rungs: { rung: Rung; head: readonly Unit[] }[] = [
    { rung: 'model', head: cut.head },
    { rung: 'model', head: cut.head },
    { rung: 'model-half', head: half },
    { rung: 'model-half', head: half },
  ]
  for (const { rung, head } of rungs.slice(0, Math.max(policy.attempts, 0))) {
    const previous = attempts.at(-1)
    const told = previous?.rung === rung ? previous.problems : []
    const { problems, summary, answer } = await attempt(input, head, told)
    if (answer?.usage) addUsage(usage, answer.usage)
    attempts.push({
      rung,
      summarizer: summarizer.name,
      problems,
      ...(answer?.usage && { usage: answer.usage }),
    })
    if (summary !== undefined) {
      return { summary, summarizer: summarizer.name, rung, attempts, usage }
    }
  }
  return { summary: undefined, summarizer: summarizer.name, rung: 'model', attempts, usage }
}

async function attempt(
  input: ModelSummaryInput,
  head: readonly Unit[],
  told: readonly string[],
): Promise<{ problems: string[]; summary?: string; answer?: SummaryAnswer }> {
  const { summarizer, cut, template, focus, signal, index, policy, counter } = input
  const budget = cut.summaryBudget
  let answer: SummaryAnswer
  try {
    const request = summarizer.summarize(
      {
        head: policy.transcript({
          head,
          units: input.units,
          protectedTools: policy.protectedTools,
          counter,
        }),
        through: cut.through,
        previous: cut.previous,
        template,
        instruction: summaryInstruction({
          template,
          budget,
          focus,
          update: cut.previous !== undefined,
          problems: told,
        }),
        budget,
        focus,
        index,
        counter,
        live: input.live,
      },
      signal ? { signal } : {},
    )
    answer = await abortable(request, signal)
  } catch (error) {
    signal?.throwIfAborted()
    return { problems: [`the call failed: ${reasonOf(error)}`] }
  }
  signal?.throwIfAborted()
  // A plugin's summariser may answer anything.
  if (typeof answer?.text !== 'string') return { problems: ['it had no text'] }
  const problems = summaryProblems(answer, { template, budget, count: counter.text })
  if (problems.length > 0) return { problems, answer }
  const summary = repairSummary(answer.text.trim(), {
    index,
    template,
    budget,
    count: counter.text,
    log: input.log,
  })
  return summary === undefined
    ? { problems: ['what had to be added from the record did not fit beside it'], answer }
    : { problems: [], summary, answer }
}

function reasonOf(error: unknown): string {
  if (error instanceof Error) return error.message
  return typeof error === 'string' ? error : 'what was thrown is no error'
}

function addUsage(sum: Usage, usage: Usage): void {
  sum.inputTokens += usage.inputTokens
  sum.outputTokens += usage.outputTokens
}
