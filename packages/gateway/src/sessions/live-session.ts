import { defaultPolicy, type Policy, type SessionEvent } from 'throughline'
import { usableTokens } from 'throughline/engine'
import {
  appendingToWhatIsKnown,
  oneAtATime,
  unlessOvertaken,
  type OneAtATime,
} from './one-writer.ts'
import { instructionsSaid } from '../identity/said.ts'
import { askedBy, ownReply } from '../tools/own-tools.ts'
import type { CompactionAsked } from 'throughline/hosts'
import type { FitOptions } from 'throughline/conversation'
import type { OwnCall } from '../tools/tool-wire.ts'
import type { SentElement } from './hidden-exchanges.ts'
import { madeOf, type ListItem } from '../body/spliced.ts'
import type { GatewayStore, HeardAnswer, Mark } from '../store/gateway-store.ts'
import type { OwnWay } from './summarizer.ts'
import type { Summarizer, Window } from 'throughline'
import type { Talk, Wire } from '../wires/wire.ts'

/** What a request is fitted for. */
export type FitFor = Parameters<LiveSession['fit']>[1]

/** A session that is at work, in this thread or another one. */
export interface SessionAtWork {
  fit: (wanted: Wanted, what: FitFor) => Promise<Fitted>
  recover: (wanted: Wanted, error: unknown) => Promise<Fitted | undefined>
  reply: (wanted: Wanted, call: OwnCall) => Promise<string>
  answered: (to: Mark, heard: Heard) => void
  answeredMeanwhile: (to: Mark, heard: Heard) => void
  used: (now: number) => void
  mayGoOn: (now: number) => boolean
  readonly place: Place | undefined
  readonly threshold: number
  readonly tokens: number
  close: () => Promise<void>
}

/** What a request needs of its session. */
export interface Wanted {
  /** The request’s own bytes, in which its elements stand. */
  body: Buffer
  elements: readonly SentElement[]
  system: unknown
  tools: unknown
  model: string
  window: Window
  when: 'before' | 'rescue'
  way: OwnWay
}

/** What is sent in place of what came. */
export interface Fitted {
  /** `undefined` where all is as it came. */
  list: ListItem[] | undefined
  /** What was done for this request. */
  did: 'nothing' | 'compacted' | 'kept'
  before: number
  after: number
}

interface LiveOptions {
  id: string
  wire: Wire
  store: Pick<GatewayStore, 'logs' | 'heard' | 'heardOf'>
  summarizer: ((way: () => OwnWay) => Summarizer) | undefined
  /** Milliseconds. */
  summaryTimeout: number | undefined
  onEvent: (event: SessionEvent) => void
}

// What waits for a summary waits with an agent behind it; then code makes one.
const usualSummaryTimeout = 90_000
// Anthropic and OpenAI keep a prompt for five minutes.
const cacheLife = 5 * 60_000
/** A compaction that is due soon is done where nothing is in the cache any more. */
const soon = 0.85
// In tokens: a model has written a summary before an agent has said so much more.
const roomToPrepare = 30_000

/** From how many tokens on a summary is prepared; `usable` is where it must be ready. */
function prepareAt(usable: number): number {
  return Math.max(defaultPolicy.prepareAt(usable), usable - roomToPrepare)
}

/** From how many tokens on a compaction is due. */
export function dueAt(window: Window): number {
  return defaultPolicy.threshold(usableTokens(window, defaultPolicy.reserved(window)))
}

/** From how many tokens on there may be something to do for a session: before, nobody need follow it. */
export function beginsAt(window: Window): number {
  const usable = dueAt(window)
  return Math.min(prepareAt(usable), usable * soon)
}

/** How a log stood: its newest entry, and the newest one that has changed the view. */
export interface Place {
  newest: number
  changedAt: number
}

/** An answer that was heard here, and how many elements the request had. */
export interface Heard extends Omit<HeardAnswer, 'to' | 'under'> {
  after: number
}

/** The same, and the view that the request was sent under. */
type HeardUnder = Heard & Pick<HeardAnswer, 'under'>

