import { partsOf, type Message } from '../../../../log/message.ts'
import { shownText } from '../../../../session/recall/shown-text.ts'
import type { ContextItem } from '../../../../log/context/context-item.ts'
import type { Seq } from '../../../../log/entry.ts'

/** A thing that a model sees in a context. */
export interface Seen {
  what: string
  /** Its entry; 0 for what belongs to none. */
  seq: Seq
  text: string
  tokens: number
}

/** What two contexts have in common, and what one of them has alone, in order. */
export type Difference =
  | { type: 'same'; before: Seen; after: Seen }
  | { type: 'gone'; before: Seen }
  | { type: 'new'; after: Seen }
  /** The same entry, with another text. */
  | { type: 'changed'; before: Seen; after: Seen }

/** What a model sees, item by item. */
export function seenIn(items: readonly ContextItem[], count: (message: Message) => number): Seen[] {
  return items.map((item): Seen => {
    const message = messageOf(item)
    const parts = partsOf(message)
    const text = parts.map((part) => shownText(part)).join('\n')
    return { what: whatOf(item), seq: entryOf(item), text, tokens: count(message) }
  })
}

function messageOf(item: ContextItem): Message {
  switch (item.type) {
    case 'message':
    case 'late':
      return item.message
    case 'continuation':
      return item.continuation.message
    case 'summary':
      return { role: 'user', content: [item.summary, ...item.pins].join('\n') }
    default:
      return { role: 'user', content: item.text }
  }
}

function entryOf(item: ContextItem): Seq {
  return item.type === 'message' || item.type === 'late' ? item.seq : 0
}

function whatOf(item: ContextItem): string {
  if (item.type === 'omission') return 'gap'
  if (item.type !== 'message') return item.type
  const { origin, message } = item
  if (message.role === 'assistant') return 'assistant'
  return message.role === 'tool' ? 'result' : origin === 'human' ? 'user' : origin
}

/**
 * Compares two contexts. Of what stands in another order, the longest common sequence counts as the
 * same. With `oneLog`, an entry that both have with different texts has changed.
 */
export function compare(
  before: readonly Seen[],
  after: readonly Seen[],
  { oneLog }: { oneLog: boolean },
): Difference[] {
  const pairs = commonPairs(before, after)
  const changed = oneLog ? changedPairs(before, after, pairs) : new Map<number, number>()
  const differences: Difference[] = []
  const partnerOfNew = new Set(changed.values())
  let [i, j] = [0, 0]
  for (const [ownEnd, otherEnd] of [...pairs, [before.length, after.length] as const]) {
    for (; i < ownEnd; i++) {
      const own = before[i] as Seen
      const other = changed.get(i)
      differences.push(
        other === undefined
          ? { type: 'gone', before: own }
          : { type: 'changed', before: own, after: after[other] as Seen },
      )
    }
    for (; j < otherEnd; j++) {
      if (!partnerOfNew.has(j)) differences.push({ type: 'new', after: after[j] as Seen })
    }
    const [own, other] = [before[i], after[j]]
    if (own && other) differences.push({ type: 'same', before: own, after: other })
    i++
    j++
  }
  return differences
}

/** The longest sequence of equal things, as pairs of positions. */
function commonPairs(before: readonly Seen[], after: readonly Seen[]): [number, number][] {
  const places = new Map<string, number[]>()
  for (const [index, seen] of after.entries()) {
    const key = keyOf(seen)
    const list = places.get(key)
    if (list) list.push(index)
    else places.set(key, [index])
  }
  const candidates: [number, number][] = []
  for (const [index, seen] of before.entries()) {
    const place = places.get(keyOf(seen))?.shift()
    if (place !== undefined) candidates.push([index, place])
  }
  return longestRising(candidates)
}

function keyOf({ what, text }: Seen): string {
  return `${what}\n${text}`
}

/** Of pairs that rise in their first numbers, the most that also rise in their second. */
function longestRising(pairs: readonly [number, number][]): [number, number][] {
  const ends: number[] = []
  const previous: number[] = []
  for (const [index, [, place]] of pairs.entries()) {
    let [low, high] = [0, ends.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((pairs[ends[middle] as number]?.[1] ?? 0) < place) low = middle + 1
      else high = middle
    }
    previous[index] = low > 0 ? (ends[low - 1] as number) : -1
    ends[low] = index
  }
  const found: [number, number][] = []
  for (let at = ends.at(-1) ?? -1; at >= 0; at = previous[at] ?? -1) {
    found.push(pairs[at] as [number, number])
  }
  return found.toReversed()
}

function changedPairs(
  before: readonly Seen[],
  after: readonly Seen[],
  pairs: readonly (readonly [number, number])[],
): Map<number, number> {
  const same = new Set(pairs.map(([, other]) => other))
  const bySeq = new Map<Seq, number>()
  for (const [index, { seq }] of after.entries()) {
    if (seq > 0 && !same.has(index)) bySeq.set(seq, index)
  }
  const own = new Set(pairs.map(([index]) => index))
  const changed = new Map<number, number>()
  for (const [index, { seq }] of before.entries()) {
    const other = own.has(index) ? undefined : bySeq.get(seq)
    if (other !== undefined) changed.set(index, other)
  }
  return changed
}
