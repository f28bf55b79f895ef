import {
  forkSession,
  SessionExistsError,
  SessionNotFoundError,
  type SessionEvent,
} from 'throughline'
import { clientIdOf } from '../identity/client-id.ts'
import { elementsOf, type Element } from '../body/elements.ts'
import { identify, recognized, type Identity } from '../identity/identify.ts'
import { LiveSession, type Fitted, type Wanted } from './live-session.ts'
import { HiddenExchanges } from './hidden-exchanges.ts'
import { hashOf } from '../identity/marks.ts'
import { ownSummarizer, type OwnWay } from './summarizer.ts'
import { overflowOf } from 'throughline/engine'
import { splicedBody } from '../body/spliced.ts'
import { whenFor, windowFor, type SessionSettings } from './settings.ts'
import { reportLink } from '../identity/report-link.ts'
import { worldOf } from '../identity/caller.ts'
import { headerText } from '../server/headers.ts'
import type { Exchange, OwnCall } from '../tools/tool-wire.ts'
import type { ModelRequest } from '../server/model-request.ts'
import type { Wire } from '../wires/wire.ts'
import type { GatewayStore, Mark } from '../store/gateway-store.ts'
import type { Upstream } from '../upstream/upstream.ts'
import type { Usage, Window } from 'throughline'

/** What is sent for a request, and what is known of its session. */
export interface Turn {
  session: string
  how: Identity['how']
  /** `undefined` where the request goes out as it came. */
  body: Buffer | undefined
  did: Fitted['did']
  tokens: number
  /** Where the session is told of. */
  report: string
  /** After a refusal: another body, or `undefined` where there is none. */
  recover: (error: unknown) => Promise<Buffer | undefined>
  answered: (usage: Usage | undefined, model: string | undefined) => void
  /** Answers a call of a tool of ours. */
  reply: (call: OwnCall) => Promise<string>
  /** Keeps what stands behind this request, and the client has not seen. */
  hide: (exchange: Exchange) => void
}

interface SessionsOptions {
  store: GatewayStore
  upstream: Upstream
  settings: () => SessionSettings
  /** Whether sessions have pages for a browser. */
  hasReports?: boolean
  onEvent?: (session: string, event: SessionEvent) => void
  now?: () => number
}

// How many sessions are kept at hand; any other is read from the store when it goes on.
const mostLive = 200

/** The sessions of everyone who asks through this gateway. */
export class Sessions {
  readonly #options: SessionsOptions
  readonly #live = new Map<string, LiveSession>()
  /** The last request of each conversation, so that only what is new in the next one is read. */
  readonly #recent = new Map<string, readonly Element[]>()
  /** Windows that providers have named in refusals, by base and model. */
  readonly #learned = new Map<string, number>()
  readonly #hidden = new HiddenExchanges()
  #secret: Promise<Uint8Array> | undefined

  constructor(options: SessionsOptions) {
    this.#options = options
  }

