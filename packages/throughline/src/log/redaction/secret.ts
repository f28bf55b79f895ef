import { ThroughlineError } from '../throughline-error.ts'

/** A text that must go, in the forms in which a session can hold it. */
export interface Secret {
  /** Longest first, so that no form leaves a piece of a longer one. */
  forms: readonly string[]
  marker: string
}

/** Stands where something was redacted. */
export const redacted = '[redacted]'

// Anything shorter stands in the middle of other words, and would take them with it.
const shortest = 6
// A line of a key is long; shorter ones, such as its end, go with the whole.
const shortestLine = 16

/**
 * The forms of a secret: as it is, escaped as in JSON once and twice, as in a URL, in base64,
 * and, where it has several lines, each of its long lines.
 * @throws RedactionError if it is too short to be told from other text.
 */
export function secretOf(text: string): Secret {
  const length = text.trim().length
  if (length < shortest) throw new RedactionError({ length, shortest })
  return ordered(
    [text, text.trim(), ...longLines(text)],
    redacted.includes(text) ? '[…]' : redacted,
  )
}

/** Whole texts that are long enough to be known again elsewhere. */
export function wholeForms(texts: readonly string[]): Secret {
  return ordered(texts.filter((text) => text.trim().length >= shortestLine))
}

/** The same, and their lines. */
export function lineForms(texts: readonly string[]): Secret {
  return ordered([...wholeForms(texts).forms, ...texts.flatMap(longLines)])
}

/** The words of a secret that are like no common words, as names in a summary can be. */
export function wordsOf(text: string): Secret {
  const words = text.split(/[^\p{L}\p{N}]+/u)
  return ordered(words.filter((word) => word.length >= shortest && isUncommon(word)))
}

function ordered(texts: readonly string[], marker = redacted): Secret {
  const forms = new Set(texts.flatMap(formsOf))
  return { forms: [...forms].sort((one, other) => other.length - one.length), marker }
}

function longLines(text: string): string[] {
  return text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line.length >= shortestLine)
}

function formsOf(text: string): string[] {
  const once = escaped(text)
  const plain = text.toWellFormed()
  return [text, once, escaped(once), encodeURIComponent(plain), ...base64Forms(plain)]
}

function escaped(text: string): string {
  return JSON.stringify(text).slice(1, -1)
}

/** What base64 shows of a text, wherever in the encoded bytes it begins: three ways. */
function base64Forms(text: string): string[] {
  const bytes = new TextEncoder().encode(text)
  if (bytes.length < 12) return []
  return [0, 1, 2].map((offset) => {
    const shifted = new Uint8Array(offset + bytes.length)
    shifted.set(bytes, offset)
    const from = Math.ceil((offset * 8) / 6)
    return base64(shifted).slice(from, Math.floor((shifted.length * 8) / 6))
  })
}

function base64(bytes: Uint8Array): string {
  let binary = ''
  for (const byte of bytes) binary += String.fromCharCode(byte)
  return btoa(binary)
}

/** The text without the secret; the very same text if it does not hold it. */
export function withoutSecret(text: string, { forms, marker }: Secret): string {
  let clean = text
  for (const form of forms) {
    if (clean.includes(form)) clean = clean.split(form).join(marker)
  }
  return clean
}

/** Letters beside digits, or large letters behind small ones: as in a key and not in a word. */
export function isUncommon(text: string): boolean {
  return /\p{L}\p{Nd}|\p{Nd}\p{L}|\p{Ll}\p{Lu}/u.test(text)
}

/** A text that cannot be redacted: it would take other text with it. */
export class RedactionError extends ThroughlineError<'REDACTION'> {
  static override readonly code = 'REDACTION'

  /** Characters. */
  readonly length: number
  readonly shortest: number

  constructor({ length, shortest }: { length: number; shortest: number }) {
    super(
      RedactionError.code,
      `A text of ${length} characters cannot be redacted: it stands in too many others. Give the whole secret, of at least ${shortest} characters.`,
    )
    this.length = length
    this.shortest = shortest
  }
}
