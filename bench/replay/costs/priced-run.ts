import { promptPieces } from './prompt-pieces.ts'
import { summarizeLocally } from '../../../packages/throughline/src/compaction/summary/local/summarize-locally.ts'
import { costOf } from '../../../packages/throughline/src/tokens/prices.ts'
import type { Prices } from '../../../packages/throughline/src/tokens/price-table.ts'
import {
  costMeter,
  type SessionCost,
} from '../../../packages/throughline/src/tokens/session-cost.ts'
import type { RequestFrame } from '../../../packages/throughline/src/compaction/measure/measure.ts'
import {
  share,
  sumEstimated,
  toModelShare,
} from '../../../packages/throughline/src/tokens/units.ts'
import type { Counter } from '../../../packages/throughline/src/tokens/counter.ts'
import type {
  Summarizer,
  SummaryRequest,
} from '../../../packages/throughline/src/compaction/summary/with-model/summarizer.ts'
import type { ReplayedRequest } from '../replay-session.ts'

/** Adds up what a replay would have cost. */
export interface PricedRun {
  onRequest: (request: ReplayedRequest) => void
  /**
   * Simulates a summarizing model: the summary is the one that code writes, with room for what a
   * repair adds, and the request that a model would have received is paid for.
   */
  summarizer: Summarizer
  /** The costs of the agent's requests and of those for summaries. */
  cost: () => { requests: SessionCost; summaries: SummaryCosts }
}

export interface SummaryCosts {
  calls: number
  dollars: number
}

/** How a model is asked for a summary. */
export type SummaryRequests =
  /** As in the seeds: always for the head alone, which is never cached. */
  | 'head'
  /** That, or after the live conversation, whichever costs less. */
  | 'cheaper'

// A repair adds what is missing, within the same budget.
const written = 0.7

export function pricedRun(
  prices: Prices,
  frame: RequestFrame,
  counter: Counter,
  summaryRequests: SummaryRequests,
): PricedRun {
  const meter = costMeter(prices)
  const piecesOf = promptPieces(counter)
  const tokensOf = (text: string) => toModelShare(counter.text(text), counter.ratio)
  const summaries: SummaryCosts = { calls: 0, dollars: 0 }

  function headDollars({ head, previous, instruction }: SummaryRequest, output: number): number {
    const said = piecesOf({ messages: head }).reduce((sum, { tokens }) => sum + tokens, 0)
    const inputTokens = said + tokensOf(previous ?? '') + tokensOf(instruction)
    return costOf({ inputTokens, outputTokens: output }, prices)
  }

  function liveDollars({ live, instruction }: SummaryRequest, output: number): number {
    const question = { role: 'user', content: instruction } as const
    const prompt = piecesOf({ ...frame, messages: [...live.messages, question] })
    return meter.priceOf({ at: live.now, prompt, output }).dollars
  }

  return {
    onRequest({ at, messages, answer }) {
      const said = sumEstimated(answer.map(counter.message))
      const output = toModelShare(said, counter.ratio)
      meter.add({ at, prompt: piecesOf({ ...frame, messages }), output })
    },
    summarizer: {
      name: 'model',
      summarize: async (request) => {
        const { facts: index, template, previous, focus } = request
        const budget = share(request.budget, written)
        const count = counter.text
        const text = summarizeLocally({ facts: index, budget, count, template, previous, focus })
        const output = tokensOf(text)
        const head = headDollars(request, output)
        summaries.calls += 1
        summaries.dollars +=
          summaryRequests === 'head' ? head : Math.min(head, liveDollars(request, output))
        return { text, finish: 'stop', calls: [] }
      },
    },
    cost: () => ({ requests: meter.total(), summaries: { ...summaries } }),
  }
}
