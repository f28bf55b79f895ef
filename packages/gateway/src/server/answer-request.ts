import { Readable } from 'node:stream'
import { UpstreamError } from '../upstream/errors.ts'
import { publicUpstreams, targetOf, type Upstreams } from '../upstream/targets.ts'
import { apiFor, wireFor } from '../wires/wires.ts'
import { begunAnswer, isEventStream, type BegunAnswer } from '../answers/begun-answer.ts'
import { answeredStream, answeredWhole, type Answering } from '../tools/answer-calls.ts'
import { equipped } from '../tools/own-tools.ts'
import { RefusedError, sayRefusal, type Refusal } from './refusals.ts'
import type { BodyRoom, TakenRoom } from './body-room.ts'
import { callerOf, callerOn, type Caller } from '../identity/caller.ts'
import { askedByText, requestOf, type ModelRequest } from './model-request.ts'
import {
  cured,
  followUp,
  mayBeCured,
  mostTries,
  refusedError,
  replyOf,
  type Following,
} from './follow-up.ts'
import { cappedUsage } from '../answers/capped-usage.ts'
import { eventReader } from '../answers/events.ts'
import { headerText, lengthHeader, passedHeaders, requestId } from './headers.ts'
import { passConnection, type Upgrade } from './pass-connection.ts'
import { chunksOf, passBegun, passOn, type Said } from './forward.ts'
import { BodyTooLargeError, decodedBody, readRequest, whileItComes } from './read-body.ts'
import { textOf, type Fields } from '../body/json.ts'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Refuge } from '../sessions/without-store.ts'
import type { ShortSummaries } from '../sessions/short-summaries.ts'
import type { Turn } from '../sessions/turn.ts'
import type { AskedOfModel, Upstream } from '../upstream/upstream.ts'
import type { Usage } from 'throughline'
import type { SessionSettings } from '../sessions/settings.ts'
import type { Asked, Wire } from '../wires/wire.ts'

/** What every request is answered with. */
export interface Serving extends Following {
  upstream: Upstream
  upstreams: () => Upstreams
  /** Other providers, by the name that stands at the beginning of the path: `/~name/…`. */
  routes: () => Readonly<Record<string, string>>
  settings: () => SessionSettings
  shortSummaries: ShortSummaries
  bodyLimit: number
  /** The bytes of all bodies that are held. */
  bodyRoom: BodyRoom
  /** How long a body is waited for, besides what a slow line takes for it, in milliseconds. */
  bodyPatience: number
  /** The headers that no provider is told. */
  dropped: () => readonly string[]
  /** A request has come in whole, and needs a place; or why there is none. */
  enter: () => Refusal | undefined
  /** Told of each request that this gateway itself refuses. */
  onRefused: (refusal: Refusal) => void
  /** The headers that tell callers apart. */
  identity: () => readonly string[]
  /** Told of every request for an answer, when it has been answered. */
  onAnswered: (answered: Answered) => void
  /** Whether the request at hand may ask for this model; `undefined` where none can be read. */
  mayAsk: (model: string | undefined) => boolean
}

/** What was done for a request for an answer that came in, or one that did not reach its provider. */
export interface Answered {
  status: number
  did: string
  session?: string
  /** What the provider counted for it. */
  usage?: Usage
  /** Over which API which model was asked. */
  wire?: string
  model?: string
  /** After how many milliseconds its answer began. */
  firstAfter?: number
  /** How many bytes the client has sent, and how many the provider got of them. */
  bytes?: { own: number; sent: number }
  /** Under which name the provider knows it. */
  providerRequest?: string
}