  /** Whether a request of so many bytes can be near its window at all. */
  mayBeLong({ asked, base, body }: Pick<ModelRequest, 'asked' | 'base' | 'body'>): boolean {
    if (this.#options.settings().when === 'never') return false
    const window = this.#windowOf(asked.model, base)
    return window !== undefined && body.length / fewestBytes > window.context * nearWindow
  }

  /**
   * Follows a request: finds its session, and fits it. `undefined` where there is nothing to follow.
   * @throws what the store or the engine throws: then the request goes out as it came.
   */
  async follow(request: ModelRequest, refusal?: unknown): Promise<Turn | undefined> {
    const { wire, route, asked, body, spans, headers, base, path, search, field } = request
    const when = whenFor(headerText(headers, 'user-agent'), this.#options.settings())
    if (asked.elsewhere || when === 'never') return undefined
    const clientId = clientIdOf(headers, field)
    const secret = await this.#getSecret()
    const world = worldOf(secret, { api: wire.api, headers, search })
    const elements = this.#elements(request, `${world} ${clientId ?? ''}`)
    if (!elements || elements.length === 0) return undefined
    const known = recognized(wire, { elements, system: asked.system, clientId })
    const isCount = route.asks === 'count'
    const { store, now = Date.now } = this.#options
    const at = now()
    const identity = await identify(known, {
      store,
      world,
      wire,
      model: asked.model,
      now: at,
      moves: !isCount,
    })
    if (!identity) return undefined
    if (identity.of !== undefined) {
      await this.#fork(identity.of, identity.id)
      this.#hidden.fork(identity.of, identity.id)
    }
    const live = this.#liveSession(identity.id, wire, asked.model)
    const wanted: Wanted = {
      elements: this.#hidden.restored(identity.id, wire, { elements, heads: known.heads }),
      system: asked.system,
      tools: asked.tools,
      model: asked.model,
      // Where nobody knows the window, only a refusal says when it is full.
      window: this.#windowOf(asked.model, base) ?? endless,
      when,
      way: { base, path, search, headers, fields: field } satisfies OwnWay,
    }
    const report = this.#options.hasReports
      ? reportLink(secret, identity.id, at)
      : `/throughline/sessions/${identity.id}`
    const given = (list: Fitted['list']) => list && splicedBody(body, spans, wire.list, list)
    const head = known.heads[0] as Mark
    const recover = async (error: unknown): Promise<Buffer | undefined> => {
      this.#learn(error, `${base} ${asked.model}`, live.tokens)
      const fitted = await live.recover(wanted, error)
      if (fitted?.did === 'compacted') await store.keep(identity.id, [head])
      return fitted && (given(fitted.list) ?? body)
    }
    if (refusal !== undefined) {
      const again = await recover(refusal)
      return this.#turn(
        identity,
        { body: again, did: 'compacted', report },
        { live, head, recover, wanted },
      )
    }
    const fitted = await live.fit(wanted, { from: identity.from, compacts: !isCount, now: at })
    if (fitted.did === 'compacted') await store.keep(identity.id, [head])
    const { list, did } = fitted
    return this.#turn(identity, { body: given(list), did, report }, { live, head, recover, wanted })
  }

  /** Ends all work in the background. */
  async close(): Promise<void> {
    await Promise.all([...this.#live.values()].map((live) => live.close()))
    this.#live.clear()
  }

  /** Lets go of a session that was changed or deleted. */
  async forget(id: string): Promise<void> {
    const live = this.#live.get(id)
    this.#live.delete(id)
    await live?.close()
  }

  #turn(
    { id, how }: Identity,
    { body, did, report }: Pick<Turn, 'body' | 'did' | 'report'>,
    {
      live,
      head,
      recover,
      wanted,
    }: { live: LiveSession; head: Mark; recover: Turn['recover']; wanted: Wanted },
  ): Turn {
    return {
      session: id,
      how,
      body,
      did,
      tokens: live.tokens,
      report,
      recover,
      answered: (usage, model) => live.answered(head, usage, model),
      reply: (call) => live.reply(wanted, call),
      hide: (exchange) => this.#hidden.add(id, head, exchange),
    }
  }

  #elements({ wire, body, spans }: ModelRequest, owner: string): Element[] | undefined {
    const [first] = spans.elements
    if (!first) return undefined
    const begins = body.subarray(first.start, first.end).toString('latin1')
    const key = hashOf(owner, wire.name, begins)
    const elements = elementsOf(body, spans, this.#recent.get(key))
    if (elements) keepNewest(this.#recent, key, elements)
    return elements
  }

  #windowOf(model: string, base: string): Window | undefined {
    const learned = this.#learned.get(`${base} ${model}`)
    const known = windowFor(model, this.#options.settings())
    if (learned === undefined) return known
    return { ...known, context: Math.min(learned, known?.context ?? Infinity) }
  }

  /** Every session of a model is spared what its provider has refused one. */
  #learn(error: unknown, key: string, tokens: number): void {
    const overflow = overflowOf(error)
    if (overflow?.unit !== 'tokens') return
    const limit = overflow.limit ?? Math.floor(tokens * surelyLess)
    const known = this.#learned.get(key) ?? Infinity
    if (limit >= smallestWindow && limit < known) keepNewest(this.#learned, key, limit)
  }

  #liveSession(id: string, wire: Wire, model: string): LiveSession {
    const before = this.#live.get(id)
    if (before) {
      keepNewest(this.#live, id, before)
      return before
    }
    const { store, upstream, settings, onEvent } = this.#options
    const { summaryModel, summaryTimeout } = settings()
    const live = new LiveSession({
      id,
      wire,
      store,
      summaryTimeout,
      summarizer:
        summaryModel === false
          ? undefined
          : (way) => ownSummarizer(wire, summaryModel ?? model, { upstream, way }),
      onEvent: (event) => onEvent?.(id, event),
    })
    const dropped = keepNewest(this.#live, id, live)
    void dropped?.close()
    return live
  }

  /** A fork begins with what the other one knows: its checkpoints and pins. */
  async #fork(from: string, as: string): Promise<void> {
    const { logs } = this.#options.store
    try {
      await forkSession(logs, from, as)
    } catch (error) {
      // It was begun before, or there is nothing to take along.
      if (!SessionExistsError.isInstance(error) && !SessionNotFoundError.isInstance(error))
        throw error
    }
  }

  #getSecret(): Promise<Uint8Array> {
    this.#secret ??= this.#options.store.secret().catch((error: unknown) => {
      this.#secret = undefined
      throw error
    })
    return this.#secret
  }
}

// No text has fewer bytes for a token, give or take; below this share of the window, a request is
// not even looked at.
const fewestBytes = 2
const nearWindow = 0.5

// Where a refusal names no limit, the refused request says that it is lower than itself.
const surelyLess = 0.9
const smallestWindow = 1_000

const endless: Window = { context: 100_000_000 }

/** Adds to a map of limited size; returns what has been in it the longest, if it must go. */
function keepNewest<Value>(map: Map<string, Value>, key: string, value: Value): Value | undefined {
  map.delete(key)
  map.set(key, value)
  if (map.size <= mostLive) return undefined
  const [oldest] = map
  if (!oldest) return undefined
  map.delete(oldest[0])
  return oldest[1]
}
