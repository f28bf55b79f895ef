import { setTimeout as waited } from 'node:timers/promises'
import { createServer, ServerResponse, type IncomingMessage, type Server } from 'node:http'
import { Server as NetServer, type AddressInfo, type Socket } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import { Hono } from 'hono'
import { ThroughlineError, type SessionEvent } from 'throughline'
import { undiciUpstream } from '../upstream/undici-upstream.ts'
import { Engine, type ThreadSettings } from '../engine/engine.ts'
import { answerRequest, type Answered, type Serving } from './answer-request.ts'
import { BodyRoom } from './body-room.ts'
import { PageMaker } from '../pages/page-maker.ts'
import { sessionApi } from './session-api.ts'
import { Sessions, type Learned } from '../sessions/sessions.ts'
import { ShortSummaries } from '../sessions/short-summaries.ts'
import { WithoutStore } from '../sessions/without-store.ts'
import { usualDropped } from './headers.ts'
import type { Upgrade } from './pass-connection.ts'
import type { Refusal } from './refusals.ts'
import type { Duplex } from 'node:stream'
import type { GatewayStore } from '../store/gateway-store.ts'
import { windowFor, type SessionSettings } from '../sessions/settings.ts'
import type { Upstream } from '../upstream/upstream.ts'
import type { SessionAccess } from '../identity/session-access.ts'
import type { Upstreams } from '../upstream/targets.ts'

/** How a gateway is set up. */
export interface GatewayOptions {
  /** The base URL of each provider that is not the public one. */
  upstreams?: Upstreams
  /** Other providers: `/~name/…` goes to the base URL under this name. */
  routes?: Readonly<Record<string, string>>
  store: GatewayStore
  /** The way to the providers; by default HTTP, through the proxy of the environment. */
  upstream?: Upstream
  /** `127.0.0.1` by default: a gateway that others may use is asked for. */
  host?: string
  /** Any free port by default. */
  port?: number
  /** How sessions are compacted. */
  sessions?: SessionSettings
  /** Everything that a session does. */
  onEvent?: (session: string, event: SessionEvent) => void
  /** Each window that a refusal has taught, or that a larger answered request has refuted. */
  onLearned?: (learned: Learned) => void
  /** What was done for each request for an answer. */
  onAnswered?: (answered: Answered) => void
  /**
   * Whether sessions are compacted in a thread of their own, so that a long one keeps no other
   * request waiting. Of their events only `compaction-finished` is told then. Where no thread can be
   * started, they work in this one. What it is made of can be set: by default its code is beside this
   * one, and it is lost after 10 seconds of silence.
   */
  thread?: boolean | ThreadSettings
  /** Stands around every request: it may answer it itself, and knows when it has been answered. */
  around?: (
    incoming: IncomingMessage,
    outgoing: ServerResponse,
    answer: () => Promise<void>,
  ) => Promise<void>
  /** Whether the request at hand may ask for this model; `undefined` where none can be read. */
  mayAsk?: (model: string | undefined) => boolean
  /** The operator's: with it in `x-throughline-admin`, all sessions can be listed and deleted. */
  adminToken?: string | undefined
  /**
   * The headers in which whoever stands before this gateway says who asks, in lower case: callers with
   * one key share nothing where these differ. They must come from there alone.
   */
  identity?: readonly string[]
  /** Who may see and change sessions over HTTP, at `/throughline/sessions`; nobody by default. */
  sessionAccess?: SessionAccess | undefined
  /**
   * The URL of a module whose `sessionPage` takes the settings and gives a `ReportPage`: each page of a
   * session is made by it, in a thread of its own.
   */
  pageModule?: string | undefined
  /** Whether a caller may make a link to a page of its own that opens without a key, for ten minutes. */
  reportLinks?: boolean | undefined
  /** What went wrong inside, for which a request was forwarded as it came. */
  onProblem?: (problem: unknown) => void
  /** Milliseconds since 1970. */
  now?: () => number
  /** The longest body that it takes, in bytes; 64 MiB by default. */
  bodyLimit?: number
  /** How many bytes of bodies it holds at once; 512 MiB by default. A caller gets half of what is left. */
  bodiesLimit?: number
  /** How long a body is waited for, besides what a slow line takes for it, in milliseconds; 30,000 by default. */
  bodyPatience?: number
  /** Headers that no provider is told, a list that is read anew each time; {@link usualDropped} by default. */
  dropHeaders?: readonly string[]
  /** Called for each request that has come in whole; what it returns is why it is not served. */
  enter?: () => Refusal | undefined
  /** Told of each request that the gateway itself refuses. */
  onRefused?: (refusal: Refusal) => void
}

