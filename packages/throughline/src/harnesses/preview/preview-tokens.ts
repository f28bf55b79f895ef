import { measure, measureFrame, measureItems } from '../../compaction/measure/measure.ts'
import { counterOf, type Counter } from '../../tokens/counter.ts'
import { summaryAsUser } from '../../compaction/render/summary-block.ts'
import { contextOf, type Context } from '../../log/context/context.ts'
import { entryAt } from '../../log/order.ts'
import { answerTokens } from '../../tokens/prices.ts'
import { startingRatio } from '../../tokens/calibration.ts'
import { estimatedTokens, plus, toModel } from '../../tokens/units.ts'
import type { SessionEnds, Stretch } from './session-ends.ts'

/** The size of a session's next request, and whether a provider counted it. */
export interface PreviewTokens {
  count: number
  from: 'usage' | 'estimate'
}

// As in measure.ts: usage that is smaller than what is visible counts something else.
const believable = 4

export function previewTokens(
  { first, last, scale: larger }: SessionEnds,
  model: string | undefined,
): PreviewTokens | undefined {
  const counter = counterOf({ ratio: startingRatio(model) })
  const stretch = last ?? first
  const context = contextOf(stretch.log)
  if (!last) {
    const { tokens: count, source: from } = measure(context, first.facts, counter, summaryAsUser)
    return { count, from }
  }
  const count = byUsage(stretch, context, counter)
  if (count !== undefined) return { count, from: 'usage' }
  // How much comes before it is unknown.
  if (last.goesBack) return undefined
  const seen = measureItems(context.items, counter, summaryAsUser)
  if (seen === 0) return undefined
  const { system } = measureFrame({ ...first.facts, ...last.facts }, counter)
  // Everything before the newest compaction is in its summary.
  const messages = context.checkpoint ? seen : Math.round(seen * larger)
  return { count: system + messages, from: 'estimate' }
}

/** The newest usage counts everything before it, whether or not it is visible here. */
function byUsage(
  { log }: Stretch,
  { measured, items }: Context,
  counter: Counter,
): number | undefined {
  if (!measured?.usage) return undefined
  let before = estimatedTokens(0)
  let since = estimatedTokens(0)
  for (const item of items) {
    const entry = item.type === 'message' ? entryAt(log, item.seq) : undefined
    if (entry?.kind !== 'message') continue
    const tokens = counter.message(entry.message)
    if (entry.seq <= measured.seq) before = plus(before, tokens)
    else since = plus(since, tokens)
  }
  const own = toModel(counter.message(measured.message), counter.ratio)
  const reported = measured.usage.inputTokens + answerTokens(measured.usage, own)
  return reported * believable < toModel(before, counter.ratio)
    ? undefined
    : reported + toModel(since, counter.ratio)
}
