import type { AskClient } from './summary-calls.ts'
import { learnLimit } from '../session/loop/recover-once.ts'
import { overflowOf } from '../compaction/overflow/overflow.ts'
import { CacheWatch } from '../session/compacting/cache-state.ts'
import { coldCache, type Cold } from '../compaction/cold-cache.ts'
import { abortable } from '../compaction/abortable.ts'
import { defaultPolicy, type Policy } from '../compaction/policy.ts'
import { openHosted } from '../hosts/hosted-session.ts'
import { reservedTokens, type Window } from '../tokens/window.ts'
import { didShrink, isWorthwhile } from './shrunk.ts'
import { SummaryCalls, tooLate } from './summary-calls.ts'
import type { HostedSession, HostedSessionOptions } from '../hosts/hosted-session.ts'
import type { CompactionAsked } from '../session/agent/compact-tool.ts'
import type { EntryDraft } from '../log/entry.ts'
import type { Report } from '../compaction/report.ts'
import type { Session } from '../session/session.ts'
import type { Store } from '../session/store.ts'
import type { ClientRecord, SummaryAuthor } from './record.ts'
import type { ToldCall } from './summary-calls.ts'

/** What a client says of its next request. It may be another one each time. */
export interface ClientFrame {
  /** The model's name, as prices and windows are known by. */
  model: string
  window: Window
  system?: string
  tools?: unknown
}

export interface ClientSessionOptions {
  store: Store
  id: string
  frame: ClientFrame
  directories: readonly string[]
  /** Missing where summaries are to be made by code alone. */
  ask?: AskClient
  /** Takes what became of each request to that model, for the record. */
  told?: (call: ToldCall) => void
  /** No summary is made ahead: it would be paid for twice, or by a process that ends before. */
  notAhead?: boolean
  /** How long a compaction may wait for the model, in milliseconds. */
  patience: number
  /** What the client itself leaves free of a window, where that is known: we leave no more. */
  reserved?: (window: Window) => number
  /** Whether the client may compact by itself at all. */
  auto?: boolean
  isOurs?: HostedSessionOptions['isOurs']
  /** The client decides when to compact, and goes on by itself: nothing has to tell the agent to. */
  goesOn?: boolean
}

/** What a compaction did, for the record. */
export interface Done {
  report: Report
  /** Missing where there is no summary: outputs were made shorter, and that was enough. */
  by?: SummaryAuthor
  /** Why the cache was cold, where the client was asked to compact before that was due. */
  early?: Cold
  /** Why it was not the model that was asked. */
  reason?: string
  ms: number
}

/** What the record says of it. */
export function compactionRecord(session: string, { report, early, ...made }: Done): Compaction {
  const { before, after, cold = early } = report
  return { event: 'compaction', session, before, after, ...made, ...(cold && { early: cold }) }
}

type Compaction = Omit<ClientRecord, 'at' | 'client' | 'version'>

const shrank = 'did-shrink'
const grew = 'did-not-shrink'

/** A session inside a client: when it is compacted, who writes its summaries, and if that helps. */
export class ClientSession {
  readonly hosted: HostedSession
  readonly #options: ClientSessionOptions
  readonly #frame: ClientFrame
  readonly #patience: Patience
  readonly #calls: SummaryCalls
  /** What the agent has asked for, until the next border of a step. */
  asked: CompactionAsked | undefined
  readonly #cache = new CacheWatch()
  #planned: { before: number; after: number } | undefined
  #since = 0

  private constructor(
    hosted: HostedSession,
    options: ClientSessionOptions,
    { patience, calls }: { patience: Patience; calls: SummaryCalls },
  ) {
    this.hosted = hosted
    this.#options = options
    this.#frame = options.frame
    this.#patience = patience
    this.#calls = calls
  }

  static open(options: ClientSessionOptions): ClientSession {
    const { store, id, frame, directories, ask, notAhead, isOurs, told = () => {} } = options
    const patience = new Patience()
    const calls = new SummaryCalls(told)
    const hosted = openHosted({
      store,
      id,
      directories,
      policy: policyFor(options),
      // A client says anew what it sends with each request, and to which model.
      get model() {
        return frame.model
      },
      get window() {
        return frame.window
      },
      get system() {
        return frame.system ?? ''
      },
      get tools() {
        return frame.tools
      },
      ...(ask && {
        summarizer: {
          ...calls.summarizer(frame.model, ask, (each) => patience.limit(each)),
          ...(notAhead && { isAskedAnyway: true }),
        },
        onEvent: (event) => calls.heard(event),
      }),
      ...(isOurs && { isOurs }),
    })
    return new ClientSession(hosted, options, { patience, calls })
  }

  get session(): Session {
    return this.hosted.session
  }

  get directories(): readonly string[] {
    return this.#options.directories
  }

