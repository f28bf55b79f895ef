import type {
  CarriedFitted,
  OpenedAs,
  SentConversation,
  SessionState,
  Told,
  Work,
} from './protocol.ts'
import type { Engine } from './engine.ts'
import type { FitFor } from '../sessions/live-session.ts'
import type { SessionAtWork } from '../sessions/live-session.ts'
import { isCold, type Fitted, type Heard, type Wanted } from '../sessions/live-session.ts'
import type { ListItem, Made } from '../body/spliced.ts'
import type { Mark } from '../store/gateway-store.ts'
import type { OwnCall } from '../tools/tool-wire.ts'

/** A session that is at work in another thread, which gets of each request only what is new. */
export class ThreadedSession implements SessionAtWork {
  readonly #id: string
  readonly #as: OpenedAs
  readonly #engine: Engine
  #state: SessionState | undefined
  #usedAt: number | undefined
  /** What the thread hears with the next work: most requests give it none. */
  readonly #told = new Map<string, Told>()
  /** What the thread has, and which thread that was. */
  #known: { thread: number; values: readonly object[]; frame: string } | undefined
  /** Whether it ends with what it does at this time. */
  #isLetGo = false
  /** What was made of the newest list, by the thread’s numbers. */
  #made: ReadonlyMap<number, Made> = new Map()

  constructor(engine: Engine, id: string, as: Omit<OpenedAs, 'opening'>) {
    this.#engine = engine
    this.#id = id
    this.#as = { ...as, opening: engine.nextOpening() }
  }

  async fit(wanted: Wanted, what: FitFor): Promise<Fitted> {
    if (what.compacts) this.#usedAt = what.now
    const done = this.#work((conversation) => ({ what: 'fit', conversation, for: what }), wanted)
    return this.#fitted(wanted, (await done) as CarriedFitted)
  }

  async recover(wanted: Wanted, error: unknown): Promise<Fitted | undefined> {
    const done = this.#work((conversation) => ({ what: 'recover', conversation, error }), wanted)
    const fitted = (await done) as CarriedFitted | undefined
    return fitted && this.#fitted(wanted, fitted)
  }

  async reply(wanted: Wanted, call: OwnCall): Promise<string> {
    const done = this.#work((conversation) => ({ what: 'reply', conversation, call }), wanted)
    return (await done) as string
  }

  answered(to: Mark, heard: Heard): void {
    this.#hear({ what: 'answered', to, heard })
    // Another replica may need it at once.
    if (!this.#engine.hears) return
    const told = this.#untold()
    if (told.length > 0) void this.#engine.work(this.#id, this.#as, { told }).catch(() => {})
  }

  answeredMeanwhile(to: Mark, heard: Heard): void {
    this.#hear({ what: 'answeredMeanwhile', to, heard })
  }

  used(now: number): void {
    this.#usedAt = now
    this.#told.set('used', { what: 'used', now })
  }

  mayGoOn(now: number): boolean {
    return !this.#isLetGo && this.#state?.isAsked !== true && this.#isThere && !this.#isCold(now)
  }

  get place(): SessionState['place'] {
    return this.#state?.place
  }

  get threshold(): number {
    return this.#state?.threshold ?? 0
  }

  get tokens(): number {
    return this.#state?.tokens ?? 0
  }

  async close(): Promise<void> {
    this.#isLetGo = true
    await this.#leave()
  }

  /** Whether the thread has all that it was sent, which may be nothing. */
  get #isThere(): boolean {
    return !this.#known || this.#known.thread === this.#engine.thread
  }

  async #leave(): Promise<void> {
    if (this.#known?.thread !== this.#engine.thread) return
    this.#known = undefined
    // A thread that is gone has closed it.
    await this.#engine.work(this.#id, this.#as, { work: { what: 'close' } }).catch(() => {})
  }

  async #work(work: (conversation: SentConversation) => Work, wanted: Wanted): Promise<unknown> {
    await this.#engine.ready()
    const told = this.#untold()
    const { conversation, transferred } = this.#conversation(wanted)
    const given = { told, work: work(conversation), transferred }
    try {
      const { value, state } = await this.#engine.work(this.#id, this.#as, given)
      this.#state = state
      return value
    } finally {
      // A request that came before it was let go of may have opened it again.
      if (this.#isLetGo) void this.#leave()
    }
  }

  #hear(told: Told & { heard: Heard }): void {
    this.#told.set(`answer to ${told.heard.after}`, told)
  }

  /** What the thread has not heard; where it is gone, nobody has asked the next one. */
  #untold(): readonly Told[] {
    const told = this.#isThere ? [...this.#told.values()] : []
    this.#told.clear()
    return told
  }

  /** @throws TypeError if it names what the client has not sent, or nobody has made. */
  #fitted({ elements }: Wanted, { list, made: anew, ...fitted }: CarriedFitted): Fitted {
    const known = new Map(this.#made)
    for (const [number, bytes, marked] of anew) {
      known.set(number, { made: received(bytes), ...(marked && { marked: received(marked) }) })
    }
    const made = new Map<number, Made>()
    const items = list?.flatMap((item): ListItem[] => {
      if ('own' in item) {
        return elements.slice(item.own, item.own + item.count).map(({ span: own }) => {
          if (!own) throw new TypeError(`Not all from element ${item.own} on is the client’s own.`)
          return { own }
        })
      }
      const bytes = known.get(item.made)
      if (!bytes) throw new TypeError(`Nothing was made under ${item.made}.`)
      made.set(item.made, bytes)
      return [bytes]
    })
    this.#made = made
    return { ...fitted, list: items }
  }

  #isCold(now: number): boolean {
    return isCold(this.#usedAt, now)
  }

  #conversation({ elements, body, system, tools, ...rest }: Wanted): {
    conversation: SentConversation
    transferred: ArrayBuffer[]
  } {
    const { thread } = this.#engine
    const known = this.#known?.thread === thread ? this.#known : undefined
    const values = elements.map(({ value }) => value as object)
    let kept = 0
    while (kept < values.length && known?.values[kept] === values[kept]) kept += 1
    const added = elements.slice(kept)
    const pieces = added.map(({ value, span }) =>
      span ? body.subarray(span.start, span.end) : Buffer.from(JSON.stringify(value)),
    )
    const bytes = joined(pieces)
    const frame = JSON.stringify({ system, tools })
    this.#known = { thread, values, frame }
    return {
      conversation: {
        ...rest,
        kept,
        bytes,
        lengths: pieces.map(({ length }) => length),
        hidden: added.flatMap(({ span }, index) => (span ? [] : [kept + index])),
        frame: frame === known?.frame ? undefined : frame,
      },
      transferred: [bytes.buffer],
    }
  }
}

function received({ buffer, byteOffset, length }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, length)
}

/** Bytes of their own: what stands in a pool would be sent with all else that stands there. */
function joined(pieces: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const piece of pieces) {
    all.set(piece, at)
    at += piece.length
  }
  return all
}
