import { cachePrices } from '../../../tokens/prices.ts'
import { modelTokens, estimatedTokens } from '../../../tokens/units.ts'
import type { Prices } from '../../../tokens/price-table.ts'
import type { ModelTokens, EstimatedTokens } from '../../../tokens/units.ts'
import type { Window } from '../../../tokens/window.ts'
import type { LiveRequest } from './summarizer.ts'

/** How a summarizer's model counts tokens, and its limits. */
export interface Sizing {
  window: Window
  /** Tokens of the model per estimated token. */
  ratio: number
}

// A summary that is a quarter too large is rejected because of its size, which tells the model more
// than cutting it off would.
const overBudget = 1.25

// Models that think count their thinking as output.
const mostThought = 8_192

// The ratio of a model that hasn't answered yet is off by a few percent.
const certain = 0.9

/**
 * The limit for an answer, in tokens of the model: a summary of `budget` is not cut off, and one
 * that never ends is.
 * @example
 * answerLimit(estimatedTokens(2_000), { window: { context: 200_000 }, ratio: 1 }) // 10692
 */
export function answerLimit(budget: EstimatedTokens, { window, ratio }: Sizing): ModelTokens {
  const thoughts = Math.min(mostThought, Math.floor(window.context / 16))
  const wanted = Math.ceil(budget * ratio * overBudget) + thoughts
  const most = Math.min(window.output ?? Infinity, Math.floor(window.context / 2))
  return modelTokens(Math.min(wanted, most))
}

/**
 * How much one request may read, estimated: the window minus the answer and minus what is sent
 * `beside` it. Negative if nothing fits.
 */
export function readingRoom(
  { window, ratio }: Sizing,
  { answer, beside }: { answer: ModelTokens; beside: EstimatedTokens },
): EstimatedTokens {
  const question = Math.min(window.context - answer, window.input ?? window.context)
  return estimatedTokens(Math.floor((question * certain) / ratio) - beside)
}

/**
 * How to ask for a summary: after the live conversation, exactly as its model would receive it and
 * with what its provider has cached, or for the pruned head alone.
 */
export type RequestShape = 'live' | 'head'

/** The input for choosing a shape. Sizes are in tokens of the summarizer's model. */
export interface ShapeInput {
  live: Pick<LiveRequest, 'tokens' | 'cached' | 'now'>
  /** The size of the requests for the head alone, including instructions. */
  head: ModelTokens
  instruction: ModelTokens
  /** How much room the answer should have. */
  answer: ModelTokens
  window: Window
  prices: Prices | undefined
}

// Both Anthropic and OpenAI keep a cached prefix for about five minutes after its last use.
const cacheLife = 5 * 60_000

// The price of reading and writing a cache is a share of the input price, whatever that is.
const anyPrices: Prices = { input: 1, output: 1 }

/**
 * The cheaper shape that fits. The answer costs the same in both, so only the input is compared.
 * @example
 * chooseShape({ live, head: 40_000, instruction: 700, answer: 4_000, window, prices }) // 'live'
 */
export function chooseShape(input: ShapeInput): RequestShape {
  if (answerRoom(input) < input.answer) return 'head'
  return liveCost(input) < headCost(input) ? 'live' : 'head'
}

/** The room that the window leaves for an answer after the live conversation. */
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

/** If the cache was written in the future, its remaining time is unknown. */
function cachedTokens({ cached, tokens, now }: ShapeInput['live']): number {
  if (!cached) return 0
  const age = now - cached.at
  return age >= 0 && age < cacheLife ? Math.min(cached.tokens, tokens) : 0
}
