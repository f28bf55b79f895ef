import { randomBytes } from 'node:crypto'
import {
  forkSession,
  SessionExistsError,
  SessionNotFoundError,
  type SessionEvent,
} from 'throughline'
import { overflowOf } from 'throughline/engine'
import { clientIdOf } from '../identity/client-id.ts'
import { readBodySpans } from '../body/recent-bodies.ts'
import { RecentRequests } from './recent-requests.ts'
import { CountedSizes, fewestBytes } from './counted-sizes.ts'
import { beginsAt, dueAt } from './live-session.ts'
import { dueFor, learnSize, type Following, type FollowingHow, type Standing } from './standing.ts'
import { heardOf, type Turn } from './turn.ts'
import { BoundedMap } from '../body/bounded-map.ts'
import { listOf } from '../body/json.ts'
import { Standings } from './standings.ts'
import { beginsAs, identify, readAll, recognized, type Identity } from '../identity/identify.ts'
import { markKeyOf } from '../identity/marks.ts'
import { LiveSessions } from './live-sessions.ts'
import { compactCall, markedAnew, restored } from './hidden-exchanges.ts'
import { LearnedWindows, modelName, smallestWindow, type ModelAt } from './learned-windows.ts'
import { apis, summaryFields } from '../wires/wire.ts'
import { splicedBody } from '../body/spliced.ts'
import { whenFor, isWindowSet, windowFor, type SessionSettings } from './settings.ts'
import { WholeHeads } from './whole-heads.ts'
import { accountOf, worldOf, type Caller } from '../identity/caller.ts'
import { headerText } from '../server/headers.ts'
import type { Engine } from '../engine/engine.ts'
import type { Fitted, Wanted } from './live-session.ts'
import type { ModelRequest } from '../server/model-request.ts'
import type { OwnWay } from './summarizer.ts'
import type { SessionAtWork } from './live-session.ts'
import type { GatewayStore, Hidden, LearnedWindow, Mark, WindowAt } from '../store/gateway-store.ts'
import type { Upstream } from '../upstream/upstream.ts'
import type { Usage, Window } from 'throughline'

interface SessionsOptions {
  store: GatewayStore
  upstream: Upstream
  settings: () => SessionSettings
  /** Another thread, in which sessions work if it can be started. */
  engine?: Engine | undefined
  onEvent?: (session: string, event: SessionEvent) => void
  /** Told of each window that a refusal, or an answer after it, has taught. */
  onLearned?: (learned: Learned) => void
  /** Told of what could not be written behind an answer: the next request writes it. */
  onProblem?: (problem: unknown) => void
  now?: () => number
  /** How long a log may be behind the answers, in milliseconds. */
  writesBehind?: number
}

/** What a refused request has taught of a window, or one that was answered and is larger. */
export interface Learned extends WindowAt, Partial<LearnedWindow> {
  /** How many tokens that request had. */
  tokens: number
}

/** What tells which window a request has. */
type AskedOf = Pick<ModelRequest, 'asked' | 'base' | 'wire' | 'caller'>

/** The sessions of everyone who asks through this gateway. */
export class Sessions {
  readonly #options: SessionsOptions
  readonly #live: LiveSessions
  readonly #recent = new RecentRequests()
  readonly #standings: Standings
  readonly #sizes = new CountedSizes()
  readonly #windows: LearnedWindows
  /** Callers whose windows were read from the store. */
  readonly #known = new BoundedMap<true>()
  readonly #heads = new WholeHeads()
  /** Sessions whose clients have seen everything. */
  readonly #seen = new BoundedMap<true>()
  #secret: Promise<Uint8Array> | undefined
  readonly #callers = randomBytes(32)

