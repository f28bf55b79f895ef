import { callsBefore, callsOf } from '../../compaction/summary/with-model/summarize-with-model.ts'
import { spendingOf } from '../../compaction/summary/with-model/spending.ts'
import type { Summarizer, SummaryCall } from '../../compaction/summary/with-model/summarizer.ts'
import type { Spending } from '../../log/entry.ts'

/** A summariser, and what it has taken so far. */
export interface Metered {
  summarizer: Summarizer
  /** Also what nobody waits for any more; `undefined` where nothing was asked. */
  spent: () => Spending | undefined
}

export function metered(summarizer: Summarizer): Metered {
  const { name } = summarizer
  const calls: SummaryCall[] = []
  let open = 0
  return {
    summarizer: {
      name,
      summarize: async (request, options) => {
        open += 1
        try {
          const answer = await summarizer.summarize(request, options)
          calls.push(...callsOf(answer, summarizer))
          return answer
        } catch (error) {
          calls.push(...callsBefore(error, summarizer))
          throw error
        } finally {
          open -= 1
        }
      },
    },
    spent: () => {
      const unanswered = Array.from({ length: open }, (): SummaryCall => ({ model: name }))
      return spendingOf([...calls, ...unanswered])
    },
  }
}
