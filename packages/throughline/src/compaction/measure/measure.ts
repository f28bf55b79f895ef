import { readingItems } from '../../log/context/known-items.ts'
import { renderAhead, renderContext, type Counted, type Rendered } from '../render/render.ts'
import { providerCompactionIn } from '../../log/context/provider-compaction.ts'
import type { SummaryRole } from '../render/summary-block.ts'
import type { Context } from '../../log/context/context.ts'
import type { Seq } from '../../log/entry.ts'
import type { Message } from '../../log/message.ts'
import type { ModelOrder } from '../../log/order.ts'
import {
  estimatedTokens,
  minus,
  modelTokens,
  plus,
  toModel,
  type EstimatedTokens,
  type ModelTokens,
} from '../../tokens/units.ts'
import { answerTokens } from '../../tokens/prices.ts'
import type { Counter } from '../../tokens/counter.ts'

/** What a request contains besides the messages. */
export interface RequestFrame {
  system?: string
  /** Tool schemas, as they are sent. */
  tools?: unknown
  model?: string
}

/** The size of the next request, in tokens of the model. */
export interface Measurement {
  tokens: ModelTokens
  system: ModelTokens
  tools: ModelTokens
  messages: ModelTokens
  /** `usage` if it is based on a provider's own figure. */
  source: 'estimate' | 'usage'
}

// Others clamp to 0.5–2 (gemini-cli) or 4 (Cline); usage that is further off counts something else.
const believable = 4

/**
 * Estimates the next request. A provider's usage is believed only if `log/context/trusted-usage.ts`
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
  const estimated = toModel(totals.sum, counter.ratio)
  const estimate: Measurement = {
    ...fixed,
    tokens: plus(fixed.system, fixed.tools, estimated),
    messages: estimated,
    source: 'estimate',
  }
  const { measured } = context
  if (!measured?.usage || (frame.model && measured.model && measured.model !== frame.model)) {
    return estimate
  }
  // It counts what a provider has compacted since, or while it answered.
  if (measured.seq <= totals.ignoredUpTo) return estimate
  // Or what another provider read, which had compacted what this one gets whole.
  if (unreadIn(context.items).any) return estimate
  const since = toModel(totals.after(measured.seq), counter.ratio)
  const then = estimate.tokens - since
  const own = toModel(counter.message(measured.message), counter.ratio)
  const { inputTokens, clearedTokens = 0 } = measured.usage
  const reported = inputTokens + answerTokens(measured.usage, own)
  // What the provider cleared it clears again: the request is as large as it counts it.
  const sent = reported + clearedTokens
  const explained = sent >= then / believable && sent <= then * believable
  if (!explained) return estimate
  const tokens = modelTokens(reported + since)
  const messages = minus(tokens, fixed.system, fixed.tools)
  return { ...fixed, tokens, messages, source: 'usage' }
}

const unreadIn = readingItems<{ any: boolean }>({
  nothing: () => ({ any: false }),
  note: (unread, item) => {
    if (item.type === 'message' && item.unread) unread.any = true
  },
  copy: ({ any }) => ({ any }),
})

/** System prompt and tool schemas, in tokens of the model. */
export function measureFrame(
  { system, tools }: RequestFrame,
  { text, ratio }: Counter,
): Pick<Measurement, 'system' | 'tools'> {
  return {
    system: system ? toModel(text(system), ratio) : modelTokens(0),
    tools: toModel(toolTokens(tools, text), ratio),
  }
}

/** A context's messages, in tokens of the model. */
export function measureItems(items: ModelOrder, counter: Counter, role: SummaryRole): ModelTokens {
  return toModel(totalsOf(items, counter, role).sum, counter.ratio)
}

/** What of them comes from the entry `seq` on, in tokens of the model. */
export function measureFrom(
  items: ModelOrder,
  seq: Seq,
  counter: Counter,
  role: SummaryRole,
): ModelTokens {
  return toModel(totalsOf(items, counter, role).after(seq - 1), counter.ratio)
}

