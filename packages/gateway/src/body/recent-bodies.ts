import { createHash } from 'node:crypto'
import { BoundedMap } from './bounded-map.ts'
import { beginAlike, bodySpans, commonBytes, type BodySpans, type ReadBefore } from './spans.ts'

export interface ReadBody extends BodySpans {
  /** No other body has this number. */
  number: number
  /** A body that was read before, and with how many elements and bytes this one begins like it. */
  like?: { number: number; elements: number; bytes: number }
}

// What is shorter is read in less time than it is looked up.
const shortest = 32 * 1_024
let bodies = 0

/** Reads a body from its first byte on. */
export function readBodySpans(body: Buffer, held: string): ReadBody | undefined {
  const spans = bodySpans(body, held)
  return spans && { fields: spans.fields, elements: spans.elements, number: ++bodies }
}

interface Remembered extends ReadBefore {
  number: number
  /** What others have in common with it that may begin like it. */
  sample: string
}

/** One that was read before, and with how many bytes another one begins like it. */
interface Compared {
  before: Remembered
  common: number
}

// Agents of one kind begin with the same instructions and tools, and may be as many as this at a time.
const mostAlike = 40

/**
 * The bodies that were read last. Most bodies begin with all of the one before: that part is compared
 * byte for byte, and only what is new is read. Which bodies to compare with is no more than a guess.
 */
export class RecentBodies {
  readonly #recent: BoundedMap<Remembered>
  readonly #alike = new Map<string, Set<Remembered>>()

  /** `mostBytes` of bodies are remembered. */
  constructor(mostBytes?: number) {
    this.#recent = new BoundedMap({ bytesOf: ({ body }) => body.length, mostBytes })
  }

  /** `owner` says whose body it is: what others have sent is not even compared. */
  read(body: Buffer, held: string, owner: readonly string[]): ReadBody | undefined {
    if (body.length < shortest) return readBodySpans(body, held)
    const most = 2 ** Math.floor(Math.log2(body.length))
    const sample = sampleOf(body, most, [held, ...owner])
    let compared = this.#closest(body, sample)
    if (!compared || !isGoneOnFrom(compared)) {
      // The one before may have been half as long, and a little more.
      const shorter = this.#closest(body, sampleOf(body, most / 2, [held, ...owner]))
      if (shorter && shorter.common > (compared?.common ?? 0)) compared = shorter
    }
    const read = bodySpans(body, held, compared && { ...compared.before, common: compared.common })
    if (!read) return undefined
    const spans = { fields: read.fields, elements: read.elements }
    const number = ++bodies
    if (compared && isGoneOnFrom(compared)) this.#forget(compared.before)
    this.#remember({ body, spans, number, sample })
    return {
      ...spans,
      number,
      ...(compared && {
        like: { number: compared.before.number, elements: read.same, bytes: compared.common },
      }),
    }
  }

  /** The one that begins like a body for the longest. */
  #closest(body: Buffer, sample: string): Compared | undefined {
    let closest: Compared | undefined
    for (const before of this.#alike.get(sample) ?? []) {
      // Most are told apart by their first bytes.
      if (!beginAlike(body, before.body)) continue
      const common = commonBytes(body, before.body)
      if (common > (closest?.common ?? 0)) closest = { before, common }
      if (common > (before.spans.elements.at(-1)?.start ?? common)) break
    }
    return closest
  }

  #remember(one: Remembered): void {
    const alike = this.#alike.get(one.sample) ?? new Set()
    this.#alike.set(one.sample, alike.add(one))
    const dropped = this.#recent.set(String(one.number), one)
    const [oldest] = alike
    if (oldest && alike.size > mostAlike) dropped.push(oldest)
    for (const each of dropped) this.#forget(each)
  }

  #forget(one: Remembered): void {
    this.#recent.delete(String(one.number))
    const alike = this.#alike.get(one.sample)
    alike?.delete(one)
    if (alike?.size === 0) this.#alike.delete(one.sample)
  }
}

/** Whether nearly all of one stands in another: its client will hardly send it once more. */
function isGoneOnFrom({ before: { spans }, common }: Compared): boolean {
  const { length } = spans.elements
  const most = Math.max(Math.floor(length * nearlyAll), length - 1 - mostRestated)
  const newest = spans.elements[most]
  return newest !== undefined && newest.start < common
}

const nearlyAll = 3 / 4
// A client moves its marks of the cache along with its newest messages.
const mostRestated = 8

/** The same for bodies that begin alike, as far as some samples of their first `most` bytes say. */
function sampleOf(body: Buffer, most: number, owner: readonly string[]): string {
  const hash = createHash('sha256').update(JSON.stringify([owner, most]))
  for (let at = 0; at < most; at += most / samples) hash.update(body.subarray(at, at + sampled))
  return hash.digest('base64url')
}

const samples = 16
const sampled = 64
