import { setImmediate as pause, setTimeout as waited } from 'node:timers/promises'
import { BoundedMap } from '../body/bounded-map.ts'
import { heardOf, type Turn } from './turn.ts'
import { newestCallsOf } from '../identity/identify.ts'
import {
  bodyOf,
  bringAlong,
  goesOn,
  haveCallsInCommon,
  isDue,
  isSameWindow,
  learnSize,
  mayWait,
  mostTokens,
  placeOf,
  sentNext,
  standingOf,
  type Following,
  type FollowingHow,
  type Standing,
  type StandsOn,
} from './standing.ts'
import { beginsAt, type Heard } from './live-session.ts'
import type { GatewayStore } from '../store/gateway-store.ts'
import type { ModelRequest } from '../server/model-request.ts'
import type { Seq, Window } from 'throughline'

interface StandingsOptions {
  store: GatewayStore
  /** Looks at the log, and writes it. */
  follow: (following: Following, how: FollowingHow) => Promise<Turn | undefined>
  windowOf: (request: ModelRequest) => Window
  /** Told of what could not be written behind an answer: the next request writes it. */
  onProblem: (problem: unknown) => void
  now: () => number
  /** How long a log may be behind the answers, in milliseconds; 5,000 by default. */
  writesBehind?: number | undefined
}

// One request or ten of a conversation cost the same, and each of them has all of its past.
const usualWritesBehind = 5_000
const mostCalls = 10_000
/** How long the end of a gateway waits for a compaction, in milliseconds. */
const longestCompaction = 2_000

