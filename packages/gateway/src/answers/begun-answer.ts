import { overflowOf } from 'throughline/engine'
import { errorInBody, ownWords } from './provider-error.ts'
import { eventReader } from './events.ts'
import { readBody } from '../server/read-body.ts'
import { headerText } from '../server/headers.ts'
import type { UpstreamAnswer } from '../upstream/upstream.ts'
import type { Wire } from '../wires/wire.ts'

/** An answer whose beginning is known: what came of it already, and what is still to come. */
export type BegunAnswer = Omit<UpstreamAnswer, 'body'> &
  (
    | { is: 'open'; first: readonly Buffer[]; rest: AsyncIterator<Buffer> | undefined }
    /** The provider says that the request is too long, and nothing else. */
    | { is: 'overflow'; error: unknown; body: Buffer }
    /** Another error, all of it. */
    | { is: 'failed'; body: Buffer }
  )

const longestError = 4 * 1024 * 1024
// The beginning of an answer is a few hundred bytes long, and a refusal comes at once.
const longestBeginning = 256 * 1024
const patience = 2_000

/**
 * Reads an answer up to its first word. An overflow is told by a status, or as the first thing in a
 * stream: then nothing has reached the client, and the request can be made again.
 */
export async function begunAnswer(answer: UpstreamAnswer, wire: Wire): Promise<BegunAnswer> {
  const { status, headers, body } = answer
  if (status >= 400) {
    const bytes = await readBody(body, longestError)
    const error = errorInBody(status, bytes.toString('utf8'))
    return overflowOf(error) === undefined
      ? { is: 'failed', status, headers, body: bytes }
      : { is: 'overflow', status, headers, error, body: bytes }
  }
  const chunks = body[Symbol.asyncIterator]() as AsyncIterator<Buffer>
  if (!isEventStream(headers)) return { is: 'open', status, headers, first: [], rest: chunks }
  const { first, rest, error } = await beginning(chunks, wire)
  if (error === undefined) return { is: 'open', status, headers, first, rest }
  body.destroy()
  return { is: 'overflow', status, headers, error, body: Buffer.concat(first) }
}

interface Beginning {
  first: Buffer[]
  rest: AsyncIterator<Buffer> | undefined
  error?: unknown
}

/** What comes before the first word; at most for as long as a client would not notice. */
async function beginning(chunks: AsyncIterator<Buffer>, wire: Wire): Promise<Beginning> {
  const reader = eventReader(true)
  const first: Buffer[] = []
  const { late, stop } = timer()
  try {
    for (let length = 0; length < longestBeginning;) {
      const next = chunks.next()
      const come = await Promise.race([next, late])
      if (come === 'late') return { first, rest: after(next, chunks) }
      if (come.done === true) return { first, rest: undefined }
      first.push(come.value)
      length += come.value.length
      let isEvent = false
      for (const event of reader.read(come.value)) {
        isEvent = true
        const meant = wire.event(event)
        if (meant.is === 'beginning') continue
        const error = meant.is === 'failure' ? ownWords(meant.error) : undefined
        return { first, rest: chunks, ...(overflowOf(error) && { error }) }
      }
      // What is no event of the API is not held back.
      if (!isEvent && !reader.isInside()) return { first, rest: chunks }
    }
    return { first, rest: chunks }
  } finally {
    stop()
  }
}

function timer(): { late: Promise<'late'>; stop: () => void } {
  let timeout: NodeJS.Timeout | undefined
  const late = new Promise<'late'>((resolve) => {
    timeout = setTimeout(resolve, patience, 'late')
  })
  return { late, stop: () => clearTimeout(timeout) }
}

/** The chunks of which the first has been asked for already. */
function after(
  next: Promise<IteratorResult<Buffer>>,
  chunks: AsyncIterator<Buffer>,
): AsyncIterator<Buffer> {
  let asked: Promise<IteratorResult<Buffer>> | undefined = next
  return {
    next() {
      const first = asked
      asked = undefined
      return first ?? chunks.next()
    },
    return: async () => (await chunks.return?.()) ?? { done: true, value: undefined },
  }
}

export function isEventStream(headers: UpstreamAnswer['headers']): boolean {
  return headerText(headers, 'content-type')?.includes('text/event-stream') === true
}
