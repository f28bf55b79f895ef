import { pipeline } from 'node:stream/promises'
import { passedHeaders } from './headers.ts'
import type { ServerResponse } from 'node:http'
import type { Readable } from 'node:stream'
import type { UpstreamAnswer } from '../upstream/upstream.ts'

/** What a gateway says of its own in an answer: names without the prefix `x-throughline-`. */
export type Said = Readonly<Record<string, string>>

/** Gives a provider's answer to the client: its status, its headers, and its bytes as they come. */
export async function passOn(
  outgoing: ServerResponse,
  {
    status,
    headers,
    body,
  }: Pick<UpstreamAnswer, 'status' | 'headers'> & { body: Readable | Buffer },
  said: Said = {},
): Promise<void> {
  outgoing.writeHead(status, { ...passedHeaders(headers), ...ownHeaders(said) })
  if (Buffer.isBuffer(body)) {
    await new Promise<void>((resolve) => outgoing.end(body, resolve))
    return
  }
  // What comes is passed on at once, also when it is only the head.
  outgoing.flushHeaders()
  await pipeline(body, outgoing)
}

/** An error of the gateway itself, in a form that the clients of every API can read. */
export function sayError(
  outgoing: ServerResponse,
  status: number,
  { type, message }: { type: string; message: string },
  said: Said = {},
): void {
  if (outgoing.headersSent) return void outgoing.destroy()
  outgoing.writeHead(status, { 'content-type': 'application/json', ...ownHeaders(said) })
  outgoing.end(JSON.stringify({ type: 'error', error: { type, message, code: type } }))
}

function ownHeaders(said: Said): Record<string, string> {
  return Object.fromEntries(
    Object.entries(said).map(([name, value]) => [`x-throughline-${name}`, value]),
  )
}
