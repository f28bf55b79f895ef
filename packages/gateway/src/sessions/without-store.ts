import { memoryGatewayStore } from '../store/sqlite-gateway-store.ts'
import { Sessions } from './sessions.ts'
import type { ModelRequest } from '../server/model-request.ts'
import type { SessionSettings } from './settings.ts'
import type { Turn } from './turn.ts'
import type { Upstream } from '../upstream/upstream.ts'

/** What was fitted for a request, without a session that anybody could ask for. */
export type Refuge = Pick<Turn, 'body' | 'recover' | 'tokens'>

// An outage is over, or the session is.
const idleFor = 600_000
// Their logs are held in memory.
const mostSessions = 64

interface Options {
  upstream: Upstream
  settings: () => SessionSettings
  now?: () => number
}

interface Open {
  sessions: Sessions
  known: Set<string>
  idle: NodeJS.Timeout
}

/**
 * Fits requests that the provider has refused as too long while the store cannot be used, so that an
 * outage of the database is not the end of a long task. It works in memory and by code alone: pins
 * and exchanges that only the store has are missing. It begins anew when it has been idle for long,
 * and after {@link mostSessions} sessions. Once the store can be used again, its checkpoint is what
 * a session goes on with.
 */
export class WithoutStore {
  readonly #options: Options
  #open: Open | undefined

  constructor(options: Options) {
    this.#options = options
  }

  /** `undefined` where nothing can be left out of it. */
  async fit(request: ModelRequest, refusal: unknown): Promise<Refuge | undefined> {
    const open = this.#get()
    const usual = await open.sessions.follow(request)
    // Where the window is not known, only the refusal names it.
    const turn = usual?.body ? usual : await open.sessions.follow(request, refusal)
    if (turn) open.known.add(turn.session)
    return turn
  }

  /** Ends all work in the background. */
  async close(): Promise<void> {
    const open = this.#open
    this.#open = undefined
    if (!open) return
    clearTimeout(open.idle)
    await open.sessions.close()
  }

  #get(): Open {
    if (this.#open && this.#open.known.size >= mostSessions) void this.close()
    const { upstream, settings, now } = this.#options
    this.#open ??= {
      sessions: new Sessions({
        store: memoryGatewayStore(),
        upstream,
        settings: () => ({ ...settings(), summaryModel: false }),
        ...(now && { now }),
      }),
      known: new Set(),
      idle: setTimeout(() => void this.close(), idleFor).unref(),
    }
    this.#open.idle.refresh()
    return this.#open
  }
}
