import { costOf, pricesOf, type Prices } from '../tokens/prices.ts'
import { noKinds } from './kinds.ts'
import type { Usage } from '../log/entry.ts'
import type { Money, Requests } from './model.ts'

const cacheLife = 300_000

/** What all requests cost. */
export type Spending = Omit<Money, 'summaries' | 'kinds' | 'carried' | 'next'>

interface PricedRequest {
  at: number
  model: string | undefined
  usage: Usage | undefined
  reported: number | undefined
  tokens: number
  fixed: number
  output: number
}

/**
 * Prices requests as they come. Where a provider has counted, its figures stand; elsewhere a cache
 * is assumed that keeps the beginning of a prompt for five minutes after its last use.
 */
export function requestCosts(given: Prices | undefined) {
  const known = new Map<string, Prices | undefined>()
  const sums = { input: 0, cacheRead: 0, cacheWrite: 0, output: 0 }
  const dollars = { input: 0, cacheRead: 0, cacheWrite: 0, output: 0 }
  const byKind = noKinds()
  let estimated = 0
  let unpriced = 0
  let cached = 0
  let usedAt = -Infinity
  let changed = false

  function pricesFor(model: string | undefined): Prices | undefined {
    if (given) return given
    if (model === undefined) return undefined
    if (!known.has(model)) known.set(model, pricesOf(model))
    return known.get(model)
  }

  function usageOf(request: PricedRequest): Required<Usage> {
    const { at, usage, reported, tokens, fixed, output } = request
    const outputTokens = output
    if (reported !== undefined && usage) {
      const { cacheReadTokens = 0, cacheWriteTokens = 0 } = usage
      return { inputTokens: reported, outputTokens, cacheReadTokens, cacheWriteTokens }
    }
    estimated += 1
    const warm = at - usedAt <= cacheLife ? (changed ? Math.min(fixed, cached) : cached) : 0
    const cacheReadTokens = Math.min(warm, tokens)
    return {
      inputTokens: tokens,
      outputTokens,
      cacheReadTokens,
      cacheWriteTokens: tokens - cacheReadTokens,
    }
  }

  return {
    byKind,
    viewChanged: () => void (changed = true),
    add(request: PricedRequest) {
      const usage = usageOf(request)
      cached = request.tokens
      usedAt = request.at
      changed = false
      const prices = pricesFor(request.model)
      const { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens } = usage
      const fresh = Math.max(inputTokens - cacheReadTokens - cacheWriteTokens, 0)
      sums.input += fresh
      sums.cacheRead += cacheReadTokens
      sums.cacheWrite += cacheWriteTokens
      sums.output += outputTokens
      if (!prices) {
        unpriced += 1
        return { usage, dollars: null, inputDollars: null }
      }
      const none = { inputTokens: 0, outputTokens: 0 }
      const parts = {
        input: costOf({ ...none, inputTokens: fresh }, prices),
        cacheRead: costOf({ ...none, inputTokens: cacheReadTokens, cacheReadTokens }, prices),
        cacheWrite: costOf({ ...none, inputTokens: cacheWriteTokens, cacheWriteTokens }, prices),
        output: costOf({ ...none, outputTokens }, prices),
      }
      for (const part of ['input', 'cacheRead', 'cacheWrite', 'output'] as const) {
        dollars[part] += parts[part]
      }
      const inputDollars = parts.input + parts.cacheRead + parts.cacheWrite
      return { usage, dollars: inputDollars + parts.output, inputDollars }
    },
    total(requests: Requests): Spending {
      const all = requests.seq.length
      const part = (name: keyof typeof sums) => ({ tokens: sums[name], dollars: dollars[name] })
      const sum = dollars.input + dollars.cacheRead + dollars.cacheWrite + dollars.output
      return {
        dollars: unpriced === all ? null : sum,
        requests: all,
        unpriced,
        estimated,
        input: part('input'),
        cacheRead: part('cacheRead'),
        cacheWrite: part('cacheWrite'),
        output: part('output'),
      }
    },
  }
}
