import {
  ALPHANUMERIC,
  classAt,
  DIGIT,
  DOT,
  HYPHEN,
  LETTER,
  SIGN,
  SLASH,
  UNDERSCORE,
  UPPER,
} from './character-classes.ts'
import {
  CAPITALISED,
  CAPITALS,
  CLASS_COUNT,
  CLASS_NUMBERS,
  HUMP,
  isHexadecimal,
  JOINT,
  PAIRS,
} from './transitions.ts'
import type { NameKind } from '../facts.ts'

/** A name has 8 to 300 characters: shorter words are cheap to find again, longer ones are data. */
export const SHORTEST_NAME = 8
export const LONGEST_NAME = 300

/** Hexadecimal names have at most the 40 digits of a SHA-1. */
const LONGEST_SHA = 40

/** Where a word begins and ends without the punctuation around it. */
export interface Span {
  start: number
  end: number
}

/**
 * What kind of name a word is whose first and last character are letters or digits, by
 * the bits that its characters and pairs of characters make; `undefined` if it is none.
 */
export function kindOf(
  bits: number,
  text: string,
  start: number,
  end: number,
): NameKind | undefined {
  if ((bits & LETTER) === 0) return undefined
  if ((bits & SLASH) !== 0) return 'path'
  if (
    (bits & DIGIT) !== 0 &&
    (bits & (UNDERSCORE | DOT | HYPHEN | SIGN)) === 0 &&
    end - start <= LONGEST_SHA &&
    isHexadecimal(text, start, end)
  ) {
    return 'sha'
  }
  if ((bits & (UNDERSCORE | HUMP | JOINT)) !== 0) return 'identifier'
  return (bits & (CAPITALS | CAPITALISED)) === (CAPITALS | CAPITALISED) ? 'identifier' : undefined
}

/** The kind of a word with punctuation around it, which has been stripped. */
export function classify(text: string, start: number, end: number): NameKind | undefined {
  if (end - start < SHORTEST_NAME || end - start > LONGEST_NAME) return undefined
  let bits = 0
  let row = 0
  let first = start
  let last = end
  while (first < last && classAt(text, first) === UNDERSCORE) first++
  while (last > first && classAt(text, last - 1) === UNDERSCORE) last--
  for (let at = first; at < last; at++) {
    const number = CLASS_NUMBERS[text.charCodeAt(at) & 127] as number
    bits |= PAIRS[row * CLASS_COUNT + number] as number
    row = number
  }
  const slash = classAt(text, first) === SLASH || classAt(text, first) === SIGN
  if (slash && !hasInner(text, first, last)) bits &= ~SLASH
  return kindOf(bits, text, first, last)
}

function hasInner(text: string, start: number, end: number): boolean {
  for (let at = start + 2; at < end; at++) if (classAt(text, at) === SLASH) return true
  return false
}

/**
 * Strips what surrounds a name in prose and code: `...options.name` is `options.name`,
 * `./src/a.ts` is `src/a.ts`. A dot directory, an npm scope, a home directory and a
 * file that begins with a dot keep their first character.
 */
export function trim(text: string, from: number, to: number): Span {
  let start = from
  let end = to
  while (end > start && (classAt(text, end - 1) & (DOT | HYPHEN | SLASH | SIGN)) !== 0) end--
  while (start < end) {
    const kind = classAt(text, start)
    if ((kind & (ALPHANUMERIC | UNDERSCORE)) !== 0) break
    if (kind === SLASH) {
      if (classAt(text, start + 1) !== SLASH) break
      while (classAt(text, start) === SLASH) start++
      continue
    }
    if (kind === DOT && keepsDot(text, start, end)) break
    if (kind === DOT && classAt(text, start + 1) === SLASH) start++
    else if (kind === SIGN && keepsSign(text, start, end)) break
    start++
  }
  return { start, end }
}

function keepsDot(text: string, start: number, end: number): boolean {
  const next = classAt(text, start + 1)
  if (next === DOT) return classAt(text, start + 2) === SLASH
  if ((next & (ALPHANUMERIC | UNDERSCORE)) === 0) return false
  let upper = false
  for (let at = start + 1; at < end; at++) {
    const kind = classAt(text, at)
    if (kind === SLASH) return true
    if (kind === UPPER) upper = true
  }
  return !upper
}

function keepsSign(text: string, start: number, end: number): boolean {
  const next = classAt(text, start + 1)
  if (text.charCodeAt(start) === 126) return next === SLASH
  if ((next & LETTER) === 0) return false
  for (let at = start + 2; at < end; at++) if (classAt(text, at) === SLASH) return true
  return false
}
