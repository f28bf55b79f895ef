import { Readable, pipeline, Transform, type TransformCallback } from 'node:stream'
import { windowOf, type Usage } from 'throughline'
import { apiFor, wireFor, wiresOf } from '../wires/wires.ts'
import { costOfUsage, type Budget, type Cost } from './budget.ts'
import { RefusedError, refusalOf, type Refusal } from '../server/refusals.ts'
import { sayingOf, type Ledger, type Shortage } from './ledger.ts'
import { UpstreamError } from '../upstream/errors.ts'
import type { Api, Wire } from '../wires/wire.ts'
import type { Caller } from '../identity/caller.ts'
import type { Upstream, UpstreamAnswer, UpstreamRequest } from '../upstream/upstream.ts'
import { eventReader } from '../answers/events.ts'
import { isEventStream } from '../answers/begun-answer.ts'
import { headerText } from '../server/headers.ts'
import { textOf } from '../body/json.ts'

/** Whose requests are charged to what, and what they cost. */
export interface Metering {
  ledger: Ledger
  budgetsOf: (caller: Caller) => Promise<readonly Budget[]>
  dollarsOf: (usage: Usage, model: string | undefined) => number
  /** Told what an answer took, and whether that is a guess. */
  onSpent: (budgets: readonly Budget[], spent: { cost: Cost; isCounted: boolean }) => void
  onRefused: (why: Shortage['why']) => void
  now: () => number
}

/** As providers count, on average; what they say themselves is used where it is known. */
const bytesPerToken = 4
/** Where neither the request nor the model says how much may be answered. */
const usualOutput = 16_384
// No model writes much faster, in tokens.
const writesInSecond = 100

/**
 * The way to the providers, for callers with budgets. Everything that they cause passes here: what
 * they ask for, what is asked again for them, and the summaries of their sessions. A request is held
 * for what it may cost, and charged for what the provider counted, or else for a guess.
 */
export function meteredUpstream(upstream: Upstream, metering: Metering): Upstream {
  const { connect } = upstream
  return {
    async send(request) {
      const budgets = await metering.budgetsOf(request.caller)
      if (budgets.length === 0) return upstream.send(request)
      return sendMetered(upstream, metering, { request, budgets })
    },
    ...(connect && {
      async connect(request) {
        const budgets = await metering.budgetsOf(request.caller)
        // What is said there cannot be counted.
        if (budgets.length > 0) throw new RefusedError(uncounted)
        return connect(request)
      },
    }),
    close: () => upstream.close(),
  }
}

const uncounted: Refusal = {
  status: 403,
  type: 'websocket_not_counted',
  message: 'What a WebSocket costs cannot be counted, and this caller has a budget: use requests.',
}

async function sendMetered(
  upstream: Upstream,
  { ledger, dollarsOf, onSpent, onRefused, now }: Metering,
  { request, budgets }: { request: UpstreamRequest; budgets: readonly Budget[] },
): Promise<UpstreamAnswer> {
  const { url, signal, asks } = request
  const asked = wireFor(url.pathname)
  const api = asked?.wire.api ?? apiFor(url.pathname, request.headers)
  const costs = request.body !== undefined && asked?.route.asks !== 'count'
  const sent = bytesOf(request)
  const usageOf = (): Usage =>
    costs ? expectedUsage(request, sent(), asked !== undefined) : nothing
  const expected = usageOf()
  const costOf = (usage: Usage, model = asks?.model): Cost =>
    costOfUsage(usage, (one) => dollarsOf(one, model))
  const held = await ledger.hold(budgets, costOf(expected), signal)
  if ('why' in held) {
    signal.throwIfAborted()
    onRefused(held.why)
    return refusal(api, held, now())
  }
  const spend = (usage: Usage, { isCounted = false, model }: Partial<Spent> = {}): void => {
    const cost = costOf(usage, model)
    held.settle(cost)
    if (cost.tokens > 0) onSpent(budgets, { cost, isCounted })
  }
  const begun = now()
  const written = (): number =>
    Math.min(expected.outputTokens, Math.ceil(((now() - begun) / 1_000) * writesInSecond))
  let answer: UpstreamAnswer
  try {
    const headers = costs ? { ...request.headers, 'accept-encoding': 'identity' } : request.headers
    answer = await upstream.send({ ...request, headers })
  } catch (error) {
    // Whoever breaks off may have been answered all the same.
    spend(wasSent(error) ? { ...usageOf(), outputTokens: written() } : nothing)
    throw error
  }
  if (!costs || answer.status >= 400) {
    spend(nothing)
    return answer
  }
  const wires = asked ? [asked.wire] : wiresOf(api)
  const body = meteredAnswer(answer, wires, (heard) => {
    const usage = usageHeard(heard, { expected: usageOf(), written, isAsked: asked !== undefined })
    spend(usage, { isCounted: heard.usage !== undefined, model: asks?.model ?? heard.model })
  })
  return { ...answer, body }
}

interface Spent {
  isCounted: boolean
  model: string | undefined
}

