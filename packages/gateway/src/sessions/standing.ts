import { callMarks } from '../identity/identify.ts'
import { instructionsSaid } from '../identity/said.ts'
import type { BodySpans, Span } from '../body/spans.ts'
import type { Element } from '../body/elements.ts'
import { fewestBytes, mostBytes } from './counted-sizes.ts'
import { splicedBody, type ListItem, type Made } from '../body/spliced.ts'
import { dueAt, type Fitted, type Heard, type Place, type SessionAtWork } from './live-session.ts'
import type { MarkedBy } from '../identity/marks.ts'
import type { ModelRequest } from '../server/model-request.ts'
import type { Mark, World } from '../store/gateway-store.ts'
import type { Seq, Usage, Window } from 'throughline'
import type { Wire } from '../wires/wire.ts'

/** What is sent for an element: the client's own, by its place, or bytes that were made once. */
export type SentItem = { own: number } | Made

/** A request of a conversation, and whose it is. */
export interface Following {
  request: ModelRequest
  elements: readonly Element[]
  when: 'before' | 'rescue'
  by: MarkedBy
  world: World
  /** Of the conversation, in this process. */
  key: string
}

/** How a request is followed that can't just go on. */
export interface FollowingHow {
  /** What the provider has said to it. */
  refusal?: unknown
  /** What was sent for it, if it did not go out as it came. */
  refused?: Buffer | undefined
  /** It has been answered. */
  isLate?: boolean
  /** Whether the next one may go on from it. */
  stands?: boolean
}

/**
 * A conversation as its last request has left it. A request that only adds to it, and surely fits, is
 * sent on from this alone: what was sent before, and behind it the client's own bytes. Its log is
 * written behind the answer.
 */
export interface Standing {
  readonly session: string
  readonly live: SessionAtWork
  /** The newest entry that had changed the view. */
  readonly changedAt: Seq
  /** From this size on, the engine decides. */
  readonly threshold: number
  readonly window: Window
  /** The mark of the newest request that is in the log, and how many elements that had. */
  readonly followed: { head: Mark; count: number }
  /** The newest request. */
  following: Following
  /** What was sent in place of its elements; `undefined` where they went out as they came. */
  sent: readonly SentItem[] | undefined
  /**
   * A size that is known, and how long the list was then. How many bytes of what was sent were a token,
   * where the provider has counted them.
   */
  known: { tokens: number; bytes: number; ofToken?: number }
  /** Whether the newest request is not in the log yet. */
  isBehind: boolean
  /** Since when nothing of it is in a log, in milliseconds since 1970. */
  readonly unreadSince?: number | undefined
  /** The request that is written to the log now, or was the last one. */
  writes?: Following
  /** What was heard of the answer to the newest request, before that was in the log. */
  heard?: { of: Following; answer: Heard }
}

/** What a request has left a conversation on. */
export interface StandsOn {
  session: string
  live: SessionAtWork
  head: Mark
  list: Fitted['list']
  /** The most tokens that it can have, if nothing of it is in a log, and the time. */
  unread?: { most: number; at: number } | undefined
}

/** How a conversation stands after a request that was followed; `undefined` where nobody can go on. */
export function standingOf(
  following: Following,
  { session, live, head, list, unread }: StandsOn,
  window: Window,
): Standing | undefined {
  const { request, elements, when } = following
  const { place, threshold, tokens } = unread
    ? { place: emptyLog, threshold: dueFor(when, window), tokens: unread.most }
    : live
  const sent = list && placesOf(list, elements)
  if (!place || (list && !sent)) return undefined
  return {
    session,
    live,
    changedAt: place.changedAt,
    threshold,
    window,
    followed: { head, count: elements.length },
    following,
    sent,
    known: { tokens, bytes: listBytes(request) },
    isBehind: unread !== undefined,
    unreadSince: unread?.at,
  }
}

const emptyLog: Place = { newest: 0, changedAt: 0 }

/** How the log of a conversation stands, if it is known here. */
export function placeOf({ live, unreadSince }: Standing): Place | undefined {
  return unreadSince === undefined ? live.place : emptyLog
}

/** From how many tokens on a compaction is due before anything has been refused. */
export function dueFor(when: Following['when'], window: Window): number {
  return when === 'rescue' ? Infinity : dueAt(window)
}

/** What has gone on from a request while that was written, stands behind it, and its answer is told. */
export function bringAlong(
  standing: Standing,
  { following: newest, heard, changedAt }: Standing,
): void {
  const { following, live, followed } = standing
  const isSameView = changedAt === standing.changedAt
  if (heard?.of === following && isSameView) live.answered(followed.head, heard.answer)
  if (newest === following) return
  standing.sent = sentNext(standing, newest)
  standing.following = newest
  standing.isBehind = newest.elements.length > following.elements.length
}

// A client moves its marks of the cache along with its newest messages.
const mostRestated = 8

/** Whether a request has all that the one before had, word for word or in other form, and more. */
export function goesOn(
  { following: { request, elements: before, when } }: Standing,
  { request: next, elements, when: nextWhen }: Following,
): boolean {
  if (when !== nextWhen || elements.length < before.length || !isSameFrame(request, next))
    return false
  let restated = 0
  for (const [index, { value }] of before.entries()) {
    const now = elements[index]?.value
    if (now === value) continue
    restated += 1
    if (restated > mostRestated || !now || !isSaidAlike(next.wire, value, now)) return false
  }
  return areCallsWhole(next.wire, elements.slice(before.length))
}

