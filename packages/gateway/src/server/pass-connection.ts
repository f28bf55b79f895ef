import { pipeline } from 'node:stream/promises'
import { passedHeaders } from './headers.ts'
import type { Duplex } from 'node:stream'
import type { UpstreamConnection } from '../upstream/upstream.ts'

/** A client that asked for a WebSocket, and what it has sent on it. */
export interface Upgrade {
  socket: Duplex
  head: Buffer
}

/** Lets a client and its provider speak with each other until one of them ends it. */
export async function passConnection(
  { socket, head }: Upgrade,
  { headers, socket: provider }: UpstreamConnection,
): Promise<void> {
  const own = { connection: 'Upgrade', upgrade: 'websocket' }
  const lines = Object.entries({ ...own, ...passedHeaders(headers) }).flatMap(([name, value]) =>
    [value].flat().map((one) => `${name}: ${one}\r\n`),
  )
  socket.write(`HTTP/1.1 101 Switching Protocols\r\n${lines.join('')}\r\n`, 'latin1')
  provider.write(head)
  // That one of them breaks off is how most of them end.
  await Promise.allSettled([pipeline(socket, provider), pipeline(provider, socket)])
}