/** A gateway that runs. */
export interface Gateway {
  /** `http://127.0.0.1:<port>` */
  readonly url: string
  /** How much work on sessions is not done. */
  readonly queued: () => number
  /** Lets go of a session that was changed or deleted. */
  forget: (session: string) => Promise<void>
  /**
   * Takes no more connections, and ends when what runs has been answered. Answers that have not ended
   * after `patience` milliseconds are broken off; what they said they cost is kept.
   *
   * @returns whether an answer was broken off.
   */
  close: (patience?: number) => Promise<boolean>
}

/** A gateway cannot listen where it is told to. */
export class GatewayAddressError extends ThroughlineError<'GATEWAY_ADDRESS'> {
  static override readonly code = 'GATEWAY_ADDRESS'

  constructor(host: string, port: number, options: { cause: Error }) {
    const code: unknown = Reflect.get(options.cause, 'code')
    const problem = code === 'EADDRINUSE' ? 'another program listens there' : options.cause.message
    const message = `The gateway cannot listen at ${host}, port ${port}: ${problem}. Choose another one with --host and --port, or in its configuration.`
    super(GatewayAddressError.code, message, options)
  }
}

// What this gateway answers itself; everything else is for a provider.
const ownPath = /^\/(?:healthz|readyz|throughline(?:\/[^?]*)?)(?:\?|$)/

const usualBodyLimit = 64 * 1024 * 1024
const usualBodiesLimit = 512 * 1024 * 1024
const usualBodyPatience = 30_000

// How long a proxy has to use each connection that it keeps once more, and to hear that it is the last time.
const lastUses = 300

