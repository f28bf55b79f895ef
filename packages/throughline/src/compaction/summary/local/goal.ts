import { clipMiddle, quote, oneLine } from './clip-words.ts'
import type { RequestFact } from '../../../facts/facts.ts'
import type { Facts } from './request.ts'
import type { Room } from './room.ts'

/** A shorter text doesn't say what a session is about: `hi`, `/clear`, `go on`. */
const shortestOpening = 20

/** How much of a request is needed here to recognize it if it also appears next to the summary. */
const recognised = 24

/** The human's newest request, word for word; clipped only if it is longer than `tokens`. */
export function latestRequest(
  index: Facts,
  { room, tokens, beside }: { room: Room; tokens: number; beside: string },
): readonly string[] {
  const latest = index.requests.at(-1)
  if (latest === undefined) return []
  const stands = beside.includes(latest.text.trim())
  const label = index.requests.length === 1 ? 'The request of the human' : 'The latest request'
  const where = stands ? ', in full below' : ''
  return room.take([
    `${label} [${latest.seq}]${where}:`,
    ...quoteWithin(latest.text, room, stands ? Math.min(recognised, tokens) : tokens),
  ])
}

/** How the session began: the first request that says more than a greeting. */
export function openingRequest(index: Facts, room: Room, tokens: number): readonly string[] {
  const opening = openingOf(index)
  if (opening === undefined || tokens <= 0) return []
  return room.take([
    `The session began with [${opening.seq}]:`,
    ...quoteWithin(opening.text, room, tokens),
  ])
}

/** The requests between the first and the latest, one line each; the newest are kept first. */
export function requestsBetween(index: Facts, room: Room, tokens: number): string[] {
  const opening = openingOf(index)
  const between = index.requests
    .slice(0, -1)
    .filter((request) => request !== opening && request.text.trim().length >= shortestOpening / 2)
  const each = Math.max(Math.floor(tokens / 6), 12)
  const lines = between
    .toReversed()
    .map(({ text, seq }) => `- ${room.clip(oneLine(text), each)} [${seq}]`)
  const label = 'In between:'
  const taken = room.takeFitting(lines, tokens - room.cost(label)).toReversed()
  return taken.length === 0 ? [] : [...room.take([label]), ...taken]
}

function openingOf(index: Facts): RequestFact | undefined {
  return index.requests.slice(0, -1).find(({ text }) => text.trim().length >= shortestOpening)
}

function quoteWithin(text: string, room: Room, tokens: number): string[] {
  return quote(clipMiddle(text, room.characters(text, tokens)))
}