const toolCounts = new WeakMap<object, EstimatedTokens>()

function toolTokens(tools: unknown, count: Counter['text']): EstimatedTokens {
  if (typeof tools !== 'object' || tools === null) return estimatedTokens(0)
  let tokens = toolCounts.get(tools)
  if (tokens === undefined) {
    tokens = count(JSON.stringify(tools) ?? '')
    toolCounts.set(tools, tokens)
  }
  return tokens
}

interface Totals {
  /** From a provider's own compaction on, if there is one: the provider ignores what is before. */
  sum: EstimatedTokens
  /** The newest entry of the answer that brought it. */
  ignoredUpTo: Seq
  /** The tokens of everything after the entry `seq`. */
  after: (seq: Seq) => EstimatedTokens
}

/** As many tokens are counted before others may have their turn. */
const slice = 20_000

/**
 * Counts a context's messages before somebody asks for their size: a long session's first measure
 * takes long. Others may have their turn whenever it yields.
 */
export function* countAhead(
  items: ModelOrder,
  counter: Counter,
  role: SummaryRole,
): Generator<undefined, void> {
  yield* renderAhead(items, role)
  const rendered = renderContext(items, role)
  const sum = sumOf(rendered, counter)
  let counted = sum.tokens
  while (sum.upTo < rendered.messages.length) {
    addMessage(sum, rendered, counter)
    sum.upTo += 1
    if (sum.tokens - counted < slice) continue
    counted = sum.tokens
    yield
  }
}

/** Sums are cached per context and only extended, so a step costs only what it adds. */
function totalsOf(items: ModelOrder, counter: Counter, role: SummaryRole): Totals {
  const rendered = renderContext(items, role)
  const { messages, seqs } = rendered
  const sum = sumOf(rendered, counter)
  for (; sum.upTo < messages.length; sum.upTo++) addMessage(sum, rendered, counter)
  return {
    sum: sum.tokens,
    ignoredUpTo: sum.ignoredUpTo,
    after: (seq) => {
      let tokens = estimatedTokens(0)
      for (let index = messages.length - 1; index >= 0; index--) {
        if ((seqs[index] as Seq) <= seq) break
        tokens = plus(tokens, counter.message(messages[index] as Message))
      }
      return tokens
    },
  }
}

/** What has been counted so far of rendered messages. */
function sumOf({ counted }: Rendered, { message: count }: Counter): Counted {
  let sum = counted.get(count)
  if (!sum) counted.set(count, (sum = { upTo: 0, tokens: estimatedTokens(0), ignoredUpTo: 0 }))
  return sum
}

function addMessage(sum: Counted, { messages, seqs }: Rendered, { message: count }: Counter): void {
  const message = messages[sum.upTo] as Message
  const start = providerCompactionIn(message)
  if (start !== undefined) {
    sum.tokens = count(partsFrom(message, start))
    // What came with it from one compaction is sent before it, and read.
    for (let at = sum.upTo - 1; at >= 0 && seqs[at] === seqs[sum.upTo]; at--) {
      sum.tokens = plus(sum.tokens, count(messages[at] as Message))
    }
    sum.ignoredUpTo = seqs[sum.upTo] as Seq
    return
  }
  sum.tokens = plus(sum.tokens, count(message))
  // Some APIs bring it as a message of its own, before the answer that it came with.
  const before = messages[sum.upTo - 1]
  const isOfOneAnswer = message.role === 'assistant' && before?.role === 'system'
  if (isOfOneAnswer && providerCompactionIn(before) !== undefined) {
    sum.ignoredUpTo = seqs[sum.upTo] as Seq
  }
}

function partsFrom(message: Message, start: number): Message {
  if (message.role !== 'assistant' || typeof message.content === 'string') return message
  return { ...message, content: message.content.slice(start) }
}
