import { keepNewest } from './keep-newest.ts'
import { LiveSession } from './live-session.ts'
import { summarizerFor } from './summarizer.ts'
import { ThreadedSession } from '../engine/threaded-session.ts'
import type { Engine } from '../engine/engine.ts'
import type { GatewayStore } from '../store/gateway-store.ts'
import type { SessionAtWork } from '../engine/session-at-work.ts'
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
}

/** The sessions that are at work. */
export class LiveSessions {
  readonly #options: LiveSessionsOptions
  readonly #live = new Map<string, SessionAtWork>()

  constructor(options: LiveSessionsOptions) {
    this.#options = options
  }

  async at(id: string, wire: Wire, model: string): Promise<SessionAtWork> {
    const { engine } = this.#options
    // Where no thread can be started, sessions work in this one.
    const isApart = engine !== undefined && (await engine.started())
    const before = this.#live.get(id)
    if (before && (isApart || before instanceof LiveSession)) {
      keepNewest(this.#live, id, before)
      return before
    }
    const live = isApart
      ? this.#apart(engine, { id, wire, model })
      : this.#here({ id, wire, model })
    const dropped = keepNewest(this.#live, id, live)
    void dropped?.close()
    return live
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
    await live?.close()
  }

  /** Ends all of their work. */
  async close(): Promise<void> {
    await Promise.all([...this.#live.values()].map((live) => live.close()))
    this.#live.clear()
    await this.#options.engine?.close()
  }
}
