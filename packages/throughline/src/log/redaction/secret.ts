import { ThroughlineError } from '../throughline-error.ts'

/** A text to remove, in all forms in which a session can contain it. */
export interface Secret {
  /** Longest first, so that no form leaves a piece of a longer one. */
  forms: readonly string[]
  marker: string
}

/** Replaces redacted text. */
export const redacted = '[redacted]'

// Anything shorter occurs inside other words, which would be damaged.
const shortest = 6
// A line of a key is long; shorter ones, such as its end, are removed with the whole.
const shortestLine = 16

/**
 * The forms of a secret: as it is, escaped as in JSON once and twice, as in a URL, in base64, and,
 * if it has several lines, each of its long lines.
 * @throws RedactionError if it is too short to be distinguished from other text.
 */
export function secretOf(text: string): Secret {
  const length = text.trim().length
  if (length < shortest) throw new RedactionError({ length, shortest })
  return ordered(
    [text, text.trim(), ...longLines(text)],
    redacted.includes(text) ? '[…]' : redacted,
  )
}

/** Whole texts that are long enough to be recognized elsewhere. */
export function wholeForms(texts: readonly string[]): Secret {
  return ordered(texts.filter((text) => text.trim().length >= shortestLine))
}

/** The same, and their lines. */
export function lineForms(texts: readonly string[]): Secret {
  return ordered([...wholeForms(texts).forms, ...texts.flatMap(longLines)])
}

/** The words of a secret that don't look like common words, as names in a summary may. */
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

/**
 * The base64 forms of a text; there are three, depending on where in the encoded bytes it begins.
 */
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

/** The text without the secret; the same text if it doesn't contain it. */
export function withoutSecret(text: string, { forms, marker }: Secret): string {
  let clean = text
  for (const form of forms) {
    if (clean.includes(form)) clean = clean.split(form).join(marker)
  }
  return clean
}

/** Letters next to digits, or capitals after small letters: typical of a key and not of a word. */
export function isUncommon(text: string): boolean {
  return /\p{L}\p{Nd}|\p{Nd}\p{L}|\p{Ll}\p{Lu}/u.test(text)
}

/** A text that can't be redacted, because other text would be removed with it. */
export class RedactionError extends ThroughlineError<'REDACTION'> {
  static override readonly code = 'REDACTION'

  /** Characters. */
  readonly length: number
  readonly shortest: number

  constructor({ length, shortest }: { length: number; shortest: number }) {
    super(
      RedactionError.code,
      `A text of ${length} characters cannot be redacted, because so short a text also occurs inside other texts. Give the whole secret, of at least ${shortest} characters.`,
    )
    this.length = length
    this.shortest = shortest
  }
}