/** Starts a gateway, which answers when the promise is fulfilled. Its store stays the caller's. */
export async function startGateway(options: GatewayOptions): Promise<Gateway> {
  const upstream = options.upstream ?? undiciUpstream()
  const {
    store,
    upstreams = {},
    routes = {},
    sessions: settings = {},
    identity = [],
    onEvent,
    onProblem,
  } = options
  const thread = options.thread === true ? {} : options.thread
  const engine = thread && new Engine({ ...thread, store, upstream, onEvent })
  const sessions = new Sessions({
    store,
    upstream,
    ...(engine && { engine }),
    settings: () => settings,
    ...(onEvent && { onEvent }),
    ...(options.onLearned && { onLearned: options.onLearned }),
    ...(onProblem && { onProblem }),
    ...(options.now && { now: options.now }),
  })
  const { now } = options
  const withoutStore = new WithoutStore({ upstream, settings: () => settings, ...(now && { now }) })
  const serving: Serving = {
    upstream,
    upstreams: () => upstreams,
    routes: () => routes,
    settings: () => settings,
    sessions,
    withoutStore,
    shortSummaries: new ShortSummaries(),
    bodyLimit: options.bodyLimit ?? usualBodyLimit,
    bodyRoom: new BodyRoom(options.bodiesLimit ?? usualBodiesLimit),
    bodyPatience: options.bodyPatience ?? usualBodyPatience,
    dropped: () => options.dropHeaders ?? usualDropped,
    enter: options.enter ?? (() => undefined),
    onRefused: options.onRefused ?? (() => {}),
    identity: () => identity,
    onProblem: onProblem ?? (() => {}),
    onAnswered: options.onAnswered ?? (() => {}),
    mayAsk: options.mayAsk ?? (() => true),
  }
  const app = new Hono()
  app.get('/healthz', (context) => context.json({ status: 'ok' }))
  app.get('/readyz', async (context) => {
    try {
      await options.store.ping()
      return context.json({ status: 'ready' })
    } catch {
      return context.json({ status: 'the store does not answer' }, 503)
    }
  })
  const { adminToken, pageModule, reportLinks = false } = options
  const pages =
    pageModule === undefined
      ? undefined
      : new PageMaker({ module: pageModule, settings, logs: store.logs })
  const { onProblem: told } = serving
  app.route(
    '/throughline',
    sessionApi({
      store,
      sessions,
      access: options.sessionAccess,
      identity: serving.identity,
      adminToken,
      links: reportLinks,
      pages,
      windowOf: (model) => windowFor(model, settings),
      now: now ?? Date.now,
      onProblem: told,
    }),
  )
  const running = new Set<Promise<void>>()
  let isEnding = false
  async function serve(
    incoming: IncomingMessage,
    outgoing: ServerResponse,
    upgrade?: Upgrade,
  ): Promise<void> {
    const answer = () => answerRequest(serving, incoming, outgoing, upgrade)
    const answered = options.around?.(incoming, outgoing, answer) ?? answer()
    running.add(answered)
    try {
      await answered
    } catch (problem) {
      told(problem)
      outgoing.destroy()
    } finally {
      running.delete(answered)
    }
  }
  // We read the request ourselves.
  const own = getRequestListener((request) => app.fetch(request), { autoCleanupIncoming: false })
  const server = createServer(
    // A body may take as long as it comes.
    { keepAliveTimeout: 75_000, requestTimeout: 0, insecureHTTPParser: false },
    (incoming, outgoing) => {
      if (isEnding) outgoing.shouldKeepAlive = false
      void (ownPath.test(incoming.url ?? '') ? own : serve)(incoming, outgoing)
    },
  )
  // From here on the server does not know them.
  const upgraded = new Set<Duplex>()
  server.on('upgrade', (incoming, socket, head) => {
    upgraded.add(socket)
    socket.once('close', () => upgraded.delete(socket)).on('error', () => socket.destroy())
    const outgoing = new ServerResponse(incoming)
    outgoing.assignSocket(socket as Socket)
    outgoing.shouldKeepAlive = false
    outgoing.once('finish', () => socket.end())
    void serve(incoming, outgoing, { socket, head })
  })
  const closeUnused = watchUnused(server)
  const closeIdle = (): void => {
    server.closeIdleConnections()
    closeUnused()
  }
  const { host = '127.0.0.1', port = 0 } = options
  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause) => reject(new GatewayAddressError(host, port, { cause })))
    server.listen(port, host, resolve)
  })
  const address = server.address() as AddressInfo
  const shown = host.includes(':') ? `[${host}]` : host
  return {
    url: `http://${shown}:${address.port}`,
    queued: () => (engine ? engine.queued : 0),
    forget: (session) => sessions.forget(session),
    async close(patience) {
      let isLate = false
      const breakOff = (): void => {
        isLate = true
        server.closeAllConnections()
        for (const socket of upgraded) socket.destroy()
      }
      const late = patience === undefined ? undefined : setTimeout(breakOff, patience)
      isEnding = true
      pages?.close()
      // The server’s own `close` would close idle connections at once, also those on which a proxy has
      // just sent its next request.
      const closed = new Promise((resolve) => NetServer.prototype.close.call(server, resolve))
      await Promise.race([
        closed,
        waited(patience === undefined ? 0 : Math.min(lastUses, patience)),
      ])
      closeIdle()
      // A connection whose last stream has ended is idle, and would be kept for its next request.
      const idle = setInterval(closeIdle, 50)
      await closed
      clearInterval(idle)
      clearTimeout(late)
      // An answer that was broken off still writes what it cost.
      await Promise.allSettled(running)
      await sessions.close()
      await withoutStore.close()
      if (!options.upstream) await upstream.close()
      return isLate
    },
  }
}

/**
 * Watches for connections on which nothing has come yet, as browsers and SDKs open some in advance.
 * Node does not count them as idle, so a server that ends would wait for them as long as their client
 * lives. Returns what closes them.
 */
function watchUnused(server: Server): () => void {
  const open = new Set<Socket>()
  server.on('connection', (socket) => {
    open.add(socket)
    socket.once('close', () => open.delete(socket))
  })
  // From then on Node knows whether they are idle.
  server.on('request', ({ socket }) => open.delete(socket))
  return () => {
    for (const socket of open) if (socket.bytesRead === 0) socket.destroy()
  }
}
