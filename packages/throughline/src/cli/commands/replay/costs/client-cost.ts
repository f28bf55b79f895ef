import { advanceContext, emptyContext } from '../../../../log/context.ts'
import { promptPieces } from '../../../../compaction/measure/prompt-pieces.ts'
import { renderContext } from '../../../../compaction/render/render.ts'
import { summaryAsUser } from '../../../../compaction/render/summary-block.ts'
import { costMeter, type SessionCost } from '../../../../tokens/session-cost.ts'
import { startingRatio } from '../../../../tokens/calibration.ts'
import { counterOf } from '../../../../tokens/counter.ts'
import { toModelShare } from '../../../../tokens/units.ts'
import { room } from './room.ts'
import type { Chronological } from '../../../../log/order.ts'
import type { Prices } from '../../../../tokens/prices.ts'
import type { ReplayOptions } from '../replay-session.ts'
import type { PolicyCost } from './policy-costs.ts'

/**
 * What the session cost as its own client sent it, with the client's own compactions: by the same
 * cache, the same counts and the same prices as a replay, so that the two can be compared. A
 * client's summary is asked for after the live conversation.
 */
export function clientCost(
  log: Chronological,
  { frame, window }: Pick<ReplayOptions, 'frame' | 'window'>,
  prices: Prices,
): PolicyCost {
  const counter = counterOf({ ratio: startingRatio(frame.model) })
  const meter = costMeter(prices)
  const piecesOf = promptPieces(counter)
  const context = emptyContext()
  const summaries = { calls: 0, dollars: 0 }
  let compactions = 0
  let tooLarge = 0
  const promptNow = () =>
    piecesOf({ ...frame, messages: renderContext(context.items, summaryAsUser).messages })
  for (const entry of log) {
    if (entry.kind === 'message' && entry.message.role === 'assistant') {
      const prompt = promptNow()
      const output = toModelShare(counter.message(entry.message), counter.ratio)
      const { usage } = meter.add({ at: entry.at, prompt, output })
      if (usage.inputTokens > room(window)) tooLarge++
    } else if (entry.kind === 'checkpoint') {
      const output = toModelShare(counter.text(entry.summary), counter.ratio)
      summaries.calls++
      summaries.dollars += meter.priceOf({ at: entry.at, prompt: promptNow(), output }).dollars
    }
    if (entry.kind === 'checkpoint' || entry.kind === 'prune') compactions++
    advanceContext(context, log, entry.seq)
  }
  const requests: SessionCost = meter.total()
  const dollars = requests.dollars + summaries.dollars
  return { policy: 'client', dollars, requests, summaries, compactions, tooLarge }
}
