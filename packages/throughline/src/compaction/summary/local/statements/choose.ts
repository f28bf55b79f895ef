/** What one candidate costs and brings. */
export interface Candidate {
  /** Candidates of one text stand next to each other, in its order. */
  text: number
  tokens: number
  /** What the text's first unit costs beside its own words. */
  frame: number
  /** How much more or less a term in it is worth than elsewhere; 0 for what only introduces others. */
  weight: number
  terms: readonly string[]
  /** Of those that say the same, only one is chosen. */
  says: string
  /** Candidates that must come along, by position. */
  leads: readonly number[]
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
const perUnit = 4

/** What stands next to something kept is worth more: whole passages read better than fragments. */
const BESIDE_KEPT = 1.3

/**
 * Chooses what is kept of many texts within `tokens`: always what brings most for its length, where
 * terms that were said already bring less and less. It reads no meaning: what is new, specific and
 * spoken about often is worth keeping. Positions of the chosen candidates, in order.
 */
export function choose(
  candidates: readonly Candidate[],
  tokens: number,
  said: Iterable<string> = [],
): number[] {
  const worth = worthOfTerms(candidates)
  const times = new Map<string, number>()
  for (const term of said) times.set(term, 1)
  const chosen = new Set<number>()
  const framed = new Set<number>()
  const told = new Set<string>()
  let left = tokens
  const valueOf = (at: number): number => {
    const { weight, terms } = candidates[at] as Candidate
    let sum = 0
    for (const term of terms) sum += (worth.get(term) ?? 0) * AGAIN ** (times.get(term) ?? 0)
    return (weight * sum * (isBeside(at) ? BESIDE_KEPT : 1)) / (costOf(at) + perUnit)
  }
  /** With the frame of its text and with what introduces it, where they are not paid yet. */
  const costOf = (at: number): number => {
    const { text, frame, leads, tokens: own } = candidates[at] as Candidate
    let cost = own + (framed.has(text) ? 0 : frame)
    for (const lead of leads) if (!chosen.has(lead)) cost += candidates[lead]?.tokens ?? 0
    return cost
  }
  const isBeside = (at: number): boolean =>
    [at - 1, at + 1].some(
      (next) => chosen.has(next) && candidates[next]?.text === candidates[at]?.text,
    )
  const queue = new Queue()
  for (let at = 0; at < candidates.length; at++) {
    const { weight, terms } = candidates[at] as Candidate
    if (weight > 0 && terms.length > 0) queue.push({ at, value: valueOf(at) })
  }
  for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
    const { at } = next
    if (chosen.has(at) || told.has((candidates[at] as Candidate).says)) continue
    const value = valueOf(at)
    // Values only fall while others are chosen: one that still leads is the best.
    if (value < (queue.best ?? 0)) {
      queue.push({ at, value })
      continue
    }
    const { text, leads } = candidates[at] as Candidate
    const cost = costOf(at)
    if (cost > left) continue
    left -= cost
    framed.add(text)
    for (const each of [at, ...leads]) {
      if (chosen.has(each)) continue
      chosen.add(each)
      told.add(candidates[each]?.says ?? '')
      for (const term of candidates[each]?.terms ?? []) times.set(term, (times.get(term) ?? 0) + 1)
    }
    for (const beside of [at - 1, at + 1]) {
      const other = candidates[beside]
      const says = other !== undefined && other.weight > 0 && other.terms.length > 0
      if (says && other.text === text && !chosen.has(beside)) {
        queue.push({ at: beside, value: valueOf(beside) })
      }
    }
  }
  return [...chosen].sort((a, b) => a - b)
}

/** In how many texts a term stands. */
function worthOfTerms(candidates: readonly Candidate[]): Map<string, number> {
  const texts = new Map<string, { last: number; count: number }>()
  for (const { text, terms } of candidates) {
    for (const term of terms) {
      const known = texts.get(term)
      if (known === undefined) texts.set(term, { last: text, count: 1 })
      else if (known.last !== text) {
        known.last = text
        known.count++
      }
    }
  }
  return new Map(
    [...texts].map(([term, { count }]) => [
      term,
      1 + WORTH_OF_SHARED * Math.log2(Math.min(count, MOST_SHARED)),
    ]),
  )
}

interface Queued {
  at: number
  value: number
}

/** A heap: the greatest value first, then the newest. */
class Queue {
  readonly #heap: Queued[] = []

  get best(): number | undefined {
    return this.#heap[0]?.value
  }

  push(item: Queued): void {
    const heap = this.#heap
    let at = heap.push(item) - 1
    while (at > 0) {
      const parent = (at - 1) >> 1
      if (!isBefore(item, heap[parent] as Queued)) break
      heap[at] = heap[parent] as Queued
      at = parent
    }
    heap[at] = item
  }

  pop(): Queued | undefined {
    const heap = this.#heap
    const first = heap[0]
    const item = heap.pop()
    if (first === undefined || item === undefined || heap.length === 0) return first
    let at = 0
    for (;;) {
      let child = 2 * at + 1
      if (child >= heap.length) break
      if (child + 1 < heap.length && isBefore(heap[child + 1] as Queued, heap[child] as Queued))
        child++
      if (!isBefore(heap[child] as Queued, item)) break
      heap[at] = heap[child] as Queued
      at = child
    }
    heap[at] = item
    return first
  }
}

function isBefore(a: Queued, b: Queued): boolean {
  return a.value > b.value || (a.value === b.value && a.at > b.at)
}