/** Answers one request, whatever happens: it never throws. */
export async function answerRequest(
  serving: Serving,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  upgrade?: Upgrade,
): Promise<void> {
  const gone = new AbortController()
  outgoing.once('close', () => {
    if (!outgoing.writableFinished) gone.abort()
  })
  // Who writes to it finds it closed.
  outgoing.on('error', () => gone.abort())
  const { headers, url = '' } = incoming
  const search = url.includes('?') ? url.slice(url.indexOf('?')) : ''
  const caller = callerOn(incoming.socket, callerOf({ headers, search }, serving.identity()))
  const room = serving.bodyRoom.for(caller)
  const told: Exchange['told'] = {}
  try {
    await answer(serving, { incoming, outgoing, signal: gone.signal, caller, room, upgrade, told })
  } catch (error) {
    if (gone.signal.aborted) return
    // What came from the client may have failed on its way to the provider.
    const own = UpstreamError.isInstance(error) ? error.cause : error
    const refusal = own instanceof RefusedError ? own.refusal : brokenOff(error)
    const { status } = refusal
    serving.onRefused(refusal)
    if (told.wire !== undefined || status === 502) {
      serving.onAnswered({ status, did: status === 502 ? 'unreached' : 'refused', ...told })
    }
    sayRefusal(incoming, outgoing, refusal)
  } finally {
    room.release()
  }
}

function brokenOff(error: unknown): Refusal {
  const message = UpstreamError.isInstance(error) ? error.message : 'The answer broke off.'
  return { status: 502, type: 'upstream_error', message }
}

interface Exchange {
  incoming: IncomingMessage
  outgoing: ServerResponse
  signal: AbortSignal
  caller: Caller
  room: TakenRoom
  upgrade: Upgrade | undefined
  /** What is known of it so far, for where it is refused or does not reach its provider. */
  told: Pick<Answered, 'wire' | 'model'>
}

