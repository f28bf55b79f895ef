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
