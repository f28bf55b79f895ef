import { deserializeMessage, serializeMessage } from '@modelcontextprotocol/sdk/shared/stdio.js'
import { lineSplitter } from '../../formats/reading/byte-lines.ts'
import { McpMessageError } from './errors.ts'
import type { Server } from '@modelcontextprotocol/sdk/server/index.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import type { JSONRPCMessage, RequestId } from '@modelcontextprotocol/sdk/types.js'

/** The two ends of a pipe to a client. */
export interface Channel {
  chunks: AsyncIterable<Uint8Array>
  write: (text: string) => Promise<void>
}

// The longest question is a few hundred bytes. What is longer is skipped, not kept.
const longestMessage = 4 * 1024 * 1024
// Further requests wait in the pipe.
const mostOpen = 32
// Lines that are no messages: the first are reported each, the others by their number.
const mostReported = 3

/**
 * Answers a client until it closes its side of the channel, and then finishes the remaining
 * requests: the SDK's own transport never notices the end. What a client sends beyond any measure
 * is skipped or waits; it never ends the server.
 * @throws errors from reading the channel.
 */
export async function serve(server: Server, channel: Channel): Promise<void> {
  const open = new OpenRequests()
  const transport: Transport = {
    start: async () => {},
    close: async () => transport.onclose?.(),
    async send(message) {
      try {
        await channel.write(serializeMessage(message))
      } finally {
        if ('result' in message || 'error' in message) open.remove(message.id)
      }
    },
  }
  await server.connect(transport)
  const odd = new OddLines((error) => transport.onerror?.(error))
  try {
    for await (const message of messagesIn(channel, odd)) {
      if ('method' in message && 'id' in message) {
        await open.lessThan(mostOpen)
        open.add(message.id)
      }
      transport.onmessage?.(message)
      open.remove(cancelledBy(message))
    }
    odd.end()
    await open.lessThan(1)
  } finally {
    await server.close()
  }
}

/** The requests that have no answer yet. */
class OpenRequests {
  readonly #ids = new Set<RequestId>()
  #waiting: { count: number; go: () => void } | undefined

  add(id: RequestId): void {
    this.#ids.add(id)
  }

  remove(id: RequestId | undefined): void {
    if (id !== undefined) this.#ids.delete(id)
    if (this.#waiting && this.#ids.size < this.#waiting.count) this.#waiting.go()
  }

  async lessThan(count: number): Promise<void> {
    if (this.#ids.size < count) return
    await new Promise<void>((go) => (this.#waiting = { count, go }))
    this.#waiting = undefined
  }
}

/** Reports lines that aren't messages, however many there are. */
class OddLines {
  readonly #report: (error: McpMessageError) => void
  #count = 0

  constructor(report: (error: McpMessageError) => void) {
    this.#report = report
  }

  add(cause: unknown): void {
    this.#count += 1
    if (this.#count <= mostReported) this.#report(new McpMessageError({ cause }))
  }

  end(): void {
    const more = this.#count - mostReported
    if (more > 0) this.#report(new McpMessageError({ more }))
  }
}

async function* messagesIn({ chunks }: Channel, odd: OddLines): AsyncGenerator<JSONRPCMessage> {
  const lines: Uint8Array[] = []
  const splitter = lineSplitter((line) => {
    if (line) lines.push(line)
    else odd.add(new RangeError(`It has more than ${longestMessage} bytes.`))
  }, longestMessage)
  const decoder = new TextDecoder()
  for await (const chunk of chunks) {
    splitter.push(chunk)
    for (const line of lines.splice(0)) {
      let message: JSONRPCMessage
      try {
        message = deserializeMessage(decoder.decode(line))
      } catch (cause) {
        odd.add(cause)
        continue
      }
      yield message
    }
  }
}

/** A request that its client has canceled gets no answer. */
function cancelledBy(message: JSONRPCMessage): RequestId | undefined {
  if (!('method' in message) || message.method !== 'notifications/cancelled') return undefined
  const id = message.params?.['requestId']
  return typeof id === 'string' || typeof id === 'number' ? id : undefined
}