async function answer(serving: Serving, exchange: Exchange): Promise<void> {
  const { incoming, outgoing, signal, caller, room, upgrade, told } = exchange
  const { upstream, bodyLimit, bodyPatience: patience } = serving
  const { method = 'GET', headers } = incoming
  const begunAt = performance.now()
  const asIs = incoming.url ?? '/'
  const mark = asIs.indexOf('?')
  const whole = mark < 0 ? asIs : asIs.slice(0, mark)
  // All of it: a query may hold more question marks.
  const search = mark < 0 ? '' : asIs.slice(mark)
  const { path, route: named } = routed(whole)
  const asked = method === 'POST' ? wireFor(path) : undefined
  const api = asked?.wire.api ?? apiFor(path, headers)
  if (asked) told.wire = asked.wire.name
  const base =
    named === undefined
      ? (serving.upstreams()[api] ?? publicUpstreams[api])
      : ownField(serving.routes(), named)
  if (base === undefined) {
    const message = `This gateway knows no route ${JSON.stringify(named)}.`
    throw new RefusedError({ status: 404, type: 'unknown_route', message })
  }
  const url = targetOf(base, path, search)
  const declared = Number(headerText(headers, 'content-length') ?? 0)
  const hasBody = declared > 0 || headers['transfer-encoding'] !== undefined
  const passed = passedHeaders(headers, serving.dropped())
  let asks: AskedOfModel | undefined
  const send = async (
    body: Buffer | Readable | undefined,
    from: Record<string, string | string[]>,
  ) => upstream.send({ caller, method, url, headers: from, body, asks, signal })
  const enter = (): void => {
    const refusal = serving.enter()
    if (refusal) throw new RefusedError(refusal)
  }
  const allow = (model: string | undefined): void => {
    if (serving.mayAsk(model)) return
    const message = 'This key may not ask for it.'
    throw new RefusedError({ status: 403, type: 'model_not_allowed', message })
  }
  if (headers.upgrade !== undefined) return connect()
  if (!asked) {
    // What is not read is not held, however long it is.
    if (method !== 'GET' && method !== 'HEAD') allow(undefined)
    enter()
    asks = { bytes: declared }
    const body = hasBody ? Readable.from(whileItComes(incoming, patience)) : undefined
    return passOn(outgoing, await send(body, { ...passed, ...lengthHeader(headers) }))
  }
  if (declared > bodyLimit) throw new BodyTooLargeError(bodyLimit)
  const came = hasBody ? await readRequest(incoming, bodyLimit, { room, patience }) : undefined
  enter()
  const encoding = headerText(headers, 'content-encoding')
  const body = came && (await decodedBody(came, encoding, { limit: bodyLimit, room }))
  if (!body) {
    allow(undefined)
    return passOn(outgoing, await send(came, passed))
  }

  // What an answer says can be read only where it is not encoded.
  const readable: Record<string, string | string[]> = { ...passed, 'accept-encoding': 'identity' }
  const { 'content-encoding': _, ...plain } = readable
  const { wire, route } = asked
  const parts = { wire, route, body, headers: passed, caller, base, path, search }
  const asItCame = requestOf(parts, serving.sessions.bodiesOf(parts))
  const priced = asItCame?.asked ?? askedByText(parts)
  if (priced) told.model = priced.model
  const others = priced?.others ?? []
  for (const model of [...(priced?.model === '' ? [] : [priced?.model]), ...others]) allow(model)
  if (priced?.model === '' && others.length === 0) allow('')
  asks = { bytes: body.length, ...(priced && pickAsked(priced)) }
  const { tools = [] } = serving.settings()
  const withTools = asItCame && equipped(asItCame, tools)
  const request = withTools?.request ?? asItCame
  const followed = await followUp(serving, request, withTools !== undefined)
  let { turn } = followed
  let said = followed.said
  // Without a session, nobody could answer a call.
  let sent = turn && (turn.body ?? withTools?.request.body)
  let begun = await begin(await send(sent ?? came, sent ? plain : readable))
  const most = request ? mostTries : 0
  let refuge: Refuge | undefined
  for (let tries = 0; tries < most && mayBeCured(begun, turn); tries++) {
    const error = begun.is === 'overflow' ? begun.error : refusedError(begun)
    const again = await cured(serving, { request: request as ModelRequest, turn, refuge, error })
    said = { ...said, ...again.said }
    refuge = again.refuge
    // Of what is sent now, the session knows nothing.
    turn = refuge ? undefined : (again.turn ?? turn)
    if (!again.body) break
    sent = again.body
    begun = await begin(await send(sent, plain))
  }
  const firstAfter = performance.now() - begunAt
  const hidden = turn?.hide
  const answering: Answering | undefined =
    withTools && turn && hidden && sent && route.asks === 'answer'
      ? {
          wire,
          own: withTools.own,
          body: sent,
          send: (next) => send(next, plain),
          reply: replyOf(turn, serving.onProblem),
          // Where it cannot be kept, the model asks again.
          hide: (exchange) => hidden(exchange).catch(serving.onProblem),
        }
      : undefined
  const { mostUsage, ownSummary } = serving.settings()
  const { shortSummaries } = serving
  const isOwn = request && !sent && ownSummary !== undefined
  const mostTold = isOwn ? shortSummaries.most(request, ownSummary) : undefined
  const learn = request && !sent ? serving.sessions.passed(request) : undefined
  let usage: Usage | undefined
  try {
    await give(outgoing, {
      begun,
      wire,
      turn,
      said,
      mostUsage: mostTold ?? mostUsage,
      answering,
      isHeard: isOwn || learn !== undefined || turn !== undefined,
      counted(given) {
        usage = given
        learn?.(given)
        if (isOwn && given) shortSummaries.counted(request, given.inputTokens)
      },
    })
  } finally {
    // Also where the client has gone away, or the answer broke off.
    const providerRequest = requestId(begun.headers['request-id'] ?? begun.headers['x-request-id'])
    serving.onAnswered({
      status: begun.status,
      did: said['did'] ?? 'nothing',
      ...told,
      firstAfter,
      bytes: { own: body.length, sent: sent?.length ?? body.length },
      ...(turn && { session: turn.session }),
      ...(usage && { usage }),
      ...(providerRequest !== undefined && { providerRequest }),
    })
  }

  async function connect(): Promise<void> {
    const isFollowed = wireFor(path) !== undefined && serving.settings().when !== 'never'
    const isPassed = headers.upgrade?.toLowerCase() === 'websocket' && !isFollowed
    if (!isPassed || !upgrade || !upstream.connect) {
      const message = 'This gateway takes no such upgrade here: use server-sent events.'
      throw new RefusedError({ status: 426, type: 'upgrade_not_supported', message })
    }
    allow(new URLSearchParams(search).get('model') ?? undefined)
    enter()
    const given = await upstream.connect({ caller, method, url, headers: passed, asks, signal })
    if ('body' in given) return passOn(outgoing, given)
    outgoing.statusCode = 101
    outgoing.detachSocket(upgrade.socket as Socket)
    return passConnection(upgrade, given)
  }

  async function begin(given: Parameters<typeof begunAnswer>[0]): Promise<BegunAnswer> {
    return begunAnswer(given, wire)
  }
}

