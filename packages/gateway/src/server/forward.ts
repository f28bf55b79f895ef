import { pipeline } from 'node:stream/promises'
import { lengthHeader, passedHeaders } from './headers.ts'
import type { BegunAnswer } from '../answers/begun-answer.ts'
import type { ServerResponse } from 'node:http'
import type { Readable, Transform } from 'node:stream'
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
  const length = Buffer.isBuffer(body) ? { 'content-length': body.length } : lengthHeader(headers)
  outgoing.writeHead(status, { ...passedHeaders(headers), ...length, ...ownHeaders(said) })
  if (Buffer.isBuffer(body)) {
    await new Promise<void>((resolve) => outgoing.end(body, resolve))
    return
  }
  // What comes is passed on at once, also when it is only the head.
  sendHead(outgoing)
  await pipeline(body, outgoing)
}

/** `flushHeaders` would write letters of Latin-1 as two bytes each. */
function sendHead(outgoing: ServerResponse): void {
  outgoing.write(Buffer.alloc(0))
}

/** How an answer is passed on of which something has been read. */
export interface Passing {
  said: Said
  /** Hears every byte that came. */
  heard?: (chunk: Buffer) => void
  /** What the client gets in place of it: of all of it, and of every piece. */
  answered?: ((chunks: AsyncIterable<Buffer>) => AsyncIterable<Buffer>) | undefined
  through?: Transform | undefined
}

/** The same for an answer of which something has been read. */
export async function passBegun(
  outgoing: ServerResponse,
  answer: BegunAnswer & { is: 'open' },
  { said, heard, answered, through }: Passing,
): Promise<void> {
  const { status, headers } = answer
  const length = answered || through ? {} : lengthHeader(headers)
  outgoing.writeHead(status, { ...passedHeaders(headers), ...length, ...ownHeaders(said) })
  // What has come already goes out together with the head.
  const isHere = answer.first.length > 0 && !answered && !through
  if (!isHere) sendHead(outgoing)
  const came = chunksOf(answer, heard)
  const chunks = answered ? answered(came) : came
  await (through ? pipeline(chunks, through, outgoing) : written(chunks, outgoing))
}

/**
 * Writes all chunks, as fast as the client takes them, and ends. A pipeline does the same, but makes
 * signals and an error for each answer.
 * @throws what the chunks throw, and an error where the client has gone.
 */
async function written(chunks: AsyncIterable<Buffer>, outgoing: ServerResponse): Promise<void> {
  for await (const chunk of chunks) {
    if (outgoing.destroyed || !outgoing.write(chunk)) await orClosed(outgoing, 'drain')
  }
  const isFinished = orClosed(outgoing, 'finish')
  if (!outgoing.destroyed) outgoing.end()
  await isFinished
}

async function orClosed(outgoing: ServerResponse, event: 'drain' | 'finish'): Promise<void> {
  if (!outgoing.destroyed) {
    await new Promise<void>((resolve) => {
      const over = (): void => {
        outgoing.off(event, over).off('close', over)
        resolve()
      }
      outgoing.on(event, over).on('close', over)
    })
  }
  if (outgoing.destroyed && !outgoing.writableFinished) throw new Error('The client has gone.')
}

/** What has come of an answer, and what comes. */
export async function* chunksOf(
  { first, rest }: BegunAnswer & { is: 'open' },
  heard: ((chunk: Buffer) => void) | undefined,
): AsyncGenerator<Buffer> {
  for (const chunk of first) {
    heard?.(chunk)
    yield chunk
  }
  if (!rest) return
  try {
    for (let next = await rest.next(); next.done !== true; next = await rest.next()) {
      heard?.(next.value)
      yield next.value
    }
  } finally {
    await rest.return?.()
  }
}

function ownHeaders(said: Said): Record<string, string> {
  return Object.fromEntries(
    Object.entries(said).map(([name, value]) => [`x-throughline-${name}`, value]),
  )
}
