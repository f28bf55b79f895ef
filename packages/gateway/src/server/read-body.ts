import {
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createZstdDecompress,
} from 'node:zlib'
import { RefusedError, type Refusal } from './refusals.ts'
import { Turns } from '../body/turns.ts'
import type { TakenRoom } from './body-room.ts'
import type { IncomingMessage } from 'node:http'
import type { Readable, Transform } from 'node:stream'

/** A body is longer than the gateway takes. */
export class BodyTooLargeError extends RefusedError {
  constructor(limit: number) {
    const message = `The body is longer than ${limit} bytes: raise the gateway’s limit of bodies.`
    super({ status: 413, type: 'body_too_large', message })
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
 * All that a client sends, for which it needs room. Its pieces, which nobody else has, are freed at once:
 * what waits for a collection of garbage makes one necessary every few requests, and that costs more than
 * all else.
 * @throws BodyTooLargeError, RefusedError
 */
export async function readRequest(
  incoming: IncomingMessage,
  limit: number,
  { room, patience }: { room: TakenRoom; patience: number },
): Promise<Buffer> {
  const chunks = await chunksOf(whileItComes(incoming, patience), limit, room)
  const body = await joined(chunks)
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

// In bytes per millisecond: no client of an API has so slow a line, and a drip must end.
const slowest = 8

/**
 * What comes, as long as it does not keep the gateway waiting for longer than `patience` in all, in
 * milliseconds, and than a slow line takes for what has come.
 * @throws RefusedError
 */
export async function* whileItComes(
  incoming: IncomingMessage,
  patience: number,
): AsyncGenerator<Buffer> {
  const chunks = (incoming as AsyncIterable<Buffer>)[Symbol.asyncIterator]()
  let left = patience
  for (;;) {
    const late = Promise.withResolvers<never>()
    const begun = performance.now()
    const timer = setTimeout(() => late.reject(new RefusedError(tooLate)), Math.max(0, left))
    try {
      const next = await Promise.race([chunks.next(), late.promise])
      if (next.done === true) return
      left += next.value.length / slowest - (performance.now() - begun)
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

/** The copying of a long body keeps nobody waiting. */
async function joined(chunks: readonly Buffer[]): Promise<Buffer> {
  if (chunks.length === 1) return chunks[0] as Buffer
  const whole = Buffer.allocUnsafe(chunks.reduce((sum, { length }) => sum + length, 0))
  const turns = new Turns()
  let at = 0
  for (const chunk of chunks) {
    at += chunk.copy(whole, at)
    if (turns.isOver(chunk.length)) await turns.next()
  }
  return whole
}

type Decoder = (options: { chunkSize: number }) => Transform

const decoders: ReadonlyMap<string, Decoder> = new Map<string, Decoder>([
  ['gzip', createGunzip],
  ['x-gzip', createGunzip],
  ['deflate', createInflate],
  ['br', createBrotliDecompress],
  ['zstd', createZstdDecompress],
])

// Of conversations, gzip leaves a tenth, and of the dullest logs a fiftieth.
const largestRatio = 100
// So much a small body may become all the same, in bytes.
const always = 1_048_576
const chunkSize = 65_536

/**
 * What an encoded body says, for which it needs room while it is unpacked; `undefined` if it cannot be
 * read: it is encoded twice or in an unknown way, or it would become longer than the limit, or far longer
 * than it is.
 * @throws RefusedError where there is no room.
 */
export async function decodedBody(
  bytes: Buffer,
  encoding: string | undefined,
  { limit, room }: { limit: number; room: TakenRoom },
): Promise<Buffer | undefined> {
  if (encoding === undefined || encoding === 'identity') return bytes
  const decoder = decoders.get(encoding.trim().toLowerCase())?.({ chunkSize })
  if (!decoder) return undefined
  const most = Math.min(limit, Math.max(bytes.length * largestRatio, always))
  let taken = 0
  const take = (length: number): void => {
    room.take(length)
    taken += length
  }
  try {
    decoder.end(bytes)
    return await joined(await chunksOf(decoder as AsyncIterable<Buffer>, most, { ...room, take }))
  } catch (error) {
    if (error instanceof RefusedError && !(error instanceof BodyTooLargeError)) throw error
    room.give(taken)
    return undefined
  }
}
