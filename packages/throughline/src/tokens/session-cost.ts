import { costOf } from './prices.ts'
import type { Prices } from './price-table.ts'
import type { Usage } from '../log/entry.ts'

/** A unit of the prompt cache: the system prompt, the tools, or a message. */
export interface PromptPiece {
  /** Equal for equal bytes, and different for others. */
  key: string
  tokens: number
}

/** The parts of a request that determine its price. */
export interface PricedRequest {
  /** When it was sent, in milliseconds since 1970. */
  at: number
  /** Everything that the model reads, in order. */
  prompt: readonly PromptPiece[]
  /** The size of the answer in tokens. */
  output: number
}

/** The total cost of requests. */
export interface SessionCost {
  requests: number
  /** Tokens; `inputTokens` includes what was read from the cache and written to it. */
  usage: Required<Omit<Usage, 'clearedTokens'>>
  dollars: number
}

/** How the prompt cache is modeled. */
export interface CacheOptions {
  /**
   * How many milliseconds a prefix is kept after its last use; five minutes by default, as with
   * Anthropic. With 0 there is no cache, and all input costs the same.
   */
  life?: number
}

/** Adds up the costs of requests as they come. */
export interface CostMeter {
  /** The cost of this one request. */
  add: (request: PricedRequest) => SessionCost
  /** What it would cost now, without sending it. */
  priceOf: (request: PricedRequest) => SessionCost
  total: () => SessionCost
}

/** How many milliseconds a provider keeps a prefix, unless it is paid for more. */
export const cacheLife = 300_000

/** The beginning of a prompt that was sent, and its known continuations. */
interface Prefix {
  usedAt: number
  next: Map<string, Prefix>
}

/**
 * Prices requests with a prompt cache. The longest beginning shared with an earlier request, and
 * used within the cache's lifetime, is read; the rest is written.
 * @example
 * const meter = costMeter({ input: 3, output: 15 })
 * const system = { key: 'system', tokens: 1_000_000 }
 * meter.add({ at: 0, prompt: [system], output: 0 }).dollars // 3.75: written to the cache
 * meter.add({ at: 60_000, prompt: [system], output: 0 }).dollars // 0.3: read from it
 */
export function costMeter(prices: Prices, { life = cacheLife }: CacheOptions = {}): CostMeter {
  const root: Prefix = { usedAt: 0, next: new Map() }
  let total = noCost()
  const priceOf = (request: PricedRequest): SessionCost =>
    costOfOne(request, prices, life > 0 ? cachedTokens(root, request, life) : 'none')
  return {
    add(request) {
      const cost = priceOf(request)
      remember(root, request, life)
      total = sum(total, cost)
      return cost
    },
    priceOf,
    total: () => total,
  }
}

/** The tokens that are read from the cache. */
function cachedTokens(root: Prefix, { at, prompt }: PricedRequest, life: number): number {
  let tokens = 0
  let prefix: Prefix | undefined = root
  for (const piece of prompt) {
    prefix = prefix.next.get(piece.key)
    if (!prefix || at - prefix.usedAt > life) break
    tokens += piece.tokens
  }
  return tokens
}

/** Afterwards the whole prompt is in the cache. */
function remember(root: Prefix, { at, prompt }: PricedRequest, life: number): void {
  let prefix = root
  for (const { key } of prompt) {
    let next: Prefix | undefined = prefix.next.get(key)
    if (!next || at - next.usedAt > life) {
      // Prompts that grew from an expired beginning were used no later than it.
      prefix.next.set(key, (next = { usedAt: at, next: new Map() }))
    }
    next.usedAt = Math.max(next.usedAt, at)
    prefix = next
  }
}

function costOfOne(
  { prompt, output: outputTokens }: PricedRequest,
  prices: Prices,
  cached: number | 'none',
): SessionCost {
  const inputTokens = prompt.reduce((tokens, piece) => tokens + piece.tokens, 0)
  const cacheReadTokens = cached === 'none' ? 0 : cached
  const cacheWriteTokens = cached === 'none' ? 0 : inputTokens - cached
  const usage = { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens }
  return { requests: 1, usage, dollars: costOf(usage, prices) }
}

function noCost(): SessionCost {
  return {
    requests: 0,
    usage: { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 },
    dollars: 0,
  }
}

function sum(a: SessionCost, b: SessionCost): SessionCost {
  return {
    requests: a.requests + b.requests,
    usage: {
      inputTokens: a.usage.inputTokens + b.usage.inputTokens,
      outputTokens: a.usage.outputTokens + b.usage.outputTokens,
      cacheReadTokens: a.usage.cacheReadTokens + b.usage.cacheReadTokens,
      cacheWriteTokens: a.usage.cacheWriteTokens + b.usage.cacheWriteTokens,
    },
    dollars: a.dollars + b.dollars,
  }
}
