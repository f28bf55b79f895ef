import { classAt, DIGIT, HYPHEN, UPPER } from './character-classes.ts'

const MOST_DIGITS = 7
const MOST_LETTERS = 10
const MOST_NUMBER_DIGITS = 6
const HASH = 35
const AMPERSAND = 38
const SEMICOLON = 59

/** Prefixes of standards and products that look like the keys of a ticket system. */
const STANDARDS = new Set([
  'UTF',
  'SHA',
  'ISO',
  'GPT',
  'RFC',
  'CVE',
  'MD',
  'RSA',
  'AES',
  'UTC',
  'GMT',
])

/** `ABC-123`, the key of a ticket system. */
export function isTicket(text: string, start: number, end: number): boolean {
  let at = start
  while (at < end && classAt(text, at) === UPPER) at++
  const letters = at - start
  if (letters < 2 || letters > MOST_LETTERS || classAt(text, at) !== HYPHEN) return false
  const digits = end - at - 1
  if (digits < 1 || digits > MOST_DIGITS) return false
  for (let digit = at + 1; digit < end; digit++) if (classAt(text, digit) !== DIGIT) return false
  return !STANDARDS.has(text.slice(start, at))
}

/** `#123`, but neither `&#123;` nor the `#333;` of a style sheet nor a list's `#1`. */
export function isNumberSign(text: string, start: number, end: number): boolean {
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
