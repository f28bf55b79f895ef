import { estimateTokens } from '../tokens/estimate.ts'
import { messageTokens } from '../tokens/message-tokens.ts'
import { contextOf } from '../log/context/context.ts'
import { partsOf, type Message } from '../log/message.ts'
import { renderContext } from '../compaction/render/render.ts'
import { summaryAsUser } from '../compaction/render/summary-block.ts'
import type { Chronological } from '../log/order.ts'
import type { Entry } from '../log/entry.ts'

/** The requests before and after a compaction, in tokens. */
export interface Around {
  before: number
  after: number
}

/** What came of a compaction, and how much of what was before it no provider has counted. */
export interface Counted extends Around {
  /** What was said and printed between the request that was counted last and the compaction. */
  grown: number
}

/**
 * The requests around each compaction of a client's session, in order: the one that would have come
 * without it, and the one that came. A client compacts before a request that is too long, and only
 * the one before that was counted: the answer to it and what its calls printed are estimated.
 */
export function sizesAround(log: readonly Entry[]): Counted[] {
  const found: Counted[] = []
  let newest: number | undefined
  let since: Message[] = []
  let before: Omit<Counted, 'after'> | undefined
  for (const entry of log) {
    if (entry.kind === 'checkpoint' && newest !== undefined && before === undefined) {
      const grown = sumOf(since)
      before = { before: newest + grown, grown }
    }
    if (entry.kind !== 'message') continue
    const tokens = entry.usage?.inputTokens
    if (tokens !== undefined) {
      if (before !== undefined) found.push({ ...before, after: tokens })
      before = undefined
      newest = tokens
      since = []
    }
    since.push(entry.message)
  }
  return found
}

/**
 * What a client sends besides the messages, as the provider counted it with the first request: the
 * system prompt, the tools, and what is attached. 0 where that request is not in the log.
 */
export function besideMessages(log: readonly Entry[]): number {
  const said: Message[] = []
  for (const entry of log) {
    if (entry.kind === 'checkpoint') return 0
    if (entry.kind !== 'message') continue
    if (entry.usage) return Math.max(entry.usage.inputTokens - sumOf(said), 0)
    said.push(entry.message)
  }
  return 0
}

/**
 * The size of the next request: what was counted last, and what was said and printed since.
 * `undefined` where nothing was counted behind the newest compaction.
 */
export function countedNow(log: readonly Entry[]): number | undefined {
  const newest = log.findLastIndex(
    (entry) => entry.kind === 'checkpoint' || (entry.kind === 'message' && entry.usage),
  )
  const entry = log[newest]
  if (entry?.kind !== 'message' || !entry.usage) return undefined
  const since = log.slice(newest).flatMap((each) => (each.kind === 'message' ? [each.message] : []))
  return entry.usage.inputTokens + sumOf(since)
}

/** Of the way to a client's next compaction: each comes sooner for what is added to its own context. */
export const mostOfWay = 0.05

/**
 * How far a client goes from what a compaction has left to the next one, in tokens: at least to the
 * last request that was counted before, which it still sent.
 * @param before the session as it was
 * @param left what the context holds behind the compaction, in tokens
 */
export function wayToNext(before: Chronological, left: number): number {
  const counted = before.findLastIndex((entry) => entry.kind === 'message' && entry.usage)
  const since = counted === -1 ? [] : before.slice(counted)
  const grown = since.flatMap((entry) => (entry.kind === 'message' ? [entry.message] : []))
  return Math.max(sentOf(before) - sumOf(grown) - left, 0)
}

/** What the context of a session holds, in tokens. */
export function sentOf(log: Chronological): number {
  return sumOf(renderContext(contextOf(log).items, summaryAsUser).messages)
}

function sumOf(messages: readonly Message[]): number {
  return messages.reduce((sum, message) => sum + sentAgain(message), 0)
}

/** The tokens of a message in the next request, which few clients give the thoughts of a model. */
function sentAgain(message: Message): number {
  const parts = partsOf(message).filter((part) => part.type !== 'reasoning')
  return messageTokens({ ...message, content: parts } as Message, estimateTokens)
}

// One that did not shrink may have another reason.
const mostUnshrunk = 2

/** What is recorded where a client takes our context, and its requests stay as they are. */
export const doesNotShrink = 'compactions do not make its requests smaller'

/**
 * Whether the newest compactions, by how they went, are worth another: two in a row that did not
 * shrink what is sent are only the beginning of an endless row.
 * @example
 * isWorthwhile([true, false]) // true
 * isWorthwhile([true, false, false]) // false
 */
export function isWorthwhile(shrank: readonly boolean[]): boolean {
  const newest = shrank.slice(-mostUnshrunk)
  return newest.length < mostUnshrunk || newest.includes(true)
}

/** Whether what is sent fell by half of what was planned. */
export function didShrink({ before, after }: Around, planned: Around): boolean {
  return before - after >= (planned.before - planned.after) / 2
}

/**
 * Whether a compaction took away more than half of what had come since the last request: one that
 * does nothing leaves all of it, however the estimate of it errs.
 */
export function tookAway({ before, after, grown }: Counted): boolean {
  return after < before - grown / 2
}
