import { costOf, type Prices } from './prices.ts'
import type { Usage } from '../log/entry.ts'

/** What a prompt cache holds whole or not at all: the system prompt, the tools, a message. */
export interface PromptPiece {
  /** The same for the same bytes, and another for others. */
  key: string
  tokens: number
}

/** A request as its price depends on it. */
export interface PricedRequest {
  /** When it was sent, in milliseconds since 1970. */
  at: number
  /** All that the model reads, in the order in which it reads it. */
  prompt: readonly PromptPiece[]
  /** Tokens of the answer. */
  output: number
}

/** What requests came to. */
export interface SessionCost {
  requests: number
  /** Tokens: `inputTokens` has what was read from the cache and written to it in it. */
  usage: Required<Usage>
  /** US dollars. */
  dollars: number
}

/** How the prompt cache is thought of. */
export interface CacheOptions {
  /**
   * Milliseconds for which a prefix is kept after its last use; five minutes by default, as
   * Anthropic keeps it. With 0 there is no cache, and all input costs the same.
   */
  life?: number
}

/** Adds up what requests cost as they come. */
export interface CostMeter {
  /** The cost of this one request. */
  add: (request: PricedRequest) => SessionCost
  /** What it would cost now; it is not sent. */
  priceOf: (request: PricedRequest) => SessionCost
  /** Of all so far. */
  total: () => SessionCost
}

const fiveMinutes = 300_000

/** The beginning of a prompt that was sent, and the ways on from it. */
interface Prefix {
  usedAt: number
  next: Map<string, Prefix>
}

/**
 * Prices requests with a prompt cache: the longest beginning that an earlier request had in
 * common, and that was used within the cache's life, is read; the rest is written.
 * @example
 * const meter = costMeter({ input: 3, output: 15 })
 * const system = { key: 'system', tokens: 1_000_000 }
 * meter.add({ at: 0, prompt: [system], output: 0 }).dollars // 3.75: written to the cache
 * meter.add({ at: 60_000, prompt: [system], output: 0 }).dollars // 0.3: read from it
 */
export function costMeter(prices: Prices, { life = fiveMinutes }: CacheOptions = {}): CostMeter {
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

/**
 * What a sequence of requests costs, in the order in which they were sent.
 * @example
 * costOfRequests(requests, { input: 3, output: 15 }).dollars
 */
export function costOfRequests(
  requests: Iterable<PricedRequest>,
  prices: Prices,
  cache: CacheOptions = {},
): SessionCost {
  const meter = costMeter(prices, cache)
  for (const request of requests) meter.add(request)
  return meter.total()
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
      // What grew from a beginning that is forgotten was used no later than it.
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
