import { cachePrices, type Prices } from '../../../tokens/prices.ts'
import { modelTokens, type ModelTokens } from '../../../tokens/units.ts'
import type { Window } from '../../../tokens/window.ts'
import type { LiveRequest } from './summarizer.ts'

/**
 * How a summary is asked for: behind the live conversation, exactly as that goes to its model and
 * with what its provider has cached of it, or of the pruned head alone.
 */
export type RequestShape = 'live' | 'head'

/** What a shape is chosen by. Sizes are in tokens of the summarizer's model. */
export interface ShapeInput {
  live: Pick<LiveRequest, 'tokens' | 'cached' | 'now'>
  /** What the requests for the head alone would hold, instructions included. */
  head: ModelTokens
  instruction: ModelTokens
  /** What the answer should have room for. */
  answer: ModelTokens
  window: Window
  prices: Prices | undefined
}

// Both Anthropic and OpenAI keep a prefix for about five minutes after its last use.
const cacheLife = 5 * 60_000

// What reading and writing a cache costs is a share of the input price, whatever that is.
const anyPrices: Prices = { input: 1, output: 1 }

/**
 * The cheaper shape that fits. The answer costs the same in both, so that only what is read is
 * compared.
 * @example
 * chooseShape({ live, head: 40_000, instruction: 700, answer: 4_000, window, prices }) // 'live'
 */
export function chooseShape(input: ShapeInput): RequestShape {
  if (answerRoom(input) < input.answer) return 'head'
  return liveCost(input) < headCost(input) ? 'live' : 'head'
}

/** What the window leaves for an answer behind the live conversation. */
export function answerRoom({
  live,
  instruction,
  window,
}: Pick<ShapeInput, 'live' | 'instruction' | 'window'>): ModelTokens {
  const asked = live.tokens + instruction
  if (asked > (window.input ?? window.context)) return modelTokens(0)
  const left = Math.min(window.context - asked, window.output ?? window.context)
  return modelTokens(Math.max(left, 0))
}

function liveCost({ live, instruction, prices = anyPrices }: ShapeInput): number {
  const { read, write } = cachePrices(prices)
  const cached = cachedTokens(live)
  return cached * read + (live.tokens - cached + instruction) * write
}

function headCost({ head, prices = anyPrices }: ShapeInput): number {
  return head * prices.input
}

/** Nobody knows of a cache from the future how long it lives. */
function cachedTokens({ cached, tokens, now }: ShapeInput['live']): number {
  if (!cached) return 0
  const age = now - cached.at
  return age >= 0 && age < cacheLife ? Math.min(cached.tokens, tokens) : 0
}
