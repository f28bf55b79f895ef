/** What candidates cost and bring, each at its position. */
export interface Candidates {
  /** Candidates of one text stand next to each other, in its order. */
  text: Int32Array
  tokens: Float64Array
  /** What the text's first unit costs beside its own words. */
  frame: Float64Array
  /** How much more or less a term in it is worth than elsewhere; 0 for what only introduces others. */
  weight: Float64Array
  /** Where its terms stand in the list of all. */
  from: Int32Array
  to: Int32Array
  /** Of those that say the same, only one is chosen. */
  says: Float64Array
  /** Candidates that must come along, by position, of those that need any. */
  leads: ReadonlyMap<number, readonly number[]>
  /** 1 where others wrote it: it may take its share, and what the rest leaves. */
  loaded: Uint8Array
}

/** How much may be chosen. */
export interface ChoiceRoom {
  tokens: number
  /** The most that loaded candidates take while any other is left. */
  loaded?: number
  /** Terms that stand elsewhere. */
  said?: Iterable<number>
}

/** Room for so many candidates. */
export function candidatesOf(length: number) {
  return {
    text: new Int32Array(length),
    tokens: new Float64Array(length),
    frame: new Float64Array(length),
    weight: new Float64Array(length),
    from: new Int32Array(length),
    to: new Int32Array(length),
    says: new Float64Array(length),
    leads: new Map<number, readonly number[]>(),
    loaded: new Uint8Array(length),
  }
}

const none: readonly number[] = []

/** Terms as numbers below `size`: those of all candidates, one after the other. */
export interface Terms {
  size: number
  at: (position: number) => number
  /** What each is worth, where somebody knows that already. */
  worth?: Float64Array
}

/**
 * A term that has been said is worth this much of its worth the next time. On real sessions the
 * result is the same between a half and seven tenths.
 */
const AGAIN = 0.6

/** What many texts speak about matters more than what stands once, but not by much. */
const WORTH_OF_SHARED = 0.5
const MOST_SHARED = 16

/** What any unit costs beside its tokens: a few words alone are seldom a statement. */
const perUnit = 8

/** What stands next to something kept is worth more: whole passages read better than fragments. */
const BESIDE_KEPT = 1.3

/**
 * Chooses what is kept of many texts within `tokens`: always what brings most for its length, where
 * terms that were said already bring less and less. It reads no meaning: what is new, specific and
 * spoken about often is worth keeping. Positions of the chosen candidates, in order.
 */
export function choose(
  candidates: Candidates,
  terms: Terms,
  { tokens, loaded = Infinity, said = [] }: ChoiceRoom,
): number[] {
  const { text, weight, from, to, says } = candidates
  const { length } = text
  const worth = terms.worth ?? worthOfTerms(candidates, terms)
  const times = new Uint32Array(terms.size)
  for (const term of said) times[term] = 1
  const again: number[] = []
  const chosen = new Uint8Array(length)
  const framed = new Set<number>()
  const told = new Set<number>()
  let left = tokens
  let loadedLeft = loaded
  /** Loaded ones that have had their share. */
  let waiting: number[] = []
  const leadsOf = (at: number): readonly number[] => candidates.leads.get(at) ?? none
  const speaks = (at: number): boolean => {
    return (weight[at] as number) > 0 && (to[at] as number) > (from[at] as number)
  }
  const valueOf = (at: number): number => {
    let sum = 0
    for (let position = from[at] as number; position < (to[at] as number); position++) {
      const term = terms.at(position)
      const said = times[term] as number
      sum += (worth[term] as number) * (again[said] ??= AGAIN ** said)
    }
    const beside = isBeside(at) ? BESIDE_KEPT : 1
    return ((weight[at] as number) * sum * beside) / (costOf(at) + perUnit)
  }
  /** With the frame of its text and with what introduces it, where they are not paid yet. */
  const costOf = (at: number): number => {
    const frame = framed.has(text[at] as number) ? 0 : (candidates.frame[at] as number)
    let cost = (candidates.tokens[at] as number) + frame
    for (const lead of leadsOf(at)) if (chosen[lead] !== 1) cost += candidates.tokens[lead] ?? 0
    return cost
  }
  const isBeside = (at: number): boolean => isKept(at - 1, at) || isKept(at + 1, at)
  const isKept = (next: number, at: number): boolean =>
    chosen[next] === 1 && text[next] === text[at]
  const queue = new Queue(length)
  let cheapest = Infinity
  for (let at = 0; at < length; at++) {
    if (!speaks(at)) continue
    queue.add(at, valueOf(at))
    cheapest = Math.min(cheapest, candidates.tokens[at] as number)
  }
  queue.order()
  // Where nothing fits any more, nobody need look at the rest.
  while (left >= cheapest) {
    const value = queue.best
    const at = queue.pop()
    if (at === undefined || value === undefined) {
      if (waiting.length === 0) break
      loadedLeft = Infinity
      for (const each of waiting) queue.push(each, valueOf(each))
      waiting = []
      continue
    }
    if (chosen[at] === 1 || told.has(says[at] as number)) continue
    const now = valueOf(at)
    // Values only fall while others are chosen: one that still leads is the best.
    if (now < (queue.best ?? 0)) {
      queue.push(at, now)
      continue
    }
    const cost = costOf(at)
    if (cost > left) continue
    const isLoaded = candidates.loaded[at] === 1
    if (isLoaded && cost > loadedLeft) {
      waiting.push(at)
      continue
    }
    left -= cost
    if (isLoaded) loadedLeft -= cost
    framed.add(text[at] as number)
    for (const each of [at, ...leadsOf(at)]) {
      if (chosen[each] === 1) continue
      chosen[each] = 1
      told.add(says[each] as number)
      for (let position = from[each] as number; position < (to[each] as number); position++) {
        const term = terms.at(position)
        times[term] = (times[term] as number) + 1
      }
    }
    for (const beside of [at - 1, at + 1]) {
      if (text[beside] === text[at] && speaks(beside) && chosen[beside] !== 1) {
        queue.push(beside, valueOf(beside))
      }
    }
  }
  const positions: number[] = []
  for (let at = 0; at < chosen.length; at++) if (chosen[at] === 1) positions.push(at)
  return positions
}

