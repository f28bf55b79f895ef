import type { Exchange } from '../tools/tool-wire.ts'
import type { Store, Usage, Seq } from 'throughline'

/** Whose session it is: an HMAC of the caller's key, so that callers never meet. */
export type World = string & { readonly __world: unique symbol }

/**
 * What a request was recognized by: a hash of all of its conversation up to one place, or of its
 * newest calls. A request names its own in order, newest first.
 */
export type Mark = string & { readonly __mark: unique symbol }

/** A session as the store knows it. Its log is in `logs`, under the same name. */
export interface SessionRow {
  id: string
  world: World
  /** A hash of the instructions under which it runs. */
  instructions: string
  model: string
  /** Milliseconds since 1970. */
  created: number
  used: number
}

/** A session that has a mark, and whether it has gone on since. */
export interface Found {
  session: SessionRow
  mark: Mark
  /** Whether this is a mark of the session's newest request. */
  newest: boolean
}

/** The marks of one request. */
export interface Request {
  marks: readonly Mark[]
  /** Milliseconds since 1970. */
  at: number
}

export interface StoreState {
  connections: number
  idle: number
  waiting: number
  /** Whether calls fail at once, because it does not answer. */
  isOut: boolean
}

/**
 * Where a gateway keeps what outlives it: which session each request belongs to, and the sessions'
 * logs with their checkpoints. Every implementation passes `gatewayStoreConformance`.
 */
export interface GatewayStore {
  /** The logs, with their checkpoints, pins and rewinds. */
  readonly logs: Store
  /** Where another thread can open the same store; `undefined` where it must ask for what is in it. */
  readonly folder?: string
  /** Random bytes, made once for each store and the same for all who use it: the key of the HMACs. */
  secret: () => Promise<Uint8Array>
  /**
   * The first of these marks that a session of this world has. Where several sessions have it, one
   * whose newest request has it comes first, then the one used last.
   */
  find: (world: World, marks: readonly Mark[]) => Promise<Found | undefined>
  /**
   * Begins a session with its first request. Beginning it twice in the same way changes nothing, so
   * that replicas may begin one together.
   */
  begin: (session: SessionRow, request: Request) => Promise<void>
  /**
   * The session's newest request is now this one. `from` is a mark of the request that it goes on
   * from: `false`, and nothing changes, if the session has gone on from there in another way. The
   * marks of the four newest requests stay, and those that {@link GatewayStore.keep} named.
   */
  move: (id: string, from: Mark, request: Request) => Promise<boolean>
  /** Keeps marks that the session has, as long as the session stays: a checkpoint stands there. */
  keep: (id: string, marks: readonly Mark[]) => Promise<void>
  /**
   * Where several processes serve a session: what the provider counted for its newest answer, for
   * the one that gets the next request.
   */
  heard?: (id: string, answer: HeardAnswer) => Promise<void>
  /** The answer to the request with this mark, if it is the newest that was heard. */
  heardOf?: (id: string, to: Mark) => Promise<HeardAnswer | undefined>
  /**
   * Keeps an exchange that a session's client has not seen; another one after the same request takes
   * its place, and of very many the oldest go. What is redacted in the log may stand in these too: a
   * redaction of it deletes them.
   */
  hide: (id: string, hidden: Hidden) => Promise<void>
  /** What the client of a session has not seen, the oldest first. */
  hidden: (id: string) => Promise<Hidden[]>
  /** What goes another way has the same past: copies what the other session's client has not seen. */
  copyHidden: (from: string, as: string) => Promise<void>
  /** Lets whoever has a link see a session for some time. */
  link: (id: string, link: Link) => Promise<void>
  /** The session that the link with this hash opens at this time. */
  linked: (hash: string, now: number) => Promise<string | undefined>
  /** Takes back all links to a session. */
  unlink: (id: string) => Promise<void>
  /**
   * Adds to what is taken of a budget in a period, and says how much that is by now. A period is a day
   * or a minute, in UTC: `2026-11-22` or `2026-11-22T23:59`.
   */
  spend: (budget: string, period: string, amount: number) => Promise<number>
  /** Keeps what a refusal has said of the window that a caller has; `undefined` forgets it. */
  learn: (world: World, of: WindowAt, learned: LearnedWindow | undefined) => Promise<void>
  /** All that is kept of a caller’s windows. */
  learned: (world: World) => Promise<(WindowAt & LearnedWindow)[]>
  /** The seq of the newest entry in the log of a session; 0 where there is none. */
  newest: (id: string) => Promise<number>
  session: (id: string) => Promise<SessionRow | undefined>
  /** Sessions of some worlds, or of all, the last used first. */
  sessions: (worlds?: readonly World[], page?: Page) => Promise<SessionRow[]>
  /**
   * Deletes what is kept of a caller besides its sessions: what it has learned of windows, and what it has
   * taken of its budgets before the day `today`. What it takes today still counts: else whoever deletes
   * could begin the day anew.
   */
  forgetCaller: (caller: KeptCaller) => Promise<void>
  /** Deletes a session with its marks and its log; not an error if it doesn't exist. */
  remove: (id: string) => Promise<void>
  /**
   * Deletes what was not used since `before`, and says how many that were. A store with a clock of its
   * own keeps what was used within `kept` milliseconds by that clock, too: a replica's may be wrong. What
   * was taken of budgets goes two days after its own.
   */
  removeUnused: (before: number, kept?: number) => Promise<number>
  /** Throws if the store cannot answer. */
  ping: () => Promise<void>
  /** How it is reached, where that is over connections. */
  state?: () => StoreState
  close: () => Promise<void>
}

