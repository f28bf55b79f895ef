import { worthOfAge } from '../forget/worth.ts'
import type { Seq } from '../../log/entry.ts'

/** The focus that the caller asked for outweighs any age within a session. */
const focusFactor = 10

/** Weighs facts by age and by the caller's focus. */
export interface Worth {
  /** The newest entry. */
  now: Seq
  /** Falls from 1 to ⅛ over the session. */
  ofAge: (seq: Seq) => number
  /** Falls from 1 to ½ over the session: what was said early still holds, mostly. */
  ofTime: (seq: Seq) => number
  ofFocus: (text: string) => number
  /** Whether the focus makes any difference. */
  hasFocus: boolean
}

export function worthIn({ seq, focus }: { seq: Seq; focus: string | undefined }): Worth {
  const wanted = focusWords(focus)
  const ofFocus = (text: string): number => {
    if (wanted.length === 0) return 1
    const lower = text.toLowerCase()
    return wanted.some((word) => lower.includes(word)) ? focusFactor : 1
  }
  return {
    now: seq,
    ofAge: (age) => worthOfAge(age, seq),
    ofTime: (time) => (1 + Math.min(time / Math.max(seq, 1), 1)) / 2,
    ofFocus,
    hasFocus: wanted.length > 0,
  }
}

/**
 * Words of four or more letters, because shorter ones occur inside too many others. In other
 * scripts, all words.
 */
function focusWords(focus: string | undefined): string[] {
  const words = (focus ?? '').toLowerCase().match(/[\p{L}\p{N}_./@-]+/gu) ?? []
  return words.filter((word) => word.length >= 4 || /[^\p{ASCII}]/u.test(word))
}

/**
 * Things in the order of their values, the greatest first, and of equal ones the first. Made for
 * those who stop early: only as many are put in order as somebody asks for, and each of them once.
 * @example
 * const ranking = new Ranking(['a', 'b', 'c'], [3, 9, 5])
 * ranking.at(0) // 'b'
 */
export class Ranking<Thing> {
  readonly #things: readonly Thing[]
  readonly #values: readonly number[]
  /** A heap of positions; those in order are taken from it. */
  readonly #heap: Int32Array
  #left: number
  readonly #ordered: Thing[] = []

  constructor(things: readonly Thing[], values: readonly number[]) {
    this.#things = things
    this.#values = values
    this.#heap = new Int32Array(things.length)
    for (let position = 0; position < things.length; position++) this.#heap[position] = position
    this.#left = things.length
    for (let at = (this.#left >> 1) - 1; at >= 0; at--) this.#sink(at)
  }

  /** The item at this place, from 0 on; `undefined` after the last. */
  at(place: number): Thing | undefined {
    while (this.#ordered.length <= place && this.#left > 0) this.#take()
    return this.#ordered[place]
  }

  #take(): void {
    const heap = this.#heap
    this.#ordered.push(this.#things[heap[0] as number] as Thing)
    heap[0] = heap[--this.#left] as number
    if (this.#left > 0) this.#sink(0)
  }

  #isBefore(one: number, other: number): boolean {
    const a = this.#values[one] as number
    const b = this.#values[other] as number
    return a > b || (a === b && one < other)
  }

  #sink(from: number): void {
    const heap = this.#heap
    const item = heap[from] as number
    let at = from
    for (;;) {
      let child = 2 * at + 1
      if (child >= this.#left) break
      const right = child + 1
      if (right < this.#left && this.#isBefore(heap[right] as number, heap[child] as number)) {
        child = right
      }
      if (!this.#isBefore(heap[child] as number, item)) break
      heap[at] = heap[child] as number
      at = child
    }
    heap[at] = item
  }
}
