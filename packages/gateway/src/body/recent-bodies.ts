import { createHash } from 'node:crypto'
import { BoundedMap } from './bounded-map.ts'
import { bodySpans, type BodySpans, type ReadBefore } from './spans.ts'

/** A body with its spans, and how it begins. */
export interface ReadBody extends BodySpans {
  /** No other body has this number. */
  number: number
  /** The number of a body that was read before, and how many elements this one begins with like it. */
  like?: { number: number; elements: number }
}

// What is shorter is read in less time than it is looked up.
const shortest = 32 * 1_024
let bodies = 0

/** Reads a body from its first byte on. */
export function readBodySpans(body: Buffer, held: string): ReadBody | undefined {
  const spans = bodySpans(body, held)
  return spans && { fields: spans.fields, elements: spans.elements, number: ++bodies }
}

/**
 * The bodies that were read last. Most bodies begin with all of the one before: that part is compared
 * byte for byte, and only what is new is read. Which body to compare with is no more than a guess.
 */
export class RecentBodies {
  readonly #recent: BoundedMap<ReadBefore & { number: number }>

  /** `mostBytes` of bodies are remembered. */
  constructor(mostBytes?: number) {
    this.#recent = new BoundedMap({ bytesOf: ({ body }) => body.length, mostBytes })
  }

  /** `owner` says whose body it is: what others have sent is not even compared. */
  read(body: Buffer, held: string, owner: readonly string[]): ReadBody | undefined {
    if (body.length < shortest) return readBodySpans(body, held)
    const most = 2 ** Math.floor(Math.log2(body.length))
    const key = sampleOf(body, most, [held, ...owner])
    // The one before may have been half as long, and a little more.
    const before =
      this.#recent.get(key) ?? this.#recent.get(sampleOf(body, most / 2, [held, ...owner]))
    const read = bodySpans(body, held, before)
    if (!read) return undefined
    const spans = { fields: read.fields, elements: read.elements }
    const number = ++bodies
    this.#recent.set(key, { body, spans, number })
    return {
      ...spans,
      number,
      ...(before && { like: { number: before.number, elements: read.same } }),
    }
  }
}

/** The same for bodies that begin alike, as far as some samples of their first `most` bytes say. */
function sampleOf(body: Buffer, most: number, owner: readonly string[]): string {
  const hash = createHash('sha256').update(JSON.stringify([owner, most]))
  for (let at = 0; at < most; at += most / samples) hash.update(body.subarray(at, at + sampled))
  return hash.digest('base64url')
}

const samples = 16
const sampled = 64
