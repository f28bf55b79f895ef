import {
  DIGIT,
  DOT,
  HYPHEN,
  LETTER,
  SLASH,
  UNDERSCORE,
  classAt,
  UPPER,
} from './character-classes.ts'
import {
  behindEscape,
  classify,
  isDate,
  kindOf,
  LONGEST_NAME,
  SHORTEST_NAME,
  trim,
} from './classify.ts'
import { CAPITALS, CLASS_COUNT, CLASS_NUMBERS, HUMP, PAIRS } from './transitions.ts'
import { urlSpan } from './url.ts'
import { windowsPathEnd } from './windows-path.ts'
import type { NameKind } from '../facts.ts'

/** Receives the names of a text, in order. */
export interface NameVisitor {
  /** `lineStart`: the word is the first of its line. */
  name: (text: string, start: number, end: number, kind: NameKind, lineStart: boolean) => void
}

/** A word without any of these is an ordinary word, a number, or capitals. */
const STRUCTURE = UNDERSCORE | DOT | SLASH | HUMP | CAPITALS
const NEW_LINE = 10
const PLUS = 43
const COLON = 58
const BACKSLASH = 92

/**
 * Finds the names of a text in one pass over its character codes: no regular expression, and no
 * substring until a word is known to be a name. Returns how many characters it examined, which is
 * at most a fixed multiple of the length.
 */
export function scanNames(text: string, visitor: NameVisitor): number {
  const length = text.length
  let steps = length
  let at = 0
  let lineAt = 0
  let plainUntil = 0
  while (at < length) {
    let code = text.charCodeAt(at)
    const head = code < 128 ? (CLASS_NUMBERS[code] as number) : 0
    if (head === 0) {
      if (code === NEW_LINE) lineAt = at + 1
      at++
      continue
    }
    const start = at
    let bits = 0
    let row = 0
    let number = head
    do {
      bits |= PAIRS[row * CLASS_COUNT + number] as number
      row = number
      at++
      if (at >= length) break
      code = text.charCodeAt(at)
      number = code < 128 ? (CLASS_NUMBERS[code] as number) : 0
    } while (number !== 0)
    const size = at - start
    if (size < SHORTEST_NAME) {
      if (size === 1) {
        if (code === COLON && (bits & LETTER) !== 0 && at < length) {
          const end = windowsPathEnd(text, start)
          steps += LONGEST_NAME
          if (end > 0) visitor.name(text, start, end, 'path', start === lineAt)
        }
      } else if ((bits & DIGIT) !== 0) {
        const ticket =
          bits === DIGIT
            ? isNumberSign(text, start, at)
            : (bits & HYPHEN) !== 0 && isTicket(text, start, at)
        if (ticket) visitor.name(text, bits === DIGIT ? start - 1 : start, at, 'ticket', false)
      }
      continue
    }
    if (code === PLUS && start >= plainUntil && at < length) {
      const end = encodedEnd(text, start)
      steps += Math.abs(end) - start
      if (end > 0) {
        at = end
        continue
      }
      plainUntil = -end
    }
    const digits = (bits & DIGIT) !== 0 && (bits & (LETTER | HYPHEN)) !== 0
    if (size > LONGEST_NAME || ((bits & STRUCTURE) === 0 && !digits)) continue
    steps += size
    const bare =
      isAlphanumeric(head) && isAlphanumeric(row) && text.charCodeAt(start - 1) !== BACKSLASH
    if (bare && (bits & HYPHEN) === 0) {
      const kind = kindOf(bits, text, start, at)
      if (kind !== undefined) visitor.name(text, start, at, kind, start === lineAt)
    } else {
      steps += size
      visitTrimmed(text, start, at, start === lineAt, visitor)
    }
  }
  return steps
}

/** Classes 1, 2 and 3 are small letters, capitals and digits. */
function isAlphanumeric(number: number): boolean {
  return number <= 3
}

/** A word with punctuation around it, which is stripped first, or with a hyphen. */
function visitTrimmed(
  text: string,
  start: number,
  end: number,
  lineStart: boolean,
  visitor: NameVisitor,
): void {
  if (text.charCodeAt(start) === 47 && text.charCodeAt(start + 1) === 47) {
    const url = urlSpan(text, start)
    if (url !== undefined) {
      visitor.name(text, url.start, url.end, 'url', false)
      return
    }
  }
  const span = trim(text, behindEscape(text, start), end)
  const kind = isDate(text, span.start) ? undefined : classify(text, span.start, span.end)
  if (kind !== undefined) {
    const slash = kind !== 'path' && text.charCodeAt(span.start) === 47 ? 1 : 0
    if (span.end - span.start - slash < SHORTEST_NAME) return
    visitor.name(text, span.start + slash, span.end, kind, lineStart)
  } else if (isTicket(text, span.start, span.end)) {
    visitor.name(text, span.start, span.end, 'ticket', false)
  }
}

/** Base64 of this length or more is data; shorter runs may be code with a plus sign. */
const SHORTEST_DATA = 200

/**
 * The end of the base64 run that begins at `start`. If the run is too short to be data, returns the
 * negated position up to which nothing needs to be examined again.
 */
function encodedEnd(text: string, start: number): number {
  let end = start
  while (end < text.length && isEncoded(text.charCodeAt(end))) end++
  return end - start >= SHORTEST_DATA ? end : -end
}

function isEncoded(code: number): boolean {
  return (
    (code >= 97 && code <= 122) ||
    (code >= 65 && code <= 90) ||
    (code >= 47 && code <= 57) ||
    code === 43 ||
    code === 61
  )
}

const MOST_DIGITS = 7
const MOST_LETTERS = 10
const MOST_NUMBER_DIGITS = 6
const HASH = 35
const AMPERSAND = 38
const SEMICOLON = 59

/** Prefixes of standards and products that look like ticket keys. */
const STANDARDS = new Set('UTF SHA ISO GPT RFC CVE MD RSA AES UTC GMT'.split(' '))

/** `ABC-123`, a ticket key. */
function isTicket(text: string, start: number, end: number): boolean {
  let at = start
  while (at < end && classAt(text, at) === UPPER) at++
  const letters = at - start
  if (letters < 2 || letters > MOST_LETTERS || classAt(text, at) !== HYPHEN) return false
  const digits = end - at - 1
  if (digits < 1 || digits > MOST_DIGITS) return false
  for (let digit = at + 1; digit < end; digit++) if (classAt(text, digit) !== DIGIT) return false
  return !STANDARDS.has(text.slice(start, at))
}

/** `#123`, but not `&#123;`, the `#333;` of a style sheet, or `#1` in a list. */
function isNumberSign(text: string, start: number, end: number): boolean {
  const digits = end - start
  if (digits < 2 || digits > MOST_NUMBER_DIGITS || text.charCodeAt(start - 1) !== HASH) return false
  const before = text.charCodeAt(start - 2)
  return (
    before !== AMPERSAND &&
    before !== HASH &&
    classAt(text, start - 2) === 0 &&
    text.charCodeAt(end) !== SEMICOLON
  )
}
