import {
  CLASSES,
  classAt,
  DIGIT,
  DOT,
  HYPHEN,
  LETTER,
  LOWER,
  SIGN,
  SLASH,
  UNDERSCORE,
  UPPER,
} from './character-classes.ts'
import type { NameFact } from '../facts.ts'

/** Further bits of a word besides the classes of its characters. */
export const HUMP = 256
/** Two capitals in a row; a capital before a small letter: together as in `HTTPServer`. */
export const CAPITALS = 512
export const CAPITALISED = 1024
/** A dot next to a letter: not a decimal point. */
export const JOINT = 2048

const ORDER = [0, LOWER, UPPER, DIGIT, UNDERSCORE, DOT, SLASH, HYPHEN, SIGN] as const

/** Rows of the pair table: one for each class, and one for characters that end a word. */
export const CLASS_COUNT = ORDER.length

const numbers = new Uint8Array(128)
for (let code = 0; code < 128; code++) {
  numbers[code] = (ORDER as readonly number[]).indexOf(CLASSES[code] as number)
}

/** The number of a character's class, which is its row in the pair table; 0 ends a word. */
export const CLASS_NUMBERS: Readonly<Uint8Array> = numbers

const pairs = new Uint16Array(CLASS_COUNT * CLASS_COUNT)
ORDER.forEach((before, row) => {
  ORDER.forEach((after, column) => {
    pairs[row * CLASS_COUNT + column] = after | bitsOf(before, after)
  })
})

/** What a character adds to the bits of its word, by its class and the previous one. */
export const PAIRS: Readonly<Uint16Array> = pairs

function bitsOf(before: number, after: number): number {
  let bits = 0
  if ((before & (LOWER | DIGIT)) !== 0 && after === UPPER) bits |= HUMP
  if (before === UPPER && after === UPPER) bits |= CAPITALS
  if (before === UPPER && after === LOWER) bits |= CAPITALISED
  const dot = before === DOT || after === DOT
  if (dot && ((before | after) & LETTER) !== 0) bits |= JOINT
  return bits
}

/** Whether the word is hexadecimal to its end; it holds only letters and digits. */
export function isHexadecimal(text: string, start: number, end: number): boolean {
  for (let at = start; at < end; at++) {
    if (classAt(text, at) !== DIGIT && (text.charCodeAt(at) | 32) > 102) return false
  }
  return true
}

/** Merges two facts that turned out to be about the same name. */
export function mergeNames(first: NameFact, second: NameFact): NameFact {
  const owned = first.owner === '' ? second : first
  return {
    ...owned,
    name: first.name,
    calls: first.calls + second.calls,
    mentions: first.mentions + second.mentions,
    lastSeq: Math.max(first.lastSeq, second.lastSeq),
    weight: (first.weight ?? 0) + (second.weight ?? 0),
  }
}
