import { costOf, pricesOf } from '../../tokens/prices.ts'
import type { Prices } from '../../tokens/price-table.ts'
import { SummaryFailedError } from '../../compaction/errors.ts'
import type { SummaryCall } from '../../compaction/summary/with-model/summarizer.ts'
import type { Usage } from '../../log/entry.ts'

/** One request to a provider's own compaction, and what it costs. */
interface OneCall {
  /**
   * Waits for it.
   * @throws SummaryFailedError in the provider's words.
   */
  made: <Response>(request: PromiseLike<Response>) => Promise<Response>
  answered: (usage: Usage | undefined) => SummaryCall[]
}

export function callsOfOne(model: string, given: Prices | undefined): OneCall {
  const prices = given ?? pricesOf(model)
  return {
    async made(request) {
      try {
        return await request
      } catch (error) {
        const reason = error instanceof Error ? error.message : 'the thrown value is not an error'
        const calls = [{ model, failed: true as const }]
        throw new SummaryFailedError(reason, { calls, cause: error })
      }
    },
    answered(usage) {
      const cost = usage && prices ? costOf(usage, prices) : undefined
      return [{ model, ...(usage && { usage }), ...(cost !== undefined && { cost }) }]
    },
  }
}

/** Anthropic's API compacts nothing smaller. */
export const leastOfAnthropic = 50_000

/** @throws SummaryFailedError if Anthropic's API would not compact a head of so many tokens. */
export function checkHead(tokens: number): void {
  if (tokens >= leastOfAnthropic) return
  const problem = `the head has about ${tokens} tokens, and the API compacts none below ${leastOfAnthropic}`
  throw new SummaryFailedError(problem, { calls: [] })
}

/** An answer may not be the last: some models take it for the beginning of the next. */
export function endedByUser<Native extends { role: string }>(
  messages: readonly Native[],
): Native[] {
  if (messages.at(-1)?.role !== 'assistant') return [...messages]
  const goesOn = { role: 'user', content: '(The conversation goes on behind this.)' }
  return [...messages, goesOn as unknown as Native]
}
