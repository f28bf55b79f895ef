/** Numbers in a table of their own: a few bytes each, where a `Set` takes forty. Plain data. */
export interface HashSet<Slots extends Float64Array | Uint32Array> {
  slots: Slots
  size: number
}

/** As full as this, a table is made larger. */
const FULLEST = 3 / 4
const SMALLEST = 64

/** A set of numbers of 53 bits, none of which may ever be mistaken for another one. */
export function emptyHashes(): HashSet<Float64Array> {
  return { slots: new Float64Array(SMALLEST), size: 0 }
}

/** A set of numbers of 32 bits. */
export function emptyShortHashes(): HashSet<Uint32Array> {
  return { slots: new Uint32Array(SMALLEST), size: 0 }
}

export function hasHash({ slots }: HashSet<Float64Array | Uint32Array>, hash: number): boolean {
  return slots[placeOf(slots, stored(hash))] !== 0
}

/** Adds a number; `false` where it was there. */
export function addHash(set: HashSet<Float64Array | Uint32Array>, hash: number): boolean {
  const number = stored(hash)
  const place = placeOf(set.slots, number)
  if (set.slots[place] !== 0) return false
  set.slots[place] = number
  set.size += 1
  if (set.size > set.slots.length * FULLEST) grow(set)
  return true
}

/** A slot with 0 is empty. */
function stored(hash: number): number {
  return hash === 0 ? 1 : hash
}

/** Where a number is, or where it would be. */
function placeOf(slots: Float64Array | Uint32Array, number: number): number {
  const last = slots.length - 1
  let place = (number ^ (number >>> 15)) & last
  while (slots[place] !== 0 && slots[place] !== number) place = (place + 1) & last
  return place
}

function grow(set: HashSet<Float64Array | Uint32Array>): void {
  const { slots } = set
  const larger =
    slots instanceof Float64Array
      ? new Float64Array(2 * slots.length)
      : new Uint32Array(2 * slots.length)
  for (const number of slots) if (number !== 0) larger[placeOf(larger, number)] = number
  set.slots = larger
}

/** A number of 53 bits for a text. */
export function hashOf(text: string, seed = 0): number {
  let high = 0x811c9dc5 ^ seed
  let low = 0x1b873593
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    high = Math.imul(high ^ code, 0x01000193)
    low = Math.imul(low ^ code, 0x85ebca6b)
    low ^= low >>> 15
  }
  return ((high ^ (low >>> 7)) >>> 11) * 0x1_0000_0000 + (low >>> 0)
}

/** A number of 32 bits for a text. */
export function shortHashOf(text: string): number {
  return hashOf(text) >>> 0
}
