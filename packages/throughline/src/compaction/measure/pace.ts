import { entryAt, type Chronological, type ModelOrder } from '../../log/order.ts'
import {
  estimatedTokens,
  modelTokens,
  plus,
  toModel,
  type EstimatedTokens,
  type ModelTokens,
} from '../../tokens/units.ts'
import type { Context } from '../../log/context/context.ts'
import type { Seq } from '../../log/entry.ts'
import type { Counter } from '../../tokens/counter.ts'

/** How fast a session grows, and how often its provider's cache has forgotten it. */
export interface Pace {
  /** What each request adds to the one before. */
  growth: ModelTokens
  /** The share of requests that came after the cache's life, 0 to 1. */
  coldShare: number
  /** Whether the next request is one of them: all of it is paid for anew. */
  isCold: boolean
}

// What is assumed of a session before it has shown its own pace, and how many requests that counts
// as. An assumption: nothing measured it.
const usual = { growth: 800, requests: 5, coldShare: 0.02, gaps: 50 }

/** What was said since the newest checkpoint. */
interface Counted {
  upTo: number
  tokens: EstimatedTokens
  requests: number
  cold: number
  /** When the model last answered, `Infinity` before it has; milliseconds since 1970. */
  answeredAt: number
  /** When anything was last said, by the same clock. */
  saidAt: number
}

/** By the counter, the items, and the life of the cache. */
const counts = new WeakMap<Counter['message'], WeakMap<ModelOrder, Map<number, Counted>>>()

/**
 * The pace of what the context shows since its newest checkpoint: it depends on nothing but the
 * log, so that the same log is compacted at the same places. Only what is new is counted.
 */
export function paceOf(
  { items, checkpoint }: Context,
  log: Chronological,
  { message: count, ratio }: Counter,
  life: number,
): Pace {
  const counted = countedOf(items, count, life)
  const from = checkpoint?.seq ?? 0
  for (; counted.upTo < items.length; counted.upTo++) {
    const item = items[counted.upTo]
    if (item?.type !== 'message' || item.seq <= from) continue
    addItem(counted, item.seq, item.message.role === 'assistant', log, life)
    counted.tokens = plus(counted.tokens, count(item.message))
  }
  const { tokens, requests, cold } = counted
  const all = toModel(tokens, ratio) + usual.growth * usual.requests
  return {
    growth: modelTokens(Math.ceil(all / (requests + usual.requests))),
    coldShare: (cold + usual.coldShare * usual.gaps) / (requests + usual.gaps),
    isCold: isCold(counted, life),
  }
}

function addItem(
  counted: Counted,
  seq: Seq,
  isAnswer: boolean,
  log: Chronological,
  life: number,
): void {
  const at = entryAt(log, seq)?.at
  if (isAnswer) {
    counted.requests += 1
    // The request was made when everything before the answer had been said.
    if (isCold(counted, life)) counted.cold += 1
    counted.answeredAt = at ?? counted.answeredAt
  }
  counted.saidAt = at ?? counted.saidAt
}

function isCold({ answeredAt, saidAt }: Counted, life: number): boolean {
  return saidAt - answeredAt > life
}

function countedOf(items: ModelOrder, count: Counter['message'], life: number): Counted {
  let byItems = counts.get(count)
  if (!byItems) counts.set(count, (byItems = new WeakMap()))
  let byLife = byItems.get(items)
  if (!byLife) byItems.set(items, (byLife = new Map()))
  let counted = byLife.get(life)
  if (!counted) {
    counted = {
      upTo: 0,
      tokens: estimatedTokens(0),
      requests: 0,
      cold: 0,
      answeredAt: Infinity,
      saidAt: 0,
    }
    byLife.set(life, counted)
  }
  return counted
}
