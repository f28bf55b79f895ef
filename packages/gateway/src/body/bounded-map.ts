interface Bounds<Value> {
  /** How many bytes a value has when it is set; none by default. */
  bytesOf?: (value: Value) => number
  /** How many bytes all values may have together. */
  mostBytes?: number | undefined
  mostValues?: number
}

const usualBytes = 256 * 1_024 * 1_024
const usualValues = 200

/** A map that lets go of what was set the longest ago where it holds too much; never of the newest. */
export class BoundedMap<Value> {
  readonly #held = new Map<string, { value: Value; bytes: number }>()
  readonly #bytesOf: (value: Value) => number
  readonly #mostBytes: number
  readonly #mostValues: number
  // Added up for each request: to count all of them again would cost more than all else here.
  #bytes = 0

  constructor({
    bytesOf = () => 0,
    mostBytes = usualBytes,
    mostValues = usualValues,
  }: Bounds<Value> = {}) {
    this.#bytesOf = bytesOf
    this.#mostBytes = mostBytes
    this.#mostValues = mostValues
  }

  has(key: string): boolean {
    return this.#held.has(key)
  }

  get(key: string): Value | undefined {
    return this.#held.get(key)?.value
  }

  /** Returns what it has let go of. */
  set(key: string, value: Value): Value[] {
    this.delete(key)
    const bytes = this.#bytesOf(value)
    this.#held.set(key, { value, bytes })
    this.#bytes += bytes
    const dropped: Value[] = []
    for (const [oldest, { value: old }] of this.#held) {
      const isWithin = this.#held.size <= this.#mostValues && this.#bytes <= this.#mostBytes
      if (isWithin || this.#held.size === 1) break
      this.delete(oldest)
      dropped.push(old)
    }
    return dropped
  }

  delete(key: string): boolean {
    const held = this.#held.get(key)
    if (!held) return false
    this.#bytes -= held.bytes
    return this.#held.delete(key)
  }

  clear(): void {
    this.#held.clear()
    this.#bytes = 0
  }

  *[Symbol.iterator](): Generator<[key: string, value: Value]> {
    for (const [key, { value }] of this.#held) yield [key, value]
  }
}
