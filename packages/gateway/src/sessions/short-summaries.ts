import { fieldsOf } from '../body/json.ts'
import { BoundedMap } from '../body/bounded-map.ts'
import { valueAt } from '../body/spans.ts'
import type { ModelRequest } from '../server/model-request.ts'

/** A conversation with tools, and the two last counts that its client was told. */
interface Talk {
  bytes: number
  told: number
  before: number
  /** Until it is so long, its client is told at most `before`. */
  until: number
}

type Asking = Pick<ModelRequest, 'asked' | 'body' | 'spans' | 'wire'>

/** How much longer a conversation must be before its client may try again. */
const growth = 1.25

/**
 * Clients that can cut only before the human's words summarize a beginning that is too short to help,
 * and do it again at each step, because the counts that they are told stay too large. After such a
 * summary, a client is told the count with which it went on, until the human says something or the
 * conversation is a quarter longer.
 */
export class ShortSummaries {
  readonly #talks = new BoundedMap<Talk>()
  #newest: Talk | undefined

  /** The most that an answer should tell of its input; `words` stand where a summary is asked for. */
  most(request: Asking, words: string): number | undefined {
    const { asked, body, wire } = request
    const instructions = wire.systemText(asked.system) ?? ''
    if (asked.tools === undefined) {
      const talk = this.#newest
      const isShort = talk !== undefined && body.length < talk.bytes / 2
      if (isShort && instructions.includes(words)) talk.until = talk.bytes * growth
      return undefined
    }
    const talk = this.#talks.get(instructions) ?? { bytes: 0, told: 0, before: 0, until: 0 }
    if (isHumans(request) || body.length > talk.until) talk.until = 0
    talk.bytes = body.length
    this.#talks.set(instructions, talk)
    this.#newest = talk
    return talk.until > 0 && talk.before > 0 ? talk.before : undefined
  }

  /** What the provider has counted for the newest request. */
  counted({ asked }: Asking, tokens: number): void {
    const talk = this.#newest
    if (!talk || asked.tools === undefined) return
    // Where it was told less, that is what it went on with.
    if (talk.until === 0) talk.before = talk.told
    talk.told = talk.until === 0 ? tokens : talk.before
  }
}

/** Whether the human has spoken last. */
function isHumans({ body, spans, wire }: Asking): boolean {
  const newest = spans.elements.at(-1)
  const said = newest && fieldsOf(valueAt(body, newest))
  return said !== undefined && wire.said(said).results.length === 0
}
