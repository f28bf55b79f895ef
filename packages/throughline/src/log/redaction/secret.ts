import { ThroughlineError } from '../throughline-error.ts'
import { base64Of } from './encoded-bytes.ts'
import { joinedLines, withoutQuotes, withoutSpaces } from './join-lines.ts'
import { asItIs, type Form, type Reading } from './reading.ts'
import { unescaped, visible } from './unescape.ts'

/** Texts to remove, however they are written. */
export interface Secret {
  /** As they stand in a reading. */
  needles: readonly string[]
  /** As they stand in a row of bytes, a character for each byte. */
  bytes: readonly string[]
  /** As base64 writes these bytes, without its first and last characters. */
  base64: readonly string[]
  /** As they stand in a reading with joined lines, without quotes, or out of pieces. */
  loose: Readonly<Record<Loose, readonly string[]>>
  /** As people write them, longest first: summaries may quote a part of one. */
  texts: readonly string[]
  marker: string
}

/** Readings that put together what stands apart. */
export type Loose = Extract<Form, 'wrapped' | 'quoted' | 'streamed' | 'split'>

/** Replaces redacted text. */
export const redacted = '[redacted]'

/** Replaces it where there is no room for more, or where `redacted` is the text to remove. */
export const redactedShort = '[…]'

// Anything shorter occurs inside other words, which would be damaged.
const shortest = 6
// A line of a key is long; shorter ones, such as its end, are removed with the whole.
const shortestLine = 16
// Escapes within escapes, as deep as anyone has them.
const deepest = 8

/**
 * A secret, however it is written.
 * @throws RedactionError if it is too short to be distinguished from other text.
 */
export function secretOf(text: string): Secret {
  const length = text.trim().length
  if (length < shortest) throw new RedactionError({ length, shortest })
  return knownBy(
    [text, text.trim(), ...longLines(text)],
    redacted.includes(text) ? redactedShort : redacted,
  )
}

/** Whole texts that are long enough to be recognized elsewhere. */
export function wholeForms(texts: readonly string[]): Secret {
  return knownBy(texts.filter((text) => text.trim().length >= shortestLine))
}

/** The same, and their lines. */
export function lineForms(texts: readonly string[]): Secret {
  return knownBy([...wholeForms(texts).texts, ...texts.flatMap(longLines)])
}

/** The words of a secret that don't look like common words, as names in a summary may. */
export function wordsOf(text: string): Secret {
  const words = text.split(/[^\p{L}\p{N}]+/u)
  return knownBy(words.filter((word) => word.length >= shortest && isUncommon(word)))
}

function knownBy(given: readonly string[], marker = redacted): Secret {
  const texts = byLength(given.flatMap(writings))
  const needles = byLength(texts.flatMap(decodings))
  const bytes = byLength(needles.flatMap(bytesOf))
  const sevenBits = needles.flatMap((needle) => withoutHighBits(needle))
  const together = texts.filter(isUnmistakable).flatMap(decodings)
  const joined = byLength(together.flatMap((text) => changedBy(text, joinedLines)))
  return {
    texts,
    needles,
    bytes: byLength([...bytes, ...sevenBits]),
    base64: bytes.flatMap(base64Of),
    loose: {
      wrapped: byLength(joined.flatMap((text) => changedBy(text, withoutSpaces))),
      quoted: byLength(joined.flatMap((text) => changedBy(text, withoutQuotes))),
      streamed: byLength(together),
      split: byLength(together),
    },
    marker,
  }
}

/** Longest first, so that no needle leaves a piece of a longer one. */
function byLength(texts: readonly string[]): string[] {
  const long = texts.filter((text) => text.trim().length >= shortest)
  return [...new Set(long)].sort((one, other) => other.length - one.length)
}

function longLines(text: string): string[] {
  return text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line.length >= shortestLine)
}

/** A text, the same where its characters are composed otherwise, and with the spaces of a form. */
function writings(text: string): string[] {
  const forms = new Set([text, text.normalize('NFC'), text.normalize('NFD')])
  if (text.trim().includes(' ')) forms.add(text.replaceAll(' ', '+'))
  return [...forms]
}

/** The text, and what it becomes when what looks like an escape in it is decoded, again and again. */
function decodings(text: string): string[] {
  return decodedTexts(asItIs(text)).map((reading) => reading.text)
}

/** A reading, then without its escapes, then without the escapes within them. */
export function decodedTexts(reading: Reading): Reading[] {
  const readings = [reading]
  for (let last = reading; readings.length <= deepest;) {
    const next = visible(last) ?? unescaped(last)
    if (!next) break
    readings.push(next)
    last = next
  }
  return readings
}

function changedBy(
  text: string,
  change: (reading: Reading) => Reading | undefined,
): readonly string[] {
  return [change(asItIs(text))?.text ?? text]
}

/** The bytes of a text in UTF-8 and in UTF-16, either end first, a character for each byte. */
export function bytesOf(text: string): [utf8: string, low: string, high: string] {
  const plain = text.toWellFormed()
  const utf8 = [...new TextEncoder().encode(plain)]
    .map((byte) => String.fromCharCode(byte))
    .join('')
  const units = text.split('')
  const utf16 = units.map((unit) => {
    const code = unit.charCodeAt(0)
    return [String.fromCharCode(code & 0xff), String.fromCharCode(code >> 8)] as const
  })
  return [
    utf8,
    utf16.map(([low, high]) => low + high).join(''),
    utf16.map(([low, high]) => high + low).join(''),
  ]
}

/** The same in UTF-8 as `od -a` shows it, which leaves the highest bit out. */
function withoutHighBits(text: string): string[] {
  const [utf8] = bytesOf(text)
  const seven = [...utf8].map((byte) => String.fromCharCode(byte.charCodeAt(0) & 0x7f)).join('')
  return seven === utf8 ? [] : [seven]
}

/**
 * Whether a text is known again where its characters stand apart. A short one might be put together
 * from texts that have nothing to do with it.
 */
export function isUnmistakable(text: string): boolean {
  const { length } = text.trim()
  return length >= 12 || (length >= 8 && isUncommon(text))
}

/** Letters next to digits, or capitals after small letters: typical of a key and not of a word. */
export function isUncommon(text: string): boolean {
  return /\p{L}\p{Nd}|\p{Nd}\p{L}|\p{Ll}\p{Lu}/u.test(text)
}

/** A text that can't be redacted, because other text would be removed with it. */
export class RedactionError extends ThroughlineError<'REDACTION'> {
  static override readonly code = 'REDACTION'

  /** The length of the text, in characters. */
  readonly length: number
  readonly shortest: number

  constructor({ length, shortest }: { length: number; shortest: number }) {
    super(
      RedactionError.code,
      `A text of ${length} ${length === 1 ? 'character' : 'characters'} cannot be redacted, because so short a text also occurs inside other texts. Give the whole secret, of at least ${shortest} characters.`,
    )
    this.length = length
    this.shortest = shortest
  }
}