/** A part of a list of sessions. */
export interface Page {
  most: number
  /** The last one of the page before. */
  after?: Pick<SessionRow, 'used' | 'id'> | undefined
}

/** Under which names a caller is kept. */
interface KeptCaller {
  /** `undefined` for all. */
  worlds: readonly World[] | undefined
  /** With what the ids of its budgets begin. */
  budgets: string
  /** In UTC: `2026-11-22`. */
  today: string
}

/** A link to a session, of which only the hash is kept. */
export interface Link {
  hash: string
  /** Milliseconds since 1970. */
  until: number
}

/** What a client has not seen of a conversation, and the mark of the request that it was an answer to. */
export interface Hidden {
  after: Mark
  exchange: Exchange
}

/** A model at a provider. */
export interface WindowAt {
  base: string
  model: string
}

/** What a refusal has said of a window. */
export interface LearnedWindow {
  /** In tokens. */
  context: number
  /** Whether the provider named it; else it is less than what was refused. */
  isNamed: boolean
  /** Milliseconds since 1970. */
  at: number
}

/** How many exchanges of a session are kept that its client has not seen. */
export const mostHidden = 200

/** What the provider counted for the answer to the request with this mark. */
export interface HeardAnswer {
  to: Mark
  usage?: Usage
  model?: string
  /** The newest entry that had changed the view which that request was sent under. */
  under?: Seq
}

/** How many requests of a session are remembered by all of their marks. */
export const rememberedRequests = 4

/** The day of which nobody asks any more what was taken of a budget, nor of those before. */
export function twoDaysAgo(now: number): string {
  return new Date(now - 2 * 24 * 60 * 60_000).toISOString().slice(0, 10)
}

/** Logs that tell of each redaction, before anybody reads what was redacted anywhere else. */
export function tellingOfRedactions(
  logs: Store,
  redacted: (session: string) => Promise<void> | void,
): Store {
  return {
    ...logs,
    async redact(session, rewriting, request) {
      const note = await logs.redact(session, rewriting, request)
      if (note) await redacted(session)
      return note
    },
  }
}

/** A session by the columns of its row. */
export function rowOf(row: Readonly<Record<string, unknown>>): SessionRow {
  return {
    id: String(row['id']),
    world: row['world'] as World,
    instructions: String(row['instructions']),
    model: String(row['model']),
    created: Number(row['created']),
    used: Number(row['used']),
  }
}
