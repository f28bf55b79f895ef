import { fieldsOf, nameOf, type Fields } from '../../json/fields.ts'
import { lineSplitter } from '../../formats/reading/byte-lines.ts'
import { McpRequestError } from './request-error.ts'
import { ThroughlineError } from '../../log/throughline-error.ts'

/** What a server of tools says of itself and answers to its client. */
export interface McpServer {
  name: string
  version: string
  tools: readonly object[]
  /** @throws McpRequestError if the client asks for what there is not. */
  call: (params: Fields, client: string | undefined) => Promise<object>
  /** Called with errors other than the client's own mistakes. */
  onError: (error: unknown) => void
}

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

// The newest first: a client that asks for another than these is offered the newest.
const protocolVersions = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05', '2024-10-07']

/**
 * Answers a client until it closes its side of the channel, and then finishes the remaining
 * requests. What a client sends beyond any measure is skipped or waits; it never ends the server.
 * @throws errors from reading the channel.
 */
export async function serve(server: McpServer, channel: Channel): Promise<void> {
  const open = new OpenRequests()
  const odd = new OddLines(server.onError)
  let client: string | undefined

  async function resultOf({ method, params }: Message): Promise<object> {
    if (method === 'initialize') {
      client = nameOf(fieldsOf(params['clientInfo'])?.['name'])
      return greeting(server, params['protocolVersion'])
    }
    if (method === 'ping') return {}
    if (method === 'tools/list') return { tools: server.tools }
    if (method === 'tools/call') return server.call(params, client)
    throw new McpRequestError('METHOD_NOT_FOUND', `There is no method ${JSON.stringify(method)}.`)
  }

  async function answer(message: Message, id: RequestId): Promise<void> {
    const said = await resultOf(message).then(
      (result) => ({ result }),
      (error: unknown) => ({ error: problemOf(error, server) }),
    )
    try {
      // A request that its client has canceled gets no answer.
      if (open.has(id)) await channel.write(lineOf({ id, ...said }))
    } catch (error) {
      server.onError(error)
    } finally {
      open.remove(id)
    }
  }

  for await (const message of messagesIn(channel, odd)) {
    const { id, method, params } = message
    if (method === 'notifications/cancelled') open.remove(idOf(params['requestId']))
    if (id === undefined || method === '') continue
    await open.lessThan(mostOpen)
    open.add(id)
    void answer(message, id)
  }
  odd.end()
  await open.lessThan(1)
}

function greeting({ name, version }: McpServer, asked: unknown): object {
  const protocolVersion = protocolVersions.find((each) => each === asked) ?? protocolVersions[0]
  return { protocolVersion, capabilities: { tools: {} }, serverInfo: { name, version } }
}

function problemOf(error: unknown, { onError }: McpServer): object {
  if (error instanceof McpRequestError) return { code: error.number, message: error.message }
  onError(error)
  return { code: -32_603, message: error instanceof Error ? error.message : String(error) }
}

function lineOf(message: object): string {
  return `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`
}

class OpenRequests {
  readonly #ids = new Set<RequestId>()
  #waiting: { count: number; go: () => void } | undefined

  add(id: RequestId): void {
    this.#ids.add(id)
  }

  has(id: RequestId): boolean {
    return this.#ids.has(id)
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

type RequestId = string | number

/** A request, a notification without an id, or an answer without a method. */
interface Message {
  id: RequestId | undefined
  method: string
  params: Fields
}

async function* messagesIn({ chunks }: Channel, odd: OddLines): AsyncGenerator<Message> {
  const lines: Uint8Array[] = []
  const splitter = lineSplitter((line) => {
    if (line) lines.push(line)
    else odd.add(new RangeError(`It has more than ${longestMessage} bytes.`))
  }, longestMessage)
  const decoder = new TextDecoder()
  for await (const chunk of chunks) {
    splitter.push(chunk)
    for (const line of lines.splice(0)) {
      let message: Message
      try {
        message = messageOf(decoder.decode(line))
      } catch (cause) {
        odd.add(cause)
        continue
      }
      yield message
    }
  }
}

/** @throws Error if the text is no message of the protocol. */
function messageOf(text: string): Message {
  const fields = fieldsOf(JSON.parse(text))
  const id = idOf(fields?.['id'])
  const method = nameOf(fields?.['method'])
  const isAnswer = id !== undefined && (fields?.['result'] ?? fields?.['error']) !== undefined
  if (fields?.['jsonrpc'] !== '2.0' || (method === undefined && !isAnswer)) {
    throw new TypeError('It names no version 2.0, and no method or answer.')
  }
  return { id, method: method ?? '', params: fieldsOf(fields['params']) ?? {} }
}

function idOf(value: unknown): RequestId | undefined {
  return typeof value === 'string' || typeof value === 'number' ? value : undefined
}

/**
 * A client sent a line that isn't a message of the protocol, or many of them.
 * @public its code tells it apart across installs
 */
export class McpMessageError extends ThroughlineError<'MCP_MESSAGE'> {
  static override readonly code = 'MCP_MESSAGE'

  constructor(what: { cause: unknown } | { more: number }) {
    const lines = 'more' in what ? `${what.more} more lines that are` : 'a line that is'
    const message = 'more' in what ? 'JSON-RPC messages; they were' : 'a JSON-RPC message; it was'
    super(
      McpMessageError.code,
      `The client sent ${lines} not ${message} ignored. Only the protocol may be written to standard input.`,
      'cause' in what ? { cause: what.cause } : {},
    )
  }
}