const nothing: Usage = { inputTokens: 0, outputTokens: 0 }

/** How many bytes a request has, as far as that is known: those that come while it is sent are counted. */
function bytesOf({ body, headers, asks }: UpstreamRequest): () => number {
  if (Buffer.isBuffer(body)) {
    const packed = headers['content-encoding'] === undefined ? undefined : asks?.bytes
    return () => packed ?? body.length
  }
  let came = 0
  body?.on('data', (chunk: Buffer) => (came += chunk.length)).pause()
  return () => Math.max(came, asks?.bytes ?? 0)
}

/** What a request takes if it is answered as long as it may be. */
function expectedUsage({ asks }: UpstreamRequest, bytes: number, isAsked: boolean): Usage {
  const window = asks?.model === undefined ? undefined : windowOf(asks.model)
  // Pictures are long, and few tokens.
  const inputTokens = Math.min(Math.ceil(bytes / bytesPerToken), window?.context ?? Infinity)
  const most = Math.min(window?.output ?? usualOutput, usualOutput)
  return { inputTokens, outputTokens: isAsked ? (asks?.output ?? most) : 0 }
}

/** What an answer took: as the provider said, if that can be all, and else by what came. */
function usageHeard(
  { usage, bytes, words, isWhole, isInBackground }: Heard,
  { expected, written, isAsked }: { expected: Usage; written: () => number; isAsked: boolean },
): Usage {
  const heard = Math.ceil((words ?? (isAsked ? bytes : 0)) / bytesPerToken)
  if (usage && isWhole) {
    // Some count what had been said when the answer began, and no more.
    const isAll = words === undefined || usage.outputTokens >= heard / farOff
    return isAll ? usage : { ...usage, outputTokens: heard }
  }
  if (isInBackground) return expected
  const outputTokens = Math.max(usage?.outputTokens ?? 0, heard, isWhole ? 0 : written())
  return { ...(usage ?? expected), outputTokens }
}

// Our guess is never so much more than a count of the same words.
const farOff = 4

/** Whether a request that failed may have reached its provider. */
function wasSent(error: unknown): boolean {
  return !(UpstreamError.isInstance(error) && notReached.test(error.problem))
}

const notReached =
  /^(?:ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT)$/

/** What a request gets that nobody pays for, as its provider would say it. */
function refusal(api: Api, shortage: Shortage, now: number): UpstreamAnswer {
  const { status, headers, body } = refusalOf(api, sayingOf(shortage, now))
  return { status, headers, body: Readable.from([Buffer.from(body)]) }
}

interface Heard {
  /** As the provider counted it. */
  usage: Usage | undefined
  /** How many bytes came, and how many of them are the model’s words, where those are told apart. */
  bytes: number
  words: number | undefined
  model: string | undefined
  /** Whether all of it came. */
  isWhole: boolean
  /** Whether the model works on, whoever listens. */
  isInBackground: boolean
}

/** The same answer, byte for byte; when it has ended, in whatever way, what it took is told, once. */
function meteredAnswer(
  { headers, body }: UpstreamAnswer,
  wires: readonly Wire[],
  onEnd: (heard: Heard) => void,
): Readable {
  const isStream = isEventStream(headers)
  const isPlain = /^(?:identity)?$/.test(headerText(headers, 'content-encoding') ?? '')
  let usage: Usage | undefined
  let model: string | undefined
  let words = 0
  let bytes = 0
  let isInBackground = false
  const reader = eventReader(isStream, (event) => {
    words += wordsIn(event)
    isInBackground ||= inBackground.test(event)
    return model === undefined || /usage/i.test(event)
  })
  const read = (events: ReturnType<typeof reader.read>): void => {
    for (const event of events) {
      for (const wire of wires) usage = wire.usage(event, usage)
      model ??= textOf(event['model']) ?? textOf(event['modelVersion'])
      isInBackground ||= event['background'] === true
    }
  }
  const meter = new Transform({
    transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback) {
      bytes += chunk.length
      if (isPlain) read(reader.read(chunk))
      done(null, chunk)
    },
  })
  pipeline(body, meter, (error) => {
    read(reader.end())
    const isWhole = !error
    const told = isStream && isPlain ? words : undefined
    onEnd({ usage, bytes, words: told, model, isWhole, isInBackground })
  })
  return meter
}

const inBackground = /"background"\s*:\s*true/

// What repeats words that came before.
const again = /"type"\s*:\s*"[\w.]+\.(?:done|added|completed|incomplete)"/

// What models say, in the fields of every API.
const said =
  /"(?:delta|content|text|thinking|partial_json|arguments|reasoning|reasoning_content|refusal)"\s*:\s*"((?:[^"\\]|\\.)*)"/g

/** How many bytes the words of an event have. */
function wordsIn(event: string): number {
  if (again.test(event)) return 0
  let bytes = 0
  for (const [, word = ''] of event.matchAll(said)) bytes += Buffer.byteLength(word)
  return bytes
}
