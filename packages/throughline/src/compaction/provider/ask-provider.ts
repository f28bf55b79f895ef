import { errorLine } from '../../log/error-line.ts'
import { abortable } from '../abortable.ts'
import { backgroundLines } from '../../facts/background/told-background.ts'
import { callsBefore } from '../summary/with-model/summarize-with-model.ts'
import { longestRequest, requestLines, ruleLines } from '../../facts/summary/human-lines.ts'
import { measureFrame, measureItems } from '../measure/measure.ts'
import { modelOrder, type ModelOrder } from '../../log/order.ts'
import { providerCompactionIn } from '../../log/context/provider-compaction.ts'
import { renderContext } from '../render/render.ts'
import { spendingOf } from '../summary/with-model/circuit-breaker.ts'
import { summaryRoleOf } from '../render/summary-block.ts'
import { textsBeside } from '../cut/texts-beside.ts'
import { plus, toEstimated } from '../../tokens/units.ts'
import type { Attempt } from '../report.ts'
import type { CompactOptions } from '../compaction.ts'
import type { PlanInput, PlanToSummarize } from '../plan/plan.ts'
import type { ProviderAnswer, ProviderCompactor } from './provider-compactor.ts'
import type { ProviderBlock, Spending } from '../../log/entry.ts'

/** What came of asking a provider to compact. */
export interface ProviderTried {
  /** `undefined` if it made nothing that can be used. */
  block: ProviderBlock | undefined
  attempt: Attempt
  spent: Spending | undefined
}

/**
 * Asks the provider once for its own compaction of the planned head. Nothing is asked where the head
 * is what a provider has just compacted by itself.
 */
export async function askProvider(
  input: PlanInput,
  { cut }: PlanToSummarize,
  { signal, compactor }: CompactOptions & { compactor: ProviderCompactor },
): Promise<ProviderTried | undefined> {
  if (cut.through === 0) return undefined
  const { frame, counter, policy } = input
  const role = summaryRoleOf(policy)
  const head = headItems(input, cut.through)
  const { system, tools } = measureFrame(frame, counter)
  let answer: ProviderAnswer
  try {
    const asked = compactor.compact(
      {
        messages: renderContext(head, role).messages,
        system: frame.system,
        tools: frame.tools,
        model: frame.model,
        tokens: plus(system, tools, measureItems(head, counter, role)),
      },
      signal ? { signal } : {},
    )
    answer = await abortable(asked, signal)
  } catch (error) {
    signal?.throwIfAborted()
    return tried(compactor, callsBefore(error, compactor), `the call failed: ${errorLine(error)}`)
  }
  signal?.throwIfAborted()
  const { messages, calls } = answer
  if (!messages.some((message) => providerCompactionIn(message) !== undefined)) {
    return tried(compactor, calls, 'the answer holds no compaction')
  }
  const { provider, name: by } = compactor
  const standing = standingWords(input, cut)
  return tried(compactor, calls, undefined, { provider, by, messages, standing })
}

function tried(
  { name }: ProviderCompactor,
  calls: Attempt['calls'],
  problem: string | undefined,
  block?: ProviderBlock,
): ProviderTried {
  const spent = spendingOf(calls)
  const problems = problem === undefined ? [] : [problem]
  const { calls: _, cost, ...usage } = spent ?? { calls: 0, inputTokens: 0, outputTokens: 0 }
  const attempt: Attempt = {
    rung: 'provider',
    summarizer: name,
    problems,
    calls,
    ...(calls.some((call) => call.usage) && { usage }),
    ...(cost !== undefined && { cost }),
  }
  return { block, attempt, spent }
}

/** The context up to the newest entry of the head, whole steps only. */
function headItems({ context }: PlanInput, through: number): ModelOrder {
  const last = context.items.findLastIndex((item) => item.type === 'message' && item.seq <= through)
  return modelOrder(context.items.slice(0, last + 1))
}

/** What no sealed text may be trusted with. */
function standingWords(input: PlanInput, cut: PlanToSummarize['cut']): string {
  const { counter, log } = input
  const facts = input.facts()
  const tokens = toEstimated(cut.standing, counter.ratio)
  return [
    'The work so far stands before this, as the provider compacted it.',
    '',
    '## Instructions',
    ...ruleLines(facts, { tokens, count: counter.text }),
    '',
    '## Goal',
    ...backgroundLines(facts, { tokens, count: counter.text }),
    ...requestLines(facts, { beside: textsBeside(cut, log), most: longestRequest }),
  ].join('\n')
}
