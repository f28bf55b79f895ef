import { counterOf } from '../../tokens/counter.ts'
import { answerTokens, costOf, pricesOf } from '../../tokens/prices.ts'
import { ratioOf, realCounter, type RealCounter } from './real-counter.ts'
import type { Entry, Usage } from '../../log/entry.ts'
import type { SessionRead } from '../../formats/reading/read-session.ts'

/** What the requests of a session cost, as their provider counted them, at list prices. */
export interface SessionMoney {
  dollars: number
  /** How many requests were priced. */
  requests: number
  /** How many were not, because their model's price is unknown. */
  unpriced: number
}

/** The cost of a session's own requests; `undefined` if it recorded no usage, or no price is known. */
export function moneyOf(session: Pick<SessionRead, 'log' | 'facts'>): SessionMoney | undefined {
  const counter = realCounter(counterOf({ ratio: ratioOf(session) }))
  let dollars = 0
  let requests = 0
  let unpriced = 0
  for (const entry of session.log) {
    const counted = usageIn(entry, counter)
    if (!counted) continue
    const model = counted.model ?? session.facts.model
    const prices = model === undefined ? undefined : pricesOf(model)
    if (prices) {
      dollars += costOf(counted.usage, prices)
      requests++
    } else unpriced++
  }
  return requests === 0 ? undefined : { dollars, requests, unpriced }
}

function usageIn(
  entry: Entry,
  counter: RealCounter,
): { usage: Usage; model?: string | undefined } | undefined {
  if (entry.kind === 'message') {
    const { usage, model, message } = entry
    if (!usage) return undefined
    const own = message.role === 'assistant' ? counter.message(message) : 0
    return { usage: { ...usage, outputTokens: answerTokens(usage, own) }, model }
  }
  const observed = entry.kind === 'observation' ? entry.observation : undefined
  return observed?.type === 'usage' ? observed : undefined
}