function pickAsked({ model, output }: Asked): AskedOfModel {
  return { model, ...(output !== undefined && { output }) }
}

/** What was configured under a name: every object has more names than its own. */
function ownField<Value>(fields: Readonly<Record<string, Value>>, name: string): Value | undefined {
  return Object.hasOwn(fields, name) ? fields[name] : undefined
}

/** A path that names the provider is without that name what the provider gets. */
function routed(whole: string): { path: string; route?: string } {
  const [, route, path] = /^\/~([^/]+)(\/.*)?$/.exec(whole) ?? []
  return route === undefined ? { path: whole } : { path: path ?? '/', route }
}

interface Given {
  begun: BegunAnswer
  wire: Wire
  turn: Turn | undefined
  said: Said
  mostUsage: number | undefined
  /** Where our tools may be called in it. */
  answering: Answering | undefined
  /** Whether anybody asks what it cost. */
  isHeard: boolean
  /** Told what the provider has counted, also for an answer that breaks off. */
  counted: (usage: Usage | undefined) => void
}

/** Gives the answer to the client, and learns from it what it cost. */
async function give(
  outgoing: ServerResponse,
  { begun, wire, turn, said, mostUsage, answering, isHeard, counted }: Given,
): Promise<void> {
  if (begun.is !== 'open') return passOn(outgoing, begun, said)
  const isStream = isEventStream(begun.headers)
  const through = mostUsage === undefined ? undefined : cappedUsage(mostUsage, isStream)
  if (!isHeard) return passBegun(outgoing, begun, { said, through })
  let usage: Usage | undefined
  let model: string | undefined
  const reader = eventReader(isStream, (text) => model === undefined || /usage/i.test(text))
  const read = (events: Iterable<Fields>): void => {
    for (const event of events) {
      usage = wire.usage(event, usage)
      model ??= textOf(event['model']) ?? textOf(event['modelVersion'])
    }
  }
  const heard = (chunk: Buffer): void => read(reader.read(chunk))
  try {
    const isPlain = /^(?:identity)?$/.test(headerText(begun.headers, 'content-encoding') ?? '')
    const asked = isPlain ? answering : undefined
    if (asked && !isStream) {
      const chunks: Buffer[] = []
      for await (const chunk of chunksOf(begun, heard)) chunks.push(chunk)
      const { body, refusal } = await answeredWhole(asked, Buffer.concat(chunks))
      const whole = { ...begun, first: [body], rest: undefined }
      if (refusal) await passOn(outgoing, { ...refusal, body }, said)
      else await passBegun(outgoing, whole, { said, through })
    } else {
      const answered = asked && ((chunks: AsyncIterable<Buffer>) => answeredStream(asked, chunks))
      await passBegun(outgoing, begun, { said, through, heard, answered })
    }
  } finally {
    read(reader.end())
    counted(usage)
    turn?.answered(usage, model)
  }
}
