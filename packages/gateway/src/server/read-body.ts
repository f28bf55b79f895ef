import { promisify } from 'node:util'
import { brotliDecompress, gunzip, inflate, zstdDecompress } from 'node:zlib'
import { RefusedError, type Refusal } from './refusals.ts'
import type { TakenRoom } from './body-room.ts'
import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'

/** A body is longer than the gateway takes. */
export class BodyTooLargeError extends Error {
  override readonly name = 'BodyTooLargeError'

  constructor(limit: number) {
    super(`The body is longer than ${limit} bytes: raise the gateway’s bodyLimit.`)
  }
}

/**
 * All of a stream's bytes.
 * @throws BodyTooLargeError
 */
export async function readBody(stream: Readable, limit: number): Promise<Buffer> {
  return joined(await chunksOf(stream as AsyncIterable<Buffer>, limit))
}

/**
 * All that a client sends, for which it needs room, and whose next piece is waited for so many
 * milliseconds. Its pieces, which nobody else has, are freed at once: what waits for a
 * collection of garbage makes one necessary every few requests, and that costs more than all else.
 * @throws BodyTooLargeError, RefusedError
 */
export async function readRequest(
  incoming: IncomingMessage,
  limit: number,
  { room, patience }: { room: TakenRoom; patience: number },
): Promise<Buffer> {
  const chunks = await chunksOf(whileItComes(incoming, patience), limit, room)
  const body = joined(chunks)
  for (const { buffer, length } of chunks) {
    const isItsOwn = buffer !== body.buffer && buffer.byteLength === length
    if (isItsOwn && buffer instanceof ArrayBuffer) buffer.transfer(0)
  }
  return body
}

async function chunksOf(
  stream: AsyncIterable<Buffer>,
  limit: number,
  room?: TakenRoom,
): Promise<Buffer[]> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of stream) {
    length += chunk.length
    if (length > limit) throw new BodyTooLargeError(limit)
    room?.take(chunk.length)
    chunks.push(chunk)
  }
  return chunks
}

/** What comes, as long as something comes. */
async function* whileItComes(incoming: IncomingMessage, patience: number): AsyncGenerator<Buffer> {
  const chunks = (incoming as AsyncIterable<Buffer>)[Symbol.asyncIterator]()
  for (;;) {
    const late = Promise.withResolvers<never>()
    const timer = setTimeout(() => late.reject(new RefusedError(tooLate)), patience)
    try {
      const next = await Promise.race([chunks.next(), late.promise])
      if (next.done === true) return
      yield next.value
    } finally {
      clearTimeout(timer)
    }
  }
}

const tooLate: Refusal = {
  status: 408,
  type: 'request_timeout',
  message: 'The rest of this request did not come.',
}

function joined(chunks: readonly Buffer[]): Buffer {
  return chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)
}

type Decode = (bytes: Buffer, options: { maxOutputLength: number }) => Promise<Buffer>

const decodings: ReadonlyMap<string, Decode> = new Map<string, Decode>([
  ['gzip', promisify(gunzip) as Decode],
  ['x-gzip', promisify(gunzip) as Decode],
  ['deflate', promisify(inflate) as Decode],
  ['br', promisify(brotliDecompress) as Decode],
  ['zstd', promisify(zstdDecompress) as Decode],
])

// Of conversations, gzip leaves a tenth, and of the dullest logs a fiftieth.
const largestRatio = 100
// So much a small body may become all the same, in bytes.
const always = 1_048_576

/**
 * What an encoded body says; `undefined` if it cannot be read: it is encoded twice or in an unknown
 * way, or it would become longer than the limit, or far longer than it is.
 */
export async function decodedBody(
  bytes: Buffer,
  encoding: string | undefined,
  limit: number,
): Promise<Buffer | undefined> {
  if (encoding === undefined || encoding === 'identity') return bytes
  const decode = decodings.get(encoding.trim().toLowerCase())
  const maxOutputLength = Math.min(limit, Math.max(bytes.length * largestRatio, always))
  return decode?.(bytes, { maxOutputLength }).catch(() => undefined)
}
