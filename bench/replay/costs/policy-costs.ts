import { presets } from '../../../packages/throughline/src/compaction/presets.ts'
import { startingRatio } from '../../../packages/throughline/src/tokens/calibration.ts'
import { replaySession, room } from '../replay-session.ts'
import { pricedRun } from './priced-run.ts'
import { counterOf } from '../../../packages/throughline/src/tokens/counter.ts'
import { costMeter } from '../../../packages/throughline/src/tokens/session-cost.ts'
import {
  advanceContext,
  emptyContext,
} from '../../../packages/throughline/src/log/context/context.ts'
import { promptPieces } from './prompt-pieces.ts'
import { renderContext } from '../../../packages/throughline/src/compaction/render/render.ts'
import { summaryAsUser } from '../../../packages/throughline/src/compaction/render/summary-block.ts'
import { toModelShare } from '../../../packages/throughline/src/tokens/units.ts'
import type { ReplayEnd, ReplayOptions } from '../replay-session.ts'
import type { SummaryCosts, SummaryRequests } from './priced-run.ts'
import type { SessionCost } from '../../../packages/throughline/src/tokens/session-cost.ts'
import type { Policy } from '../../../packages/throughline/src/compaction/policy.ts'
import type { Chronological } from '../../../packages/throughline/src/log/order.ts'
import type { Prices } from '../../../packages/throughline/src/tokens/price-table.ts'

/** The cost of a whole session under one policy. */
export interface PolicyCost {
  policy: CostedPolicy
  /** US dollars, including summaries. */
  dollars: number
  requests: SessionCost
  summaries: SummaryCosts
  compactions: number
  /** Requests that would not have fit the window. */
  tooLarge: number
  /** How many steps were replayed, if the policy couldn't continue to the end. */
  stoppedAfter?: number
}

export type CostedPolicy =
  | 'client'
  | 'none'
  | 'seed'
  | 'own, by a model'
  | 'own, by code'
  | 'economic'

interface Run {
  policy: Exclude<CostedPolicy, 'client'>
  settings: Policy
  /** How a model is asked, if one writes the summaries. */
  asked?: SummaryRequests
}

/** What its own client's requests cost, and those of a replay under each policy. */
export async function policyCosts(
  log: Chronological,
  options: ReplayOptions,
  prices: Prices,
): Promise<PolicyCost[]> {
  const costs: PolicyCost[] = [clientCost(log, options, prices)]
  for (const run of runs(options.policy, prices)) {
    costs.push(await costOf(log, run, options, prices))
    options.signal.throwIfAborted()
  }
  return costs
}

function runs(own: Policy, prices: Prices): Run[] {
  // No time passes in a replay, so no summary could be prepared in the background.
  const settings = { ...own, prepareAt: (usable: number) => usable }
  return [
    { policy: 'none', settings: { ...own, auto: false } },
    { policy: 'seed', settings: presets.seed, asked: 'head' },
    { policy: 'own, by a model', settings, asked: 'cheaper' },
    { policy: 'own, by code', settings },
    { policy: 'economic', settings: { ...settings, economy: { ...own.economy, prices } } },
  ]
}

async function costOf(
  log: Chronological,
  { policy, settings, asked }: Run,
  options: ReplayOptions,
  prices: Prices,
): Promise<PolicyCost> {
  const counter = counterOf({ ratio: startingRatio(options.frame.model) })
  const run = pricedRun(prices, options.frame, counter, asked ?? 'head')
  const sizes: number[] = []
  const end = await replaySession(log, {
    ...options,
    policy: settings,
    summarizer: asked && run.summarizer,
    onRequest: (request) => {
      sizes.push(request.tokens)
      run.onRequest(request)
    },
  })
  if (end.error !== undefined && options.signal.aborted) throw end.error
  const { requests, summaries } = run.cost()
  return {
    policy,
    dollars: requests.dollars + summaries.dollars,
    requests,
    summaries,
    compactions: end.replay.compactions.length,
    tooLarge: sizes.filter((size) => size > room(options.window)).length,
    ...stopped(end),
  }
}

function stopped({ replay, error }: ReplayEnd): Pick<PolicyCost, 'stoppedAfter'> {
  return error === undefined ? {} : { stoppedAfter: replay.done }
}

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
