import { renderContext } from '../render/render.ts'
import type { SummaryRole } from '../render/summary-block.ts'
import type { Context } from '../../log/context.ts'
import type { Seq } from '../../log/entry.ts'
import type { Message } from '../../log/message.ts'
import type { ModelOrder } from '../../log/order.ts'
import type { CountTokens } from '../../tokens/count.ts'

/** What a request holds beside the messages. */
export interface RequestFrame {
  system?: string
  /** Tool schemas, as they go on the wire. */
  tools?: unknown
  model?: string
}

/** How tokens are counted; `ratio` is real tokens per estimated token for this model. */
export interface Counter {
  text: CountTokens
  message: (message: Message) => number
  ratio: number
}

/** The size of the next request, in tokens. */
export interface Measurement {
  tokens: number
  system: number
  tools: number
  messages: number
  /** `usage` where a provider's own figure is its base. */
  source: 'estimate' | 'usage'
}

// Peers clamp to 0.5–2 (gemini-cli) or 4 (Cline); a usage farther off counts something else.
const believable = 4

/**
 * Estimates the next request. A provider's usage is believed only if `log/trusted-usage.ts`
 * trusts it, which keeps out what was measured before the last change of the context; if it is
 * of this model; and if it is near enough to our own count to be the size of a request at all.
 */
export function measure(
  context: Context,
  frame: RequestFrame,
  counter: Counter,
  summaryRole: SummaryRole,
): Measurement {
  const fixed = measureFrame(frame, counter)
  const totals = totalsOf(context.items, counter, summaryRole)
  const estimated = scale(totals.sum, counter)
  const estimate: Measurement = {
    ...fixed,
    tokens: fixed.system + fixed.tools + estimated,
    messages: estimated,
    source: 'estimate',
  }
  const { measured } = context
  if (!measured?.usage || (frame.model && measured.model && measured.model !== frame.model)) {
    return estimate
  }
  const since = scale(totals.after(measured.seq), counter)
  const then = estimate.tokens - since
  const reported = measured.usage.inputTokens + measured.usage.outputTokens
  const explained = reported >= then / believable && reported <= then * believable
  if (!explained) return estimate
  const tokens = reported + since
  return { ...fixed, tokens, messages: tokens - fixed.system - fixed.tools, source: 'usage' }
}

/** System prompt and tool schemas, in tokens. */
export function measureFrame(
  frame: RequestFrame,
  counter: Counter,
): { system: number; tools: number } {
  return {
    system: frame.system ? scale(counter.text(frame.system), counter) : 0,
    tools: frame.tools === undefined ? 0 : scale(toolTokens(frame.tools, counter.text), counter),
  }
}

/** The tokens of a context's messages. */
export function measureItems(items: ModelOrder, counter: Counter, role: SummaryRole): number {
  return scale(totalsOf(items, counter, role).sum, counter)
}

export function scale(tokens: number, { ratio }: Counter): number {
  return Math.ceil(tokens * ratio)
}

const toolCounts = new WeakMap<object, number>()

function toolTokens(tools: unknown, count: CountTokens): number {
  if (typeof tools !== 'object' || tools === null) return 0
  let tokens = toolCounts.get(tools)
  if (tokens === undefined) {
    tokens = count(JSON.stringify(tools) ?? '')
    toolCounts.set(tools, tokens)
  }
  return tokens
}

interface Totals {
  sum: number
  /** Tokens of what came behind the entry `seq`. */
  after: (seq: Seq) => number
}

interface Sum {
  upTo: number
  tokens: number
}

const sums = new WeakMap<Counter['message'], WeakMap<readonly Message[], Sum>>()

/** Sums are kept per context and only extended, so that a step costs what it adds. */
function totalsOf(items: ModelOrder, counter: Counter, role: SummaryRole): Totals {
  const { messages, seqs } = renderContext(items, role)
  let byMessages = sums.get(counter.message)
  if (!byMessages) sums.set(counter.message, (byMessages = new WeakMap()))
  let sum = byMessages.get(messages)
  if (!sum) byMessages.set(messages, (sum = { upTo: 0, tokens: 0 }))
  for (; sum.upTo < messages.length; sum.upTo++) {
    sum.tokens += counter.message(messages[sum.upTo] as Message)
  }
  return {
    sum: sum.tokens,
    after: (seq) => {
      let tokens = 0
      for (let index = messages.length - 1; index >= 0; index--) {
        if ((seqs[index] as Seq) <= seq) break
        tokens += counter.message(messages[index] as Message)
      }
      return tokens
    },
  }
}
