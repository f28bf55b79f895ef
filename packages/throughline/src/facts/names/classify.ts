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
const BACKSLASH = 92

/** Where a word begins and ends without the punctuation around it. */
export interface Span {
  start: number
  end: number
}

/**
 * The kind of name that a word is, if its first and last characters are letters or digits, based on
 * the bits of its characters and character pairs; `undefined` if it isn't a name.
 */
export function kindOf(
  bits: number,
  text: string,
  start: number,
  end: number,
): NameKind | undefined {
  if ((bits & LETTER) === 0) return (bits & UNDERSCORE) === 0 ? undefined : 'identifier'
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

/** The kind of a word after stripping the punctuation around it. */
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

/** `2026-04-01T23`: the beginning of a point in time. */
export function isDate(text: string, start: number): boolean {
  return (
    classAt(text, start) === DIGIT &&
    classAt(text, start + 3) === DIGIT &&
    classAt(text, start + 4) === HYPHEN &&
    classAt(text, start + 7) === HYPHEN
  )
}

/**
 * Where a word begins after an escaped line end or tab in quoted code: in `\tfmt` it is `fmt`. A
 * backslash between letters is a Windows path.
 */
export function behindEscape(text: string, start: number): number {
  if (text.charCodeAt(start - 1) !== BACKSLASH || !isEscape(text.charCodeAt(start))) return start
  const before = classAt(text, start - 2)
  const escaped = isEscape(text.charCodeAt(start - 2)) && text.charCodeAt(start - 3) === BACKSLASH
  return (before & ALPHANUMERIC) === 0 || escaped ? start + 1 : start
}

/** The letters of `\n`, `\r` and `\t`. */
function isEscape(code: number): boolean {
  return code === 110 || code === 114 || code === 116
}

/**
 * Strips what surrounds a name in prose and code: `...options.name` is `options.name`, `./src/a.ts`
 * is `src/a.ts`. A dot directory, an npm scope, a home directory and a file that begins with a dot
 * keep their first character.
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

/** The extensions of files whose names begin with a dot; `.then.catch` is not such a file. */
const DOT_FILES = new Set(
  'json js cjs mjs ts yml yaml toml local lock xml ini cfg conf md sh env example log txt d'.split(
    ' ',
  ),
)

function keepsDot(text: string, start: number, end: number): boolean {
  const next = classAt(text, start + 1)
  if (next === DOT) return classAt(text, start + 2) === SLASH
  if ((next & (ALPHANUMERIC | UNDERSCORE)) === 0) return false
  let dot = start
  for (let at = start + 1; at < end; at++) {
    const kind = classAt(text, at)
    if (kind === SLASH) return true
    if (kind === DOT) dot = at
  }
  return dot > start && DOT_FILES.has(text.slice(dot + 1, end))
}

function keepsSign(text: string, start: number, end: number): boolean {
  const next = classAt(text, start + 1)
  if (text.charCodeAt(start) === 126) return next === SLASH
  if ((next & LETTER) === 0) return false
  for (let at = start + 2; at < end; at++) if (classAt(text, at) === SLASH) return true
  return false
}
