import { bodySpans } from '../body/spans.ts'
import { madeOf, splicedBody } from '../body/spliced.ts'
import { readBody } from '../server/read-body.ts'
import { fieldsOf, type Fields } from '../body/json.ts'
import type { Exchange, OwnCall, OwnResult, RawEvent, Round } from './tool-wire.ts'
import type { UpstreamAnswer } from '../upstream/upstream.ts'
import type { Wire } from '../wires/wire.ts'

/** An answer in which our tools may be called. */
export interface Answering {
  wire: Wire
  own: ReadonlySet<string>
  /** What was sent, to which an answer with our results is added. */
  body: Buffer
  reply: (call: OwnCall) => Promise<string>
  send: (body: Buffer) => Promise<UpstreamAnswer>
  /** Keeps what the client has not seen, before the answer ends: the next request may need it. */
  hide: (exchange: Exchange) => Promise<void>
}

// A model that calls without an end is stopped.
const mostRounds = 8
const longestAnswer = 64 * 1024 * 1024

/** What is to be done after one answer of the model. */
type Next = { again: Buffer } | { again?: undefined; isFinished: boolean }

/** Answers calls of ours, until an answer has none that stand alone. */
function rounds({ wire, own, body, reply, hide }: Answering) {
  const { tools } = wire
  const done: Round[] = []
  const isOwn = (part: Fields): boolean => own.has(tools.callOf(part)?.name ?? '')

  async function resultsOf(parts: readonly Fields[]): Promise<OwnResult[]> {
    const calls = parts.flatMap((part) => tools.callOf(part) ?? [])
    return Promise.all(calls.map(async (call) => ({ call, text: await reply(call) })))
  }

  return async function next(parts: readonly Fields[]): Promise<Next> {
    const ours = parts.filter(isOwn)
    const isBeside = parts.some((part) => tools.waits(part) && !isOwn(part))
    const isLast = ours.length === 0 || isBeside || done.length === mostRounds
    if (!isLast) {
      done.push({ parts, results: await resultsOf(ours) })
      return { again: withSaid(wire, body, done) }
    }
    const beside = isBeside && ours.length > 0
    if (done.length > 0 || beside) {
      await hide({
        rounds: done,
        beside: beside ? { parts: ours, results: await resultsOf(ours) } : undefined,
      })
    }
    return { isFinished: ours.length > 0 && !isBeside }
  }
}

/** The request once more, with all that was said since. */
function withSaid(wire: Wire, body: Buffer, done: readonly Round[]): Buffer {
  const spans = bodySpans(body, wire.list)
  if (!spans) throw new TypeError('The request has no conversation.')
  const made = done.flatMap((round) => wire.tools.said(round)).map(madeOf)
  return splicedBody(body, spans, wire.list, [...spans.elements.map((own) => ({ own })), ...made])
}

/**
 * A whole answer without calls of ours: what the model says once it knows what they give.
 * @returns the provider's own refusal, if it refuses to go on.
 */
export async function answeredWhole(
  answering: Answering,
  first: Buffer,
): Promise<{ body: Buffer; refusal?: UpstreamAnswer }> {
  const { wire, own, send } = answering
  const { tools } = wire
  const next = rounds(answering)
  const seen: Fields[] = []
  for (let body = first; ;) {
    const answer = parsed(body)
    if (!answer) return { body }
    const parts = tools.partsOf(answer)
    const ours = parts.filter((part) => own.has(tools.callOf(part)?.name ?? ''))
    if (ours.length === 0 && body === first) return { body }
    const then = await next(parts)
    const shown = parts.filter((part) => !ours.includes(part))
    if (!then.again) {
      const made = tools.withParts(answer, tools.joined([...seen, ...shown]), then)
      return { body: Buffer.from(JSON.stringify(made)) }
    }
    seen.push(...shown)
    const again = await send(then.again)
    body = await readBody(again.body, longestAnswer)
    if (again.status >= 400) return { body, refusal: again }
  }
}

/** The same for a stream: every word comes at once, and a call of ours never does. */
export async function* answeredStream(
  answering: Answering,
  first: AsyncIterable<Buffer>,
): AsyncGenerator<Buffer> {
  const { wire, own, send } = answering
  const next = rounds(answering)
  const filter = wire.tools.filter(({ name }) => own.has(name))
  for (let chunks = first; ;) {
    for await (const event of eventsOf(chunks)) {
      const text = event.raw.includes('data:') ? filter.pass(event) : event.raw
      if (text !== '') yield Buffer.from(text)
    }
    const ending = filter.peek()
    const then = await next(ending)
    if (!then.again) {
      yield Buffer.from(filter.end(then))
      return
    }
    filter.takeRound()
    const again = await send(then.again)
    if (again.status >= 400) {
      const said = (await readBody(again.body, longestAnswer)).toString('utf8')
      yield Buffer.from(`event: error\ndata: ${said.replace(/\s*\n\s*/g, ' ')}\n\n`)
      return
    }
    chunks = again.body as AsyncIterable<Buffer>
  }
}

/** The events of a stream with their own bytes, whatever stands in them. */
async function* eventsOf(chunks: AsyncIterable<Buffer>): AsyncGenerator<RawEvent> {
  const decoder = new TextDecoder()
  let open = ''
  for await (const chunk of chunks) {
    open += decoder.decode(chunk, { stream: true })
    for (let end = boundary.exec(open); end; end = boundary.exec(open)) {
      const upTo = end.index + end[0].length
      yield eventIn(open.slice(0, upTo))
      open = open.slice(upTo)
    }
  }
  if (open !== '') yield eventIn(open)
}

const boundary = /\r?\n\r?\n/

function eventIn(raw: string): RawEvent {
  const lines = raw.split(/\r?\n/).filter((line) => line.startsWith('data:'))
  const text = lines.map((line) => line.slice('data:'.length).trimStart()).join('\n')
  return { raw, data: parsed(Buffer.from(text)) }
}

function parsed(bytes: Buffer): Fields | undefined {
  try {
    return fieldsOf(JSON.parse(bytes.toString('utf8')))
  } catch {
    return undefined
  }
}
