import { BoundedMap } from '../body/bounded-map.ts'
import { LiveSession, type SessionAtWork } from './live-session.ts'
import { summarizerFor } from './summarizer.ts'
import { ThreadedSession } from '../engine/threaded-session.ts'
import type { Engine } from '../engine/engine.ts'
import type { GatewayStore } from '../store/gateway-store.ts'
import type { SessionEvent } from 'throughline'
import type { SessionSettings } from './settings.ts'
import type { Upstream } from '../upstream/upstream.ts'
import type { Wire } from '../wires/wire.ts'

interface LiveSessionsOptions {
  store: GatewayStore
  upstream: Upstream
  settings: () => SessionSettings
  /** Another thread, in which sessions work if it can be started. */
  engine?: Engine | undefined
  onEvent?: (session: string, event: SessionEvent) => void
  /** How many bytes of requests the sessions at work may have together. */
  mostBytes?: number
}

/** A session that is at work, and how long its newest request was: it holds about as much. */
interface Live {
  session: SessionAtWork
  bytes: number
}

/** What a request says of the session that it needs. */
interface NeededFor {
  wire: Wire
  model: string
  body: Buffer
}

/** The sessions that are at work: neither too many nor too long ones. */
export class LiveSessions {
  readonly #options: LiveSessionsOptions
  readonly #live: BoundedMap<Live>

  constructor(options: LiveSessionsOptions) {
    this.#options = options
    const { mostBytes } = options
    this.#live = new BoundedMap({ bytesOf: ({ bytes }) => bytes, mostBytes })
  }

  async at(id: string, { wire, model, body }: NeededFor): Promise<SessionAtWork> {
    const { engine } = this.#options
    // Where no thread can be started, sessions work in this one.
    const isApart = engine !== undefined && (await engine.started())
    const before = this.#live.get(id)?.session
    const isThere = before && (isApart || before instanceof LiveSession)
    const session = isThere
      ? before
      : isApart
        ? this.#apart(engine, { id, wire, model })
        : this.#here({ id, wire, model })
    const dropped = this.#live.set(id, { session, bytes: body.length })
    for (const one of dropped) void one.session.close()
    return session
  }

  #apart(engine: Engine, { id, wire, model }: { id: string; wire: Wire; model: string }) {
    const { summaryModel = model, summaryTimeout } = this.#options.settings()
    return new ThreadedSession(engine, id, { wire: wire.name, summaryModel, summaryTimeout })
  }

  #here({ id, wire, model }: { id: string; wire: Wire; model: string }): LiveSession {
    const { store, upstream, settings, onEvent } = this.#options
    const { summaryModel = model, summaryTimeout } = settings()
    return new LiveSession({
      id,
      wire,
      store,
      summaryTimeout,
      summarizer: summarizerFor(wire, summaryModel, upstream),
      onEvent: (event) => onEvent?.(id, event),
    })
  }

  /** Lets go of a session that was changed or deleted. */
  async forget(id: string): Promise<void> {
    const live = this.#live.get(id)
    this.#live.delete(id)
    await live?.session.close()
  }

  /** Ends all of their work. */
  async close(): Promise<void> {
    await Promise.all([...this.#live].map(([, { session }]) => session.close()))
    this.#live.clear()
    await this.#options.engine?.close()
  }
}