/** What terms are worth: it depends on in how many texts each stands. */
export function worthOfTerms(
  { text, from, to }: Pick<Candidates, 'text' | 'from' | 'to'>,
  terms: Terms,
): Float64Array {
  const last = new Int32Array(terms.size).fill(-1)
  const texts = new Float64Array(terms.size)
  for (let at = 0; at < text.length; at++) {
    for (let position = from[at] as number; position < (to[at] as number); position++) {
      const term = terms.at(position)
      if (last[term] === text[at]) continue
      last[term] = text[at] as number
      texts[term] = (texts[term] as number) + 1
    }
  }
  for (let term = 0; term < terms.size; term++) {
    const count = texts[term] as number
    if (count > 0) {
      texts[term] = 1 + WORTH_OF_SHARED * (shared[Math.min(count, MOST_SHARED)] as number)
    }
  }
  return texts
}

const shared = Array.from({ length: MOST_SHARED + 1 }, (_, count) => Math.log2(count))

/** A heap: the greatest value first, then the newest. */
class Queue {
  #at: Int32Array
  #values: Float64Array
  #length = 0

  constructor(size: number) {
    this.#at = new Int32Array(size)
    this.#values = new Float64Array(size)
  }

  get best(): number | undefined {
    return this.#length === 0 ? undefined : this.#values[0]
  }

  /** Adds an item anywhere; `order` follows. */
  add(at: number, value: number): void {
    if (this.#length === this.#at.length) this.#grow()
    this.#at[this.#length] = at
    this.#values[this.#length++] = value
  }

  order(): void {
    for (let position = (this.#length >> 1) - 1; position >= 0; position--) {
      this.#sink(position, this.#at[position] as number, this.#values[position] as number)
    }
  }

  push(item: number, value: number): void {
    this.add(item, value)
    let at = this.#length - 1
    while (at > 0) {
      const parent = (at - 1) >> 1
      if (!this.#isBefore(item, value, parent)) break
      this.#move(parent, at)
      at = parent
    }
    this.#at[at] = item
    this.#values[at] = value
  }

  pop(): number | undefined {
    if (this.#length === 0) return undefined
    const first = this.#at[0]
    const last = --this.#length
    if (last > 0) this.#sink(0, this.#at[last] as number, this.#values[last] as number)
    return first
  }

  #sink(from: number, item: number, value: number): void {
    let at = from
    for (;;) {
      let child = 2 * at + 1
      if (child >= this.#length) break
      const other = child + 1
      if (
        other < this.#length &&
        this.#isBefore(this.#at[other] as number, this.#values[other] as number, child)
      ) {
        child = other
      }
      if (this.#isBefore(item, value, child)) break
      this.#move(child, at)
      at = child
    }
    this.#at[at] = item
    this.#values[at] = value
  }

  #isBefore(item: number, value: number, than: number): boolean {
    const other = this.#values[than] as number
    return value > other || (value === other && item > (this.#at[than] as number))
  }

  #move(from: number, to: number): void {
    this.#at[to] = this.#at[from] as number
    this.#values[to] = this.#values[from] as number
  }

  #grow(): void {
    const at = new Int32Array(this.#at.length * 2 + 16)
    const values = new Float64Array(at.length)
    at.set(this.#at)
    values.set(this.#values)
    this.#at = at
    this.#values = values
  }
}
