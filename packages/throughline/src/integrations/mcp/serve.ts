import { ReadBuffer, serializeMessage } from '@modelcontextprotocol/sdk/shared/stdio.js'
import { McpMessageError } from './errors.ts'
import type { Server } from '@modelcontextprotocol/sdk/server/index.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import type { JSONRPCMessage, RequestId } from '@modelcontextprotocol/sdk/types.js'

/** The two ends of a pipe to a client. */
export interface Channel {
  chunks: AsyncIterable<Uint8Array>
  write: (text: string) => Promise<void>
}

/**
 * Answers a client until it closes its side of the channel, and then finishes the remaining
 * requests: the SDK's own transport never notices the end.
 * @throws errors from reading the channel.
 */
export async function serve(server: Server, channel: Channel): Promise<void> {
  const open = new Set<RequestId>()
  let answered = (): void => {}
  const done = (id: RequestId | undefined): void => {
    if (id !== undefined) open.delete(id)
    if (open.size === 0) answered()
  }
  const transport: Transport = {
    start: async () => {},
    close: async () => transport.onclose?.(),
    async send(message) {
      try {
        await channel.write(serializeMessage(message))
      } finally {
        if ('result' in message || 'error' in message) done(message.id)
      }
    },
  }
  await server.connect(transport)
  try {
    for await (const message of messagesIn(channel, transport)) {
      if ('method' in message && 'id' in message) open.add(message.id)
      transport.onmessage?.(message)
      const cancelled = cancelledBy(message)
      if (cancelled !== undefined) done(cancelled)
    }
    if (open.size > 0) await new Promise<void>((resolve) => (answered = resolve))
  } finally {
    await server.close()
  }
}

async function* messagesIn(
  { chunks }: Channel,
  transport: Transport,
): AsyncGenerator<JSONRPCMessage> {
  const buffer = new ReadBuffer()
  for await (const chunk of chunks) {
    buffer.append(Buffer.from(chunk))
    for (let next = nextOf(buffer, transport); next !== null; next = nextOf(buffer, transport)) {
      if (next) yield next
    }
  }
}

/** `null` at the end of the input, `undefined` for a line that isn't a message. */
function nextOf(
  buffer: { readMessage: () => JSONRPCMessage | null },
  transport: Transport,
): JSONRPCMessage | null | undefined {
  try {
    return buffer.readMessage()
  } catch (cause) {
    transport.onerror?.(new McpMessageError({ cause }))
    return undefined
  }
}

/** A request that its client has canceled gets no answer. */
function cancelledBy(message: JSONRPCMessage): RequestId | undefined {
  if (!('method' in message) || message.method !== 'notifications/cancelled') return undefined
  const id = message.params?.['requestId']
  return typeof id === 'string' || typeof id === 'number' ? id : undefined
}
