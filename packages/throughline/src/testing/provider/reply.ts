import { setTimeout as wait } from 'node:timers/promises'
import type { RefusedRequest } from './refusal-body.ts'
import type { ServedAnswer } from './served-answer.ts'
import type { ServerResponse } from 'node:http'
import type { Wire, WireAnswer, WireEvent } from './wire.ts'

interface Reply {
  /** The script's answer, including its faults. */
  answer: ServedAnswer
  said: WireAnswer
  wire: Wire
  streams: boolean
  /** The rejection, if there is one. */
  about: RefusedRequest
}

/** Sends an answer as its script says: slowly, broken, or never. */
export async function reply(outgoing: ServerResponse, given: Reply): Promise<void> {
  const { answer, said, wire, streams, about } = given
  await wait(answer.delay ?? 0)
  if (answer.error !== undefined) return replyError(outgoing, answer.error)
  if (answer.sends) {
    const { status, body, type = 'application/json' } = answer.sends
    return replyText(outgoing, status, body, type)
  }
  if (answer.hangs === 'before' || (answer.hangs !== undefined && !streams)) return
  const refusal = answer.refuses && wire.refusal(answer.refuses, about)
  if (refusal && !(streams && answer.late)) {
    if (answer.retryAfter !== undefined) {
      outgoing.setHeader('retry-after-ms', answer.retryAfter)
      outgoing.setHeader('retry-after', Math.ceil(answer.retryAfter / 1_000))
    }
    return replyJson(outgoing, refusal.status, refusal.body)
  }
  if (!streams) {
    if (answer.breaks === undefined) return replyJson(outgoing, 200, wire.whole(said))
    return void outgoing.destroy()
  }
  outgoing.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' })
  const events = wire.events(said)
  const stops = answer.breaks !== undefined || answer.hangs === 'after-text' || refusal
  // If there is no text at all, the stream has at least begun.
  const text = events.findLastIndex(({ isText }) => isText === true)
  const end = stops ? Math.max(text, 0) + 1 : events.length
  for (const event of events.slice(0, end)) {
    if (event.isText === true) await wait(answer.pace ?? 0)
    if (outgoing.destroyed) return
    outgoing.write(eventText(event))
  }
  if (refusal) outgoing.end(eventText(wire.failure(refusal.body, said)))
  else if (answer.breaks !== undefined) outgoing.destroy()
  else if (!stops) outgoing.end()
}

function eventText({ event, data }: WireEvent): string {
  const name = event === undefined ? '' : `event: ${event}\n`
  return `${name}data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`
}

/** Rejects a request with an error: with its own status and words, if it has them. */
export function replyError(outgoing: ServerResponse, error: unknown): void {
  if (outgoing.headersSent) return void outgoing.destroy()
  const { statusCode, responseBody, message } = error as Partial<Refusal>
  const status = typeof statusCode === 'number' ? statusCode : 500
  if (typeof responseBody === 'string') return replyText(outgoing, status, responseBody)
  replyJson(outgoing, status, { error: { type: 'api_error', message: message ?? String(error) } })
}

/** The text of errors from the AI SDK and from `overflow-errors.ts`. */
interface Refusal {
  statusCode: number
  responseBody: string
  message: string
}

export function replyJson(outgoing: ServerResponse, status: number, value: unknown): void {
  replyText(outgoing, status, JSON.stringify(value))
}

function replyText(
  outgoing: ServerResponse,
  status: number,
  text: string,
  type = 'application/json',
): void {
  outgoing.writeHead(status, { 'content-type': type })
  outgoing.end(text)
}