/** A session that is at work in this process: a conversation of the engine, one request at a time. */
export class LiveSession implements SessionAtWork {
  readonly id: string
  readonly #options: LiveOptions
  readonly #inTurn: OneAtATime = oneAtATime()
  #open: { talk: Talk; key: string } | undefined
  #way: OwnWay | undefined
  #compactions = 0
  /** Whether its client has left the compacting to us, by being refused once. */
  #ours = false
  /** What the model has asked for with the tool `compact`. */
  #asked: Pick<CompactionAsked, 'focus'> | undefined
  #usedAt: number | undefined
  /** What was heard since the log was written, and the mark of the request that is in it. */
  #heard: { to: Mark; answers: readonly HeardUnder[] } | undefined
  /** What was made once is the same bytes for as long as it is the same. */
  readonly #made = new WeakMap<object, ListItem>()

  constructor(options: LiveOptions) {
    this.id = options.id
    this.#options = options
  }

  /** What to send for a request; `from` are marks, one of which may be of the request that it goes on from. */
  fit(
    wanted: Wanted,
    {
      from,
      compacts,
      wanted: call,
      now,
    }: { from: readonly Mark[]; compacts: boolean; wanted: OwnCall | undefined; now: number },
  ): Promise<Fitted> {
    return this.#alone(async () => {
      const talk = await this.#talk(wanted)
      const before = this.#compactions
      const answered = await this.#answersSince(from, talk)
      const natives = wanted.elements.map(({ value }) => value)
      const options = {
        ...(answered && { answered }),
        ...(!compacts && { compacts: false as const }),
      }
      let sent = await talk.fit(natives, options)
      if (compacts) {
        if (answered) this.#heard = undefined
        const asked = this.#asked ?? (call && askedBy(talk.session, call))
        this.#asked = undefined
        if (asked && before === this.#compactions) {
          await talk.session.compact(asked)
          sent = talk.messages()
        } else if (this.#isCold(now) && before === this.#compactions && this.#isDueSoon(talk)) {
          await talk.session.compact()
          sent = talk.messages()
        }
        this.#usedAt = now
      }
      return this.#fitted(talk, wanted, sent, before)
    })
  }

  /** After the provider has refused what {@link LiveSession.fit} gave: what to send instead. */
  recover(wanted: Wanted, error: unknown): Promise<Fitted | undefined> {
    return this.#alone(async () => {
      const talk = await this.#talk(wanted)
      const before = this.#compactions
      this.#ours = true
      await talk.fit(
        wanted.elements.map(({ value }) => value),
        { compacts: false },
      )
      const sent = await talk.recover(error)
      return sent && this.#fitted(talk, wanted, sent, before)
    })
  }

  /** Answers a call of one of our tools, in an answer to the request. */
  reply(wanted: Wanted, call: OwnCall): Promise<string> {
    return this.#alone(async () => {
      const { session } = await this.#talk(wanted)
      const { logs: store } = this.#options.store
      return ownReply({ store, session, onAsked: (asked) => (this.#asked = asked) }, call)
    })
  }

  /** What the provider counted for the answer to the request with this mark, which is in the log. */
  answered(to: Mark, { after, ...answer }: Heard): void {
    this.answeredMeanwhile(to, { after, ...answer })
    const { store, id } = this.#options
    // Where it cannot be kept, the next request is estimated.
    void store.heard?.(id, { to, ...answer, ...this.#under }).catch(() => {})
  }

  /** The same for a request that went out before it was in the log; `to` is the newest that is. */
  answeredMeanwhile(to: Mark, answer: Heard): void {
    const before = this.#heard?.to === to ? this.#heard.answers : []
    const others = before.filter(({ after }) => after !== answer.after)
    const answers = [...others, { ...answer, ...this.#under }].sort((a, b) => a.after - b.after)
    this.#heard = { to, answers }
  }

  /** Before there is a log, nothing has changed the view. */
  get #under(): Pick<HeardAnswer, 'under'> {
    return { under: this.place?.changedAt ?? 0 }
  }

  /** A request went out without a look at the log. */
  used(now: number): void {
    this.#usedAt = now
  }

  /** How the log stands, as far as it is known here; `undefined` where it isn't at work. */
  get place(): Place | undefined {
    const context = this.#open?.talk.session.context()
    return context && { newest: context.seq, changedAt: context.changedAt }
  }

  /** From how many tokens on the engine compacts. */
  get threshold(): number {
    return this.#open?.talk.session.budget().threshold ?? 0
  }

  /** Whether nothing is to be done but to send the request. */
  mayGoOn(now: number): boolean {
    return !this.isAsked && !this.#isCold(now)
  }

  /**
   * What is known of the answers to the request that this one goes on from and to those that came
   * meanwhile: heard here, or by the replica that had it. What was counted under another view, as
   * before a checkpoint was taken back, is the size of another request.
   */
  async #answersSince(from: readonly Mark[], { session }: Talk): Promise<FitOptions['answered']> {
    const here = this.#heard
    const heard = here && from.includes(here.to) ? here.answers : await this.#storedHeard(from)
    if (heard === undefined) return undefined
    // Somebody else may have changed the view since.
    await session.sync()
    const { changedAt } = session.context()
    return [heard].flat().map(({ usage, under, ...answer }) => ({
      ...answer,
      ...(usage && under === changedAt && { usage }),
    }))
  }

  async #storedHeard(from: readonly Mark[]): Promise<HeardAnswer | undefined> {
    const { store, id } = this.#options
    for (const mark of from) {
      const heard = await store.heardOf?.(id, mark)
      if (heard) return heard
    }
    return undefined
  }

  #madeOf(native: object): ListItem {
    const before = this.#made.get(native)
    if (before) return before
    const made = madeOf(native)
    this.#made.set(native, made)
    return made
  }

  async close(): Promise<void> {
    await this.#open?.talk.session.close()
    this.#open = undefined
  }

  /** The request as it would be sent now, in tokens. */
  get tokens(): number {
    return this.#open?.talk.session.measure().tokens ?? 0
  }

  /** One work at a time here, and from what is stored where another process was faster. */
  #alone<Result>(work: () => Promise<Result>): Promise<Result> {
    return this.#inTurn(() => unlessOvertaken(work, () => this.close()))
  }

  async #talk(wanted: Wanted): Promise<Talk> {
    this.#way = wanted.way
    const { system, tools, model, window, when } = wanted
    // Claude Code's line of billing is another one in each request.
    const says = instructionsSaid(system)
    const key = (): string => JSON.stringify([says, tools, model, window, when, this.#ours])
    if (this.#open?.key === key()) return this.#open.talk
    await this.close()
    const { id, wire, store, summarizer, onEvent } = this.#options
    const systemText = wire.systemText(system)
    const talk = await wire.open({
      store: appendingToWhatIsKnown(store.logs),
      id,
      model,
      window,
      policy: this.#policy(when),
      ...(systemText !== undefined && { system: systemText }),
      ...(tools !== undefined && { tools: tools as never }),
      ...(summarizer && { summarizer: summarizer(() => this.#way as OwnWay) }),
      onEvent: (event) => {
        if (event.type === 'compaction-finished') this.#compactions += 1
        onEvent(event)
      },
    })
    this.#ours ||= talk.session.context().checkpoint !== undefined
    this.#open = { talk, key: key() }
    return talk
  }

  /** A client that compacts by itself is left alone until its provider refuses. */
  #policy(when: Wanted['when']): Policy {
    const usual = {
      ...defaultPolicy,
      prepareAt,
      // Known here for all replicas alike: which model has answered only one of them has heard.
      cold: () => undefined,
      summaryTimeout: this.#options.summaryTimeout ?? usualSummaryTimeout,
    }
    if (when === 'before' || this.#ours) return usual
    return { ...usual, threshold: () => Infinity, prepareAt: () => Infinity }
  }

  get isAsked(): boolean {
    return this.#asked !== undefined
  }

  #isCold(now: number): boolean {
    return isCold(this.#usedAt, now)
  }

  #isDueSoon({ session }: Talk): boolean {
    const { threshold } = session.budget()
    return Number.isFinite(threshold) && session.measure().tokens >= threshold * soon
  }

  #fitted(talk: Talk, { elements }: Wanted, sent: readonly object[], before: number): Fitted {
    const own = new Map(elements.map(({ value, span }) => [value as object, span]))
    const isSame =
      sent.length === elements.length && sent.every((one, at) => one === elements[at]?.value)
    const isWhole = isSame && elements.every(({ span }) => span)
    const list = sent.map((native): ListItem => {
      const span = own.get(native)
      return span ? { own: span } : this.#madeOf(native)
    })
    return {
      list: isWhole ? undefined : list,
      did: this.#compactions > before ? 'compacted' : isSame ? 'nothing' : 'kept',
      before: elements.length,
      after: talk.session.measure().tokens,
    }
  }
}

/** Whether nothing of a session is in its provider’s cache any more. */
export function isCold(usedAt: number | undefined, now: number): boolean {
  return usedAt !== undefined && now - usedAt > cacheLife
}