  constructor(options: SessionsOptions) {
    this.#options = options
    this.#live = new LiveSessions(options)
    this.#windows = new LearnedWindows(options.now)
    const { store, onProblem = () => {}, now = Date.now } = options
    this.#standings = new Standings({
      store,
      now,
      onProblem,
      writesBehind: options.writesBehind,
      follow: (following, how) => this.#followFully(following, how),
      windowOf: (request) => this.#windowOf(request) ?? endless,
    })
  }

  bodiesOf(request: { caller: Caller }): typeof readBodySpans {
    // Who only forwards keeps nothing.
    if (this.#options.settings().when === 'never') return readBodySpans
    return this.#recent.bodiesOf(request.caller)
  }

  /**
   * Reads what was learned of a caller’s windows before, once. Where it cannot be read, it is learned
   * anew.
   */
  async know(request: AskedOf & Pick<ModelRequest, 'body'>): Promise<void> {
    const settings = this.#options.settings()
    if (settings.when === 'never' || isWindowSet(request.asked.model, settings)) return
    if (!mayReach(request, { context: smallestWindow })) return
    const { caller } = this.#modelAt(request)
    if (this.#known.has(caller)) return
    this.#known.set(caller, true)
    const { store, onProblem = () => {} } = this.#options
    try {
      const world = worldOf(await this.#getSecret(), request.wire.api, request.caller)
      for (const { base, model, ...learned } of await store.learned(world)) {
        this.#windows.remember({ base, model, caller }, learned)
      }
    } catch (problem) {
      onProblem(problem)
    }
  }

  /** Whether a request may be so near its window that there is something to do for its session. */
  mayBeLong(request: ModelRequest): boolean {
    const window = this.#windowOf(request)
    if (!window || this.#options.settings().when === 'never' || !mayReach(request, window))
      return false
    return this.#mostTokens(request) >= beginsAt(window)
  }

  #mostTokens(request: ModelRequest): number {
    return this.#sizes.most(request, modelName(this.#modelAt(request)))
  }

  /**
   * Whether a session that has no log needs none yet: it surely fits, and no other process may begin one.
   */
  async #mayStayUnread({ request, when }: Following, id: string): Promise<boolean> {
    const { store, settings } = this.#options
    if (store.heard || settings().tools?.length) return false
    const due = dueFor(when, this.#windowOf(request) ?? endless)
    return this.#mostTokens(request) < due && (await store.newest(id)) === 0
  }

  /** Whether no compaction is due as its provider has counted it, whatever its session would estimate. */
  #isCountedShort(request: ModelRequest): boolean {
    const most = this.#sizes.mostCounted(request, modelName(this.#modelAt(request)))
    return most !== undefined && most < dueAt(this.#windowOf(request) ?? endless)
  }

  /** Learns from the answer to a request that went out as it came, where the next one may be long. */
  passed(request: ModelRequest): ((usage: Usage | undefined) => void) | undefined {
    const window = this.#windowOf(request)
    // One that is half as long may be the one before.
    const isShort = request.body.length < beginsAt(window ?? endless)
    if (!window || isShort || request.route.asks !== 'answer') return undefined
    return (usage) => {
      const of = this.#modelAt(request)
      this.#sizes.counted(request, modelName(of), usage)
      if (usage) this.#windows.taken(of, usage.inputTokens)
    }
  }

  /**
   * Follows a request: finds its session, and fits it. `undefined` where there is nothing to follow.
   * @throws what the store or the engine throws: then the request goes out as it came.
   */
  async follow(request: ModelRequest, refusal?: unknown): Promise<Turn | undefined> {
    const { wire, route, asked, caller, headers, field } = request
    const settings = this.#options.settings()
    const when = whenFor(headerText(headers, 'user-agent'), settings)
    if (asked.elsewhere || when === 'never') return undefined
    const clientId = clientIdOf(headers, field)
    const secret = await this.#getSecret()
    const world = worldOf(secret, wire.api, caller)
    const owner = `${world} ${clientId ?? ''}`
    const elements = await this.#recent.elementsOf(request, owner)
    if (!elements || elements.length === 0) return undefined
    await readAll(wire, elements)
    // In whatever form: what goes another way must find where this one stands.
    const key = beginsAs(wire, elements, owner)
    const by = { wire: wire.name, clientId, key: markKeyOf(secret) }
    const following: Following = { request, elements, when, by, world, key }
    const mayGoOn = refusal === undefined && route.asks === 'answer' && !settings.tools?.length
    const turn = mayGoOn ? await this.#standings.goOn(following) : undefined
    if (turn) return this.#learning(turn, following)
    await this.#standings.give(following, route.asks === 'count')
    const followed = await this.#followFully(following, { refusal })
    return followed && this.#learning(followed, following)
  }

  async #followFully(
    following: Following,
    { refusal, refused, isLate = false, stands = true }: FollowingHow = {},
  ): Promise<Turn | undefined> {
    const { request, when, by, world, key, elements } = following
    const { wire, route, asked, body, spans, base, path, search, headers, field } = request
    const { system, tools } = asked
    const hasTools = listOf(tools).length > 0
    const known = await recognized(wire, { elements, system, hasTools, by })
    const earlier = () =>
      recognized(wire, { elements, system, hasTools, by: { ...by, key: undefined } })
    const isCount = route.asks === 'count'
    const { store, now = Date.now } = this.#options
    const at = now()
    const identity = await identify(known, {
      store,
      earlier,
      world,
      wire,
      model: asked.model,
      now: at,
      moves: !isCount,
      isLate,
      settled: async (id) => !isLate && this.#standings.settleBeside(id, key),
    })
    if (!identity) return undefined
    if (identity.of !== undefined) {
      await this.#fork(identity.of, identity.id)
      await store.copyHidden(identity.of, identity.id)
    }
    const kept = await this.#hiddenFrom(identity.id)
    const hidden = identity.isEarlier ? markedAnew(kept, await earlier(), known) : kept
    const live = await this.#live.at(identity.id, { wire, model: asked.model, body })
    const wanted: Wanted = {
      body,
      elements: restored(hidden, wire, { elements, heads: known.heads }),
      system,
      tools,
      model: asked.model,
      // Where nobody knows the window, only a refusal says when it is full.
      window: this.#windowOf(request) ?? endless,
      when,
      way: {
        caller: request.caller,
        base,
        path,
        search,
        headers,
        fields: fieldsFor(field),
      } satisfies OwnWay,
    }
    const given = (list: Fitted['list']) => list && splicedBody(body, spans, wire.list, list)
    const head = known.heads[0] as Mark
    const recover = async (error: unknown): Promise<Buffer | undefined> => {
      this.#standings.stop(key)
      this.#refused(following, error, live.tokens || this.#mostTokens(request))
      const window = this.#windowOf(request) ?? endless
      const fitted = await live.recover({ ...wanted, window }, unnumbered(error))
      if (fitted?.did === 'compacted') await store.keep(identity.id, [head])
      return fitted && (given(fitted.list) ?? body)
    }
    const link = { live, head, recover, wanted, request }
    const may = stands && !isCount && wanted.elements.length === elements.length
    const from = this.#heads.before(identity.from, known)
    // Another replica may have moved the session on to this very request: what was heard is older then.
    const since =
      identity.from === head ? known.heads.slice(0, newestHeads) : from === undefined ? [] : [from]
    if (refusal !== undefined) {
      const { list, did } = await live.fit(wanted, {
        from: since,
        compacts: false,
        wanted: undefined,
        now: at,
      })
      const sent = given(list) ?? body
      if (sent.equals(refused ?? body)) {
        const again = await recover(refusal)
        return this.#turn(identity, { body: again, did: 'compacted' }, link)
      }
      // It went out without what had been left out of it before.
      const tokens = live.tokens * ((refused ?? body).length / sent.length)
      this.#refused(following, refusal, tokens)
      return this.#turn(identity, { body: sent, did }, link)
    }
    if (may && !isLate && (await this.#mayStayUnread(following, identity.id))) {
      const most = this.#mostTokens(request)
      const on = { session: identity.id, live, head, list: undefined, unread: { most, at } }
      const standing = this.#standings.stand(following, on)
      return this.#turn(identity, { body: undefined, did: 'nothing' }, { ...link, standing })
    }
    const call = compactCall(hidden, from)
    const compacts = !isCount && !(identity.how === 'new' && this.#isCountedShort(request))
    const fitted = await live.fit(wanted, { from: since, compacts, wanted: call, now: at })
    if (fitted.did === 'compacted') await store.keep(identity.id, [head])
    const { list } = fitted
    if (isLate && fitted.did === 'compacted') this.#standings.compacted(identity.id)
    const isFirst = !isLate && !isCount && this.#standings.tellsCompacted(identity.id)
    const did = isFirst ? 'compacted' : fitted.did
    const standing = may
      ? this.#standings.stand(following, { session: identity.id, live, head, list })
      : undefined
    // What has gone out is not made again.
    const sent = isLate ? undefined : given(list)
    return this.#turn(identity, { body: sent, did }, { ...link, standing })
  }

  /** The log of a session is now all that was said in it, as far as it was said here. */
  settle(id: string): Promise<void> {
    return this.#standings.settle(id)
  }

  /** Ends all work in the background. */
  async close(): Promise<void> {
    await this.#standings.close()
    await this.#live.close()
  }

  /** Lets go of a session that was changed or deleted. */
  async forget(id: string): Promise<void> {
    await this.#standings.forget(id)
    await this.#live.forget(id)
  }

  /** Forgets what is kept of a caller besides its sessions, or of all callers. */
  async forgetCaller(caller: Caller | undefined): Promise<void> {
    const { store, now = Date.now } = this.#options
    const secret = await this.#getSecret()
    const namesBy = (key: Uint8Array) => caller && apis.map((api) => worldOf(key, api, caller))
    this.#windows.forget(namesBy(this.#callers))
    this.#known.clear()
    const budgets = caller ? accountOf(secret, caller) : ''
    const today = new Date(now()).toISOString().slice(0, 10)
    await store.forgetCaller({ worlds: namesBy(secret), budgets, today })
  }

  #turn(
    { id, how }: Identity,
    { body, did }: Pick<Turn, 'body' | 'did'>,
    {
      live,
      head,
      recover,
      wanted,
      standing,
      request,
    }: {
      live: SessionAtWork
      head: Mark
      recover: Turn['recover']
      wanted: Wanted
      standing?: Standing | undefined
      request: ModelRequest
    },
  ): Turn {
    return {
      session: id,
      how,
      body,
      did,
      tokens: Math.round(standing?.known.tokens ?? live.tokens),
      recover,
      answered: (usage, model) => {
        const sent = (body ?? request.body).length
        if (standing) learnSize(standing, request, { usage, sent })
        live.answered(head, heardOf(wanted.elements.length, usage, model))
      },
      reply: (call) => live.reply(wanted, call),
      hide: async (exchange) => {
        this.#seen.delete(id)
        await this.#options.store.hide(id, { after: head, exchange })
      },
    }
  }

  /** What the client of a session has not seen: kept where all replicas find it. */
  async #hiddenFrom(id: string): Promise<readonly Hidden[]> {
    const { store, settings } = this.#options
    if (this.#seen.has(id) && !settings().tools?.length) return []
    const hidden = await store.hidden(id)
    if (hidden.length === 0) this.#seen.set(id, true)
    return hidden
  }

  #windowOf(request: AskedOf): Window | undefined {
    const { model } = request.asked
    const settings = this.#options.settings()
    const known = windowFor(model, settings)
    return this.#windows.windowOf(this.#modelAt(request), known, isWindowSet(model, settings))
  }

  /** The caller only for this process: nothing of its key is kept. */
  #modelAt(request: AskedOf): ModelAt {
    const { asked, base } = request
    return {
      base,
      model: asked.model,
      caller: worldOf(this.#callers, request.wire.api, request.caller),
    }
  }

  /** Learns the window from a refusal of so many tokens, unless an operator has set it. */
  #refused(following: Following, error: unknown, tokens: number): void {
    const { request } = following
    if (isWindowSet(request.asked.model, this.#options.settings())) return
    if (this.#windows.refused(this.#modelAt(request), error, tokens)) {
      this.#keepLearned(following, tokens)
    }
  }

  /** What is taken shows how large its window is at least. */
  #learning(turn: Turn, following: Following): Turn {
    return {
      ...turn,
      answered: (usage, answeredBy) => {
        const of = this.#modelAt(following.request)
        if (usage && this.#windows.taken(of, usage.inputTokens)) {
          this.#keepLearned(following, usage.inputTokens)
        }
        turn.answered(usage, answeredBy)
      },
    }
  }

  /** Tells what is believed of a window now, and keeps it where restarts and replicas find it. */
  #keepLearned({ request, world }: Following, tokens: number): void {
    const { store, onLearned, onProblem = () => {} } = this.#options
    const { base, model, caller } = this.#modelAt(request)
    const learned = this.#windows.learnedOf({ base, model, caller })
    onLearned?.({ base, model, tokens, ...learned })
    store.learn(world, { base, model }, learned).catch(onProblem)
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

/** Whether so many bytes can be so many tokens at all. */
function mayReach({ body }: Pick<ModelRequest, 'body'>, window: Window): boolean {
  return body.length / fewestBytes >= beginsAt(window)
}

const fieldsFor = (field: ModelRequest['field']): OwnWay['fields'] =>
  Object.fromEntries(summaryFields.map((name) => [name, field(name)]))

/**
 * What a refusal says without its number: a session, which remembers that for ever, leaves it to what
 * is learned here of its caller’s window.
 */
function unnumbered(error: unknown): unknown {
  return overflowOf(error)?.unit === 'tokens' ? { code: 'context_length_exceeded' } : error
}

// So many elements a request may have more than the one before.
const newestHeads = 9

const endless: Window = { context: 100_000_000 }