/** The most that a request can have that goes on from here, in tokens. */
export function mostTokens({ known }: Standing, next: ModelRequest): number {
  return known.tokens + Math.max(0, listBytes(next) - known.bytes) / fewestBytes
}

/** Whether a compaction is due for a request, as far as the provider’s count of the one before says. */
export function isDue({ known, threshold }: Standing, next: ModelRequest): boolean {
  const ofToken = Math.min(known.ofToken ?? fewestBytes, mostBytes)
  return known.tokens + Math.max(0, listBytes(next) - known.bytes) / ofToken >= threshold
}

/**
 * Whether a request of so many tokens, for which a compaction is due, still fits as it is, so that it
 * need not wait for it. What it takes is a small part of what is reserved for the answer.
 */
export function mayWait(
  { threshold, window: { context, input = context } }: Standing,
  tokens: number,
  { asked: { output = 0 } }: ModelRequest,
): boolean {
  const spare = (Math.min(context, input) - threshold) * takenOfReserve
  return threshold > 0 && tokens <= threshold + spare && tokens + output <= context
}

// Three quarters of it stay for the answer.
const takenOfReserve = 1 / 4

/** What is sent for a request that goes on from here. */
export function sentNext(
  { sent, following }: Standing,
  { elements }: Following,
): readonly SentItem[] | undefined {
  if (!sent) return undefined
  const items = sent.slice()
  for (let own = following.elements.length; own < elements.length; own++) items.push({ own })
  return items
}

/** The same as a list of a request's own bytes and those that were made. */
function listOf(items: readonly SentItem[], elements: readonly Element[]): ListItem[] {
  return items.map((item) => ('own' in item ? { own: (elements[item.own] as Element).span } : item))
}

/** What is sent for its newest request; `undefined` where that goes out as it came. */
export function bodyOf({ sent, following: { request, elements } }: Standing): Buffer | undefined {
  const list = sent && listOf(sent, elements)
  return list && splicedBody(request.body, request.spans, request.wire.list, list)
}

/** A list by the places of what is the client's own; `undefined` if something is not among them. */
function placesOf(
  list: readonly ListItem[],
  elements: readonly Element[],
): readonly SentItem[] | undefined {
  const places = new Map(elements.map(({ span }, index) => [span, index]))
  const items: SentItem[] = []
  for (const item of list) {
    if ('made' in item) items.push(item)
    else {
      const own = places.get(item.own)
      if (own === undefined) return undefined
      items.push({ own })
    }
  }
  return items
}

/**
 * What the provider has counted is more than a guess, unless it counts something else. `sent` is how
 * many bytes it got.
 */
export function learnSize(
  standing: Standing,
  of: ModelRequest,
  { usage, sent }: { usage: Usage | undefined; sent: number },
): void {
  if (!usage) return
  const tokens = usage.inputTokens + (usage.clearedTokens ?? 0)
  const bytes = listBytes(of)
  const { known } = standing
  if (bytes >= known.bytes && tokens >= known.tokens / believable) {
    standing.known = { tokens, bytes, ofToken: Math.max(sent / tokens, fewestBytes) }
  }
}

const believable = 4

function listBytes({ spans, wire }: Pick<ModelRequest, 'spans' | 'wire'>): number {
  const { start, end } = spans.fields.get(wire.list) ?? { start: 0, end: 0 }
  return end - start
}

/** Under the same instructions, with the same tools, of the same model. */
function isSameFrame(one: ModelRequest, other: ModelRequest): boolean {
  if (one.wire !== other.wire || one.base !== other.base || one.path !== other.path) return false
  if (areOtherBytesSame(one, other)) return true
  return frameOf(one) === frameOf(other)
}

function areOtherBytesSame(one: ModelRequest, other: ModelRequest): boolean {
  const { fields } = other.spans
  if (one.spans.fields.size !== fields.size) return false
  for (const [name, span] of fields) {
    if (name === other.wire.list) continue
    const before = one.spans.fields.get(name)
    if (!before || !bytesOf(one, before).equals(bytesOf(other, span))) return false
  }
  return true
}

function bytesOf({ body }: { body: Buffer; spans: BodySpans }, { start, end }: Span): Buffer {
  return body.subarray(start, end)
}

function frameOf({ asked: { model, system, tools, elsewhere } }: ModelRequest): string {
  return JSON.stringify([model, instructionsSaid(system), tools, elsewhere])
}

function isSaidAlike(wire: Wire, one: Element['value'], other: Element['value']): boolean {
  return JSON.stringify(wire.said(one).says) === JSON.stringify(wire.said(other).says)
}

/** Whether each call has its result behind it: what has none, the engine must look at. */
function areCallsWhole(wire: Wire, elements: readonly Element[]): boolean {
  const open: string[] = []
  for (const { value } of elements) {
    const { calls, results } = wire.said(value)
    for (const result of results) {
      // Some calls have no id.
      const at = Math.max(open.indexOf(result), open.indexOf(''))
      if (at < 0) return false
      open.splice(at, 1)
    }
    open.push(...calls)
  }
  return open.length === 0
}

export function isSameWindow(one: Window, other: Window): boolean {
  return one === other || JSON.stringify(one) === JSON.stringify(other)
}

/** Whether two conversations of a caller have a call in common: they may be one session. */
export function haveCallsInCommon(one: Following, other: Following): boolean {
  if (one.world !== other.world) return false
  const calls = new Set(callsOf(one))
  return callsOf(other).some((mark) => calls.has(mark))
}

function callsOf({ request, elements, by }: Following): readonly Mark[] {
  return callMarks(request.wire, elements, by)
}