/** The conversations that may go on from what is remembered of them. */
export class Standings {
  readonly #options: StandingsOptions
  readonly #standing = new BoundedMap<Standing>({
    bytesOf: ({ following: { request } }) => request.body.length,
  })
  /** Which conversation has made a call, by its id. */
  readonly #byCall = new BoundedMap<string>({ mostValues: mostCalls })
  /** Logs that are being written behind an answer. */
  readonly #writing = new Map<string, Promise<void>>()
  readonly #timers = new Map<string, NodeJS.Timeout>()
  /** Conversations that are compacted behind an answer. */
  readonly #compacting = new Set<string>()
  /** Sessions that were compacted since their last request went out. */
  readonly #compacted = new BoundedMap<true>()

  constructor(options: StandingsOptions) {
    this.#options = options
  }

  /** Sends what was sent before and what is new behind it, where that is all that is to be done. */
  async goOn(following: Following): Promise<Turn | undefined> {
    const turn = await this.#goOn(following)
    if (turn || !this.#writing.has(following.key)) return turn
    // What is written, or compacted, may be what it waits for.
    await this.#writing.get(following.key)
    return this.#goOn(following)
  }

  async #goOn(following: Following): Promise<Turn | undefined> {
    const { store, now, windowOf } = this.#options
    const { request, elements, key } = following
    const standing = this.#standing.get(key)
    if (!standing || !goesOn(standing, following)) return undefined
    const { live, session, following: before } = standing
    const window = windowOf(request)
    const tokens = mostTokens(standing, request)
    const mayBeDue = tokens >= standing.threshold
    // Replicas send the same bytes for the same request: there it waits.
    const isShared = store.heard !== undefined
    const isWriting = this.#writing.has(key)
    if (isShared && (mayBeDue || isWriting)) return undefined
    if (mayBeDue && !mayWait(standing, tokens, request)) return undefined
    if (!isSameWindow(window, standing.window)) return undefined
    const at = now()
    if (!live.mayGoOn(at)) return undefined
    // What is written now was begun from where it stands: until that is done, nothing else is known.
    if (!isWriting && !(await this.#isAsItWas(standing, key))) return undefined
    const compacts = isDue(standing, request)
    standing.sent = sentNext(standing, following)
    standing.following = following
    standing.isBehind ||= compacts || elements.length > before.elements.length
    live.used(at)
    this.#remember(key, standing)
    const body = bodyOf(standing)
    const isCompacted = this.tellsCompacted(session)
    // While its answer comes, what is due is done for the next one.
    const isRead = compacts || this.#isRead(standing, { tokens, at })
    if (!isWriting && isRead) this.#goOnBehind(key, compacts)
    let sentUnder = standing.changedAt
    let sent = body
    let recovered: Turn | undefined
    return {
      session,
      how: 'same',
      body,
      did: isCompacted ? 'compacted' : body ? 'kept' : 'nothing',
      tokens: Math.round(tokens),
      recover: async (error) => {
        await this.#writing.get(key)
        const now = this.#standing.get(key)
        if (now?.following === following && now.changedAt !== sentUnder) {
          // It was compacted meanwhile.
          sentUnder = now.changedAt
          return (sent = bodyOf(now))
        }
        recovered = await this.#options.follow(following, { refusal: error, refused: sent })
        return recovered?.body
      },
      answered: (usage, model) => {
        if (recovered) recovered.answered(usage, model)
        else {
          const under = { sentUnder, sent: (sent ?? request.body).length }
          void this.#heard(following, heardOf(elements.length, usage, model), under)
        }
      },
      // A conversation with tools of ours is always followed fully.
      reply: () => Promise.reject(new TypeError('No tool was offered.')),
      hide: async () => {},
    }
  }

  /** Whether nobody else has got on with a conversation: another replica, its user, or a request. */
  async #isAsItWas(standing: Standing, key: string): Promise<boolean> {
    const { following, session, changedAt } = standing
    const newest = await this.#options.store.newest(session)
    const place = placeOf(standing)
    if (newest !== place?.newest || place.changedAt !== changedAt) return false
    const isSame = this.#standing.get(key) === standing && standing.following === following
    return isSame && !this.#writing.has(key)
  }

  /**
   * Whether a conversation has a log, or begins one now: one that comes near its window, and goes on for
   * some time. Most end before, and nobody needs what an engine would read in them.
   */
  #isRead(
    { unreadSince, window }: Standing,
    { tokens, at }: { tokens: number; at: number },
  ): boolean {
    if (unreadSince === undefined) return true
    return tokens >= beginsAt(window) && at - unreadSince >= this.#writesBehind
  }

  /** What was counted for a request that went out before its log was written. */
  async #heard(
    following: Following,
    { usage: counted, ...heard }: Heard,
    { sentUnder, sent }: { sentUnder: Seq; sent: number },
  ): Promise<void> {
    const { request, elements, key } = following
    const before = this.#standing.get(key)
    if (before?.changedAt === sentUnder) learnSize(before, request, { usage: counted, sent })
    // What is told while the log is written, would be told of the request before.
    while (this.#writing.has(key)) await this.#writing.get(key)
    const standing = this.#standing.get(key)
    if (!standing) return
    const { live, followed, changedAt } = standing
    // What was compacted meanwhile is another size.
    const usage = changedAt === sentUnder ? counted : undefined
    learnSize(standing, request, { usage, sent })
    const answer: Heard = { ...heard, ...(usage && { usage }) }
    if (followed.count === elements.length) live.answered(followed.head, answer)
    else if (followed.count < elements.length) {
      live.answeredMeanwhile(followed.head, answer)
      // Its answer comes with the next request: by then, it may be in the log.
      standing.heard = { of: following, answer }
    }
  }

  /** Before a request of a conversation is followed fully. */
  async give(following: Following, isRead: boolean): Promise<void> {
    const { key } = following
    while (this.#writing.has(key)) await this.#writing.get(key)
    const standing = this.#standing.get(key)
    // What goes another way must find where this one stood; what goes on holds all of it.
    if (standing && !isRead && goesOn(standing, following)) this.#stopWriting(key, standing)
    else await Promise.all([key, ...this.#alike(following)].map((one) => this.write(one)))
  }

  /** What is behind of a caller, and has calls of this request: it may be the same session. */
  #alike(following: Following): string[] {
    const keys = new Set(newestCallsOf(following).map((id) => this.#byCall.get(id) ?? ''))
    return [...keys].filter((key) => {
      const other = key === following.key ? undefined : this.#standing.get(key)
      return other?.isBehind === true && haveCallsInCommon(following, other.following)
    })
  }

  /** Writes what is behind of a session that goes on under another key too; `false` if nothing is. */
  async settleBeside(id: string, key: string): Promise<boolean> {
    const others = this.#keysOf(id).filter((one) => one !== key && this.#isAtWork(one))
    await Promise.all(others.map((one) => this.write(one)))
    return others.length > 0
  }

  #isAtWork(key: string): boolean {
    return this.#writing.has(key) || this.#standing.get(key)?.isBehind === true
  }

  /** Remembers how a conversation stands, so that its next request may go on from it. */
  stand(following: Following, from: StandsOn): Standing | undefined {
    const { key } = following
    const { session } = from
    const before = this.#standing.get(key)
    this.stop(key)
    // A session stands in one place: whoever comes under another key must look where that is now.
    for (const other of this.#keysOf(session)) this.#drop(other, this.#standing.get(other))
    const standing = standingOf(following, from, this.#options.windowOf(following.request))
    if (!standing) return undefined
    if (before?.writes === following) bringAlong(standing, before)
    this.#remember(key, standing)
    return standing
  }

  /** What has stood the longest goes no further, where there are too many or they are too long. */
  #remember(key: string, standing: Standing): void {
    for (const id of newestCallsOf(standing.following)) this.#byCall.set(id, key)
    for (const one of this.#standing.set(key, standing)) this.#drop(one.following.key, one)
  }

  /** Goes no further from here, and writes what is behind. */
  #drop(key: string, dropped: Standing | undefined): void {
    this.stop(key)
    // What has no log needs none: its next request has all of it.
    if (!dropped?.isBehind || dropped.unreadSince !== undefined) return
    const { follow, onProblem } = this.#options
    void follow(dropped.following, { isLate: true, stands: false }).catch(onProblem)
  }

  /** What is remembered here is no longer how it stands. */
  stop(key: string): void {
    clearTimeout(this.#timers.get(key))
    this.#timers.delete(key)
    this.#standing.delete(key)
  }

  /** Writes the log behind the answers, for all requests that come within a moment together. */
  #writeSoon(key: string): void {
    if (this.#timers.has(key)) return
    const timer = setTimeout(() => void this.write(key), this.#writesBehind)
    // A process that ends writes it when it closes.
    timer.unref()
    this.#timers.set(key, timer)
  }

  get #writesBehind(): number {
    return this.#options.writesBehind ?? usualWritesBehind
  }

  #stopWriting(key: string, standing: Standing): void {
    clearTimeout(this.#timers.get(key))
    this.#timers.delete(key)
    standing.isBehind = false
  }

  /** A session was compacted behind an answer: the next request that goes out says so. */
  compacted(session: string): void {
    this.#compacted.set(session, true)
  }

  /** Whether a request is the first after a compaction behind an answer. */
  tellsCompacted(session: string): boolean {
    return this.#compacted.delete(session)
  }

  /** Writes what a conversation has said to its log, if that is behind, and compacts what is due. */
  async write(key: string, begins?: Promise<void>): Promise<void> {
    // What has come since that began, is written next.
    while (this.#writing.has(key)) await this.#writing.get(key)
    const standing = this.#standing.get(key)
    if (!standing?.isBehind) return
    this.#stopWriting(key, standing)
    const { following } = standing
    standing.writes = following
    const written = async (): Promise<Turn | undefined> => {
      await begins
      return this.#options.follow(following, { isLate: true })
    }
    const writing = written().then(
      (turn) => {
        // Another replica has gone on from where this one stood: it has what is missing here.
        if (!turn) this.stop(key)
      },
      (problem: unknown) => {
        this.stop(key)
        this.#options.onProblem(problem)
      },
    )
    const ended = writing.finally(() => {
      this.#writing.delete(key)
      const now = this.#standing.get(key)
      if (now?.isBehind) this.#goOnBehind(key, isDue(now, now.following.request))
    })
    this.#writing.set(key, ended)
    await ended
  }

  /** The log of a session is now all that was said in it, as far as it was said here. */
  async settle(id: string): Promise<void> {
    await Promise.all(this.#keysOf(id).map((key) => this.write(key)))
  }

  /** What is to be done behind an answer. */
  #goOnBehind(key: string, compacts: boolean): void {
    if (compacts) {
      this.#compacting.add(key)
      void this.write(key, pause()).finally(() => this.#compacting.delete(key))
    } else if (this.#standing.get(key)?.isBehind) this.#writeSoon(key)
  }

  /** Writes all that is behind. A summary that takes long is left to the session’s next request. */
  async close(): Promise<void> {
    const isOver = new AbortController()
    const isDue = (key: string): boolean => this.#compacting.has(key)
    const due = Promise.all([...this.#compacting].map((key) => this.write(key)))
    const late = waited(longestCompaction, undefined, isOver).catch(() => {})
    const others = [...this.#standing].map(([key]) => key).filter((key) => !isDue(key))
    await Promise.all([Promise.race([due, late]), ...others.map((key) => this.write(key))])
    isOver.abort()
  }

  /** Forgets a session that was changed or deleted. */
  async forget(id: string): Promise<void> {
    const keys = this.#keysOf(id)
    for (const key of keys) this.stop(key)
    await Promise.all(keys.map((key) => this.#writing.get(key)))
    for (const key of this.#keysOf(id)) this.stop(key)
  }

  #keysOf(id: string): string[] {
    return [...this.#standing].flatMap(([key, { session }]) => (session === id ? [key] : []))
  }
}
