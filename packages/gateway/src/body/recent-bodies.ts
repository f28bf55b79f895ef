import { createHash } from 'node:crypto'
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
const mostBodies = 200
/** How many bytes of bodies are remembered in one place. */
const mostBytes = 256 * 1_024 * 1_024

/** Takes from a map what has been in it the longest, until the others have few enough bytes. */
export function keepWithin<Value>(
  map: Map<string, Value>,
  bytesOf: (value: Value) => number,
  most = mostBytes,
): Value[] {
  let bytes = 0
  for (const value of map.values()) bytes += bytesOf(value)
  const dropped: Value[] = []
  for (const [key, value] of map) {
    if (bytes <= most || map.size === 1) break
    map.delete(key)
    bytes -= bytesOf(value)
    dropped.push(value)
  }
  return dropped
}

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
  readonly #recent = new Map<string, ReadBefore & { number: number }>()
  readonly #most: number

  /** `most` bytes of bodies are remembered. */
  constructor(most = mostBytes) {
    this.#most = most
  }

  /** `owner` says whose body it is: what others have sent is not even compared. */
  read(body: Buffer, held: string, owner: readonly string[]): ReadBody | undefined {
    if (body.length < shortest) return readBodySpans(body, held)
    const key = sampleOf(body, [held, ...owner])
    const before = this.#recent.get(key)
    const read = bodySpans(body, held, before)
    if (!read) return undefined
    const spans = { fields: read.fields, elements: read.elements }
    const number = ++bodies
    this.#recent.delete(key)
    this.#recent.set(key, { body, spans, number })
    if (this.#recent.size > mostBodies) {
      const [oldest = ''] = this.#recent.keys()
      this.#recent.delete(oldest)
    }
    keepWithin(this.#recent, ({ body: { length } }) => length, this.#most)
    return {
      ...spans,
      number,
      ...(before && { like: { number: before.number, elements: read.same } }),
    }
  }
}

/** The same for bodies of about one length that begin alike, as far as some samples say. */
function sampleOf(body: Buffer, owner: readonly string[]): string {
  const most = 2 ** Math.floor(Math.log2(body.length))
  const hash = createHash('sha256').update(JSON.stringify([owner, most]))
  for (let at = 0; at < most; at += most / samples) hash.update(body.subarray(at, at + sampled))
  return hash.digest('base64url')
}

const samples = 16
const sampled = 64