  /** The next request is to this model, with this system prompt and these tools. */
  frame(changes: Partial<ClientFrame>): void {
    Object.assign(this.#frame, changes)
  }

  /** Takes what the client has now. */
  async follow(drafts: readonly EntryDraft[]): Promise<void> {
    await this.hosted.follow(drafts)
    await this.#judge()
  }

  /**
   * Whether compactions shrink what the client sends. Some clients ignore what a plugin gives them:
   * another compaction would only be another in an endless row.
   */
  async shrinks(): Promise<boolean> {
    const log = await this.session.log()
    const names = log.flatMap((entry) =>
      entry.kind === 'observation' && entry.observation.type === 'note'
        ? [entry.observation.name]
        : [],
    )
    const judged = names.filter((name) => name === shrank || name === grew)
    return isWorthwhile(judged.map((name) => name === shrank))
  }

  /** Before a request: compacts if it would not fit, if the agent asked, or if the cache is cold. */
  async gate(): Promise<Done | undefined> {
    const { asked } = this
    this.asked = undefined
    if (asked) return this.compact('manual', asked)
    return this.compact('auto', {})
  }

  /** Prepares the next summary, if it is time; the client itself decides when to compact. */
  async prepare(): Promise<Done | undefined> {
    const { session } = this
    const isNear = session.measure().tokens >= session.budget().threshold
    return isNear ? undefined : this.compact('auto', {})
  }

  /**
   * Whether the next request would not fit, by a limit that the provider has named and that the
   * client, which decides when to compact, does not know.
   */
  exceedsLearned(): boolean {
    const { session } = this
    const isLearned = session.window.context < this.#frame.window.context
    return isLearned && session.measure().tokens >= session.budget().threshold
  }

  /**
   * Why the provider's cache is cold where a compaction is due soon, for a client that decides when to
   * compact: now it costs least. `undefined` elsewhere.
   */
  async coldNow(now: () => number): Promise<Cold | undefined> {
    const { session } = this
    const { tokens } = session.measure()
    const { usable } = session.budget()
    if (tokens < session.policy.prepareAt(usable)) return undefined
    const stored = { recent: await session.log() }
    return coldCache(this.#cache.state({ options: this.#frame, stored, now }))
  }

  /** The client sends its next request. */
  requested(): void {
    this.#cache.passed({ options: this.#frame })
  }

  /** Compacts now; without the model where that doesn't answer in time. */
  async compact(
    trigger: 'auto' | 'overflow' | 'manual',
    { focus, keep }: CompactionAsked,
  ): Promise<Done | undefined> {
    const { session } = this
    const started = performance.now()
    if (keep) await session.pin(keep)
    const before = session.measure().tokens
    const report = await this.#patience.during(this.#options.patience, () => {
      if (trigger === 'auto') return session.fit()
      return trigger === 'overflow'
        ? session.recover()
        : session.compact({ ...(focus && { focus }) })
    })
    if (report.action === 'none') return undefined
    this.#planned = { before, after: report.after }
    this.#since = session.context().seq
    const done = authorOf(report, this.#calls.takeProblems())
    return { report, ...done, ms: Math.round(performance.now() - started) }
  }

  /** The provider has refused the next request, with this error. */
  async refused(error: unknown): Promise<void> {
    const overflow = overflowOf(error)
    if (!overflow) return
    await learnLimit(this.session, { ...overflow, tokens: this.session.measure().tokens })
  }

  async #judge(): Promise<void> {
    const planned = this.#planned
    const { measured } = this.session.context()
    if (!planned || !measured?.usage || measured.seq <= this.#since) return
    this.#planned = undefined
    const after = measured.usage.inputTokens
    const name = didShrink({ before: planned.before, after }, planned) ? shrank : grew
    const observation = { type: 'note', name, data: { ...planned, counted: after } } as const
    await this.session.append({ kind: 'observation', at: measured.at, observation })
  }
}

/** Who wrote the summary; where that is code, what was wrong with the model's, also ahead of it. */
export function authorOf(
  { action, summarizer = 'local', attempts }: Report,
  ahead: readonly string[],
): Pick<Done, 'by' | 'reason'> {
  if (action === 'prune' && attempts.length === 0) return {}
  if (summarizer !== 'local') return { by: 'client-model' }
  const problems = attempts[0]?.problems ?? ahead.slice(0, 1)
  if (problems.length === 0) return { by: 'local' }
  return { by: 'local', reason: `the client’s model: ${problems.join('; ')}` }
}

/** A limit on how long is waited for a model; what it says later comes too late. */
class Patience {
  readonly #asking = new Set<AbortController>()
  #isOver = false

  /** While something waits, all questions are given up when its time is over. */
  async during<Result>(milliseconds: number, work: () => Promise<Result>): Promise<Result> {
    const timer = setTimeout(() => {
      this.#isOver = true
      for (const asking of this.#asking) asking.abort(tooLate)
    }, milliseconds)
    try {
      return await work()
    } finally {
      clearTimeout(timer)
      this.#isOver = false
    }
  }

  limit(ask: AskClient): AskClient {
    return async (question) => {
      if (this.#isOver) throw new Error('there is no time left to ask')
      const asking = new AbortController()
      const stop = (): void => asking.abort(question.signal?.reason)
      question.signal?.addEventListener('abort', stop, { once: true })
      this.#asking.add(asking)
      try {
        return await abortable(ask({ ...question, signal: asking.signal }), asking.signal)
      } finally {
        this.#asking.delete(asking)
        question.signal?.removeEventListener('abort', stop)
      }
    }
  }
}

// Of what a client itself would fill: ours comes before its own compaction, and no step earlier.
const shareOfClients = 0.98

function policyFor({ reserved, auto = true, goesOn }: ClientSessionOptions): Policy {
  return {
    ...defaultPolicy,
    auto,
    ...(reserved && { threshold: (usable) => Math.floor(usable * shareOfClients) }),
    // The answer has its own room: some providers count it before it is written.
    reserved: reserved ?? ((window) => Math.max(reservedTokens(window), answerRoom(window))),
    // It decides, too: what was compacted behind its back would never be sent.
    ...(goesOn && { continuation: () => null, cold: () => undefined }),
    recallTool: 'recall',
    attempts: 2,
  }
}

// What clients ask for at most, whatever a model could write.
const mostAnswered = 32_000

function answerRoom({ context, output = mostAnswered }: Window): number {
  return Math.min(output, mostAnswered, Math.floor(context / 2))
}
