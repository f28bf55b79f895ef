import type { Element } from '../body/elements.ts'
import type { Exchange } from '../tools/tool-wire.ts'
import type { Fields } from '../body/json.ts'
import type { Mark } from '../store/gateway-store.ts'
import type { Span } from '../body/spans.ts'
import type { Wire } from '../wires/wire.ts'

/** An element of a conversation as it is sent: the client's own, or one that it has never seen. */
export interface SentElement {
  value: Fields
  span?: Span
}

interface Hidden {
  /** The mark of the request that it was an answer to. */
  after: Mark
  exchange: Exchange
}

const mostSessions = 1_000
const mostOfSession = 200

/**
 * Calls of our tools with what they gave: clients know nothing of them, and the model must find them
 * where they were. They are kept in this process; where it is gone, the model asks again.
 */
export class HiddenExchanges {
  readonly #all = new Map<string, Hidden[]>()

  add(session: string, after: Mark, exchange: Exchange): void {
    const before = this.#all.get(session) ?? []
    // The same request once more has another answer.
    const others = before.filter((hidden) => hidden.after !== after)
    this.#all.delete(session)
    this.#all.set(session, [...others, { after, exchange }].slice(-mostOfSession))
    if (this.#all.size <= mostSessions) return
    const [oldest] = this.#all.keys()
    if (oldest !== undefined) this.#all.delete(oldest)
  }

  /** What goes another way has the same past. */
  fork(from: string, as: string): void {
    const known = this.#all.get(from)
    if (known && !this.#all.has(as)) this.#all.set(as, known)
  }

  forget(session: string): void {
    this.#all.delete(session)
  }

  /** A conversation with what its client has not seen; `heads` are its marks, the newest first. */
  restored(
    session: string,
    wire: Wire,
    { elements, heads }: { elements: readonly Element[]; heads: readonly Mark[] },
  ): readonly SentElement[] {
    const hidden = this.#all.get(session)
    if (!hidden) return elements
    const found = hidden
      // What says nothing, such as reasoning, has the mark of what stands before it.
      .map(({ after, exchange }) => ({ at: heads.lastIndexOf(after), exchange }))
      .filter(({ at }) => at >= 0)
      .map(({ at, exchange }) => ({ behind: heads.length - at, exchange }))
      .sort((a, b) => b.behind - a.behind)
    const spans = new Map(elements.map(({ value, span }) => [value, span]))
    let values = elements.map(({ value }) => value)
    for (const { behind, exchange } of found) {
      const following = values.slice(behind)
      // The answer itself has not come back yet.
      if (following.length === 0) continue
      values = [
        ...values.slice(0, behind),
        ...exchange.rounds.flatMap((round) => wire.tools.said(round)),
        ...wire.tools.restored(following, exchange),
      ]
    }
    return values.map((value) => {
      const span = spans.get(value)
      return { value, ...(span && { span }) }
    })
  }
}
