import { inDigits } from './dense.ts'
import { isPacked } from './packed.ts'
import { holdsAny, holdsPieces, type OnPart, type Whole } from './pieces.ts'
import { everySecond, signsOf } from './signs.ts'
import { bytesOf, type Secret } from './secret.ts'
import { textOf } from './characters.ts'
import type { Reading } from './reading.ts'

/** In which way a text looks like a secret, or may hold it unseen. */
export type Resemblance =
  | 'a piece of it'
  | 'its letters, in another case or with something between them'
  | 'its letters, backwards'
  | 'its letters, each replaced by another'
  | 'its bytes, as digits or numbers'
  | 'compressed or encrypted data'

/** What is like a secret. */
export interface Likeness {
  /** In which way a reading is; `undefined` if in none. */
  of: (reading: Reading, onPart: OnPart) => Resemblance | undefined
  /** Whether a text holds any of it, however little. */
  isTrace: (text: string) => boolean
  /** How many letters and digits the secret has: parts are stretches of them. */
  letters: number
}

/** What a text has to be like; `undefined` for one as long as a file, whose lines are pieces. */
export function likenessTo({ texts, base64 }: Secret): Likeness | undefined {
  const text = texts[0]?.normalize('NFC')
  if (text === undefined || text.length > 1_000) return undefined
  const letters = lettersOf(text)
  const bytes = { text: bytesOf(text)[0] }
  const bare = letters.text
  const backwards = reversed(bare)
  const alike = { text: signsOf(shapeless(text)).alike, written: () => '' }
  const each = signsOf([...shapeless(text)].join(' ')).alone
  // Of a password, hardly a piece would be left without its signs; and it is no text of words.
  const isPassword = bare.length < text.replace(/\s/g, '').length * 0.8
  const backwards64 = base64.map(reversed)
  const steps = kinds.map((kind) => ({ kind, needles: stepNeedles(text, kind) }))
  const holdsDigits = inDigits(texts.slice(0, 4))
  const likeness: Likeness['of'] = ({ text: read, form }, onPart) => {
    const signs = signsOf(shapeless(read))
    const { all } = signs
    const isWritten = form === 'plain' || form === 'escaped'
    const isLong = bare.length >= fewest
    if (isLong && all.includes(bare)) return apart
    if (isLong && all.includes(backwards)) return 'its letters, backwards'
    if (backwards64.some((each) => each.length >= 8 && read.includes(each))) {
      return 'its letters, backwards'
    }
    if (holdsPieces(all, letters, onPart) || (isPassword && holdsPieces(read, { text })))
      return 'a piece of it'
    if (isMasked(read, text)) return 'a piece of it'
    // Words in the text may look like numbers in the secret, so that a third is not enough.
    if (isWritten && holdsPieces(signs.alike, alike)) return apart
    if (isReplaced(read, steps)) return 'its letters, each replaced by another'
    if (standsApart(signs.alone, each)) return apart
    if (signs.bytes.some((row) => holdsPieces(row, bytes))) return inNumbers
    if (isWritten && holdsDigits(read, signs)) return inNumbers
    return isPacked(read, form) ? 'compressed or encrypted data' : undefined
  }
  const isTrace = (read: string): boolean =>
    holdsAny(read, text) || holdsAny(signsOf(shapeless(read)).all, bare)
  return { of: likeness, isTrace, letters: bare.length }
}

const apart = 'its letters, in another case or with something between them'
const inNumbers = 'its bytes, as digits or numbers'
const fewest = 6

/** The letters and digits of a secret, and how they are written in it. */
function lettersOf(text: string): Required<Whole> {
  const places: number[] = []
  let all = ''
  for (let at = 0; at < text.length; at++) {
    const some = signsOf(shapeless(text.charAt(at))).all
    for (const _ of some.split('')) places.push(at)
    all += some
  }
  const written = (from: number, to: number): string =>
    text.slice(places[from], (places[to - 1] as number) + 1)
  return { text: all, written }
}

// What stands in the place of the letters that a tool does not show.
const mask = /^([^]*?)([*•●·.…#_xX-]+)$/

/** Whether a text shows both ends of a secret, with a mask between them: `sk-…abcd`. */
function isMasked(text: string, secret: string): boolean {
  const tail = secret.slice(-4)
  for (let at = text.indexOf(tail); at !== -1; at = text.indexOf(tail, at + 1)) {
    let end = at
    let more = secret.length - tail.length
    while (more > 0 && end > 0 && text[end - 1] === secret[more - 1])
      [end, more] = [end - 1, more - 1]
    const [, shown = '', masked = ''] = mask.exec(text.slice(Math.max(0, end - 100), end)) ?? []
    if (masked.length < 3 && !masked.includes('…')) continue
    for (let size = 2; size <= Math.min(shown.length, more); size++) {
      if (shown.endsWith(secret.slice(0, size))) return true
    }
  }
  return false
}

/** Whether letters are those of the secret, maybe with the same one between them again and again. */
function standsApart(row: string, bare: string): boolean {
  if (row.length < fewest) return false
  const counts = new Map<string, number>()
  for (const letter of row) counts.set(letter, (counts.get(letter) ?? 0) + 1)
  const frequent = [...counts].sort((one, other) => other[1] - one[1]).slice(0, 2)
  return ['', ...frequent.map(([letter]) => letter)].some((letter) => {
    const without = (all: string): string => (letter === '' ? all : all.replaceAll(letter, ''))
    return everySecond(without(row)).some((each) => holdsPieces(each, { text: without(bare) }))
  })
}

/** A text without letters that are written in two units, and that some fonts show as others. */
function shapeless(text: string): string {
  if (!/[\ud800-\udbff]/.test(text)) return text
  const tags = /[\u{e0020}-\u{e007e}]/gu
  const seen = text.replace(tags, (tag) => String.fromCharCode((tag.codePointAt(0) ?? 0) & 0x7f))
  return seen.normalize('NFKC')
}

function reversed(text: string): string {
  return [...text].toReversed().join('')
}

/**
 * The characters in which a text is written, and how many there are: whoever moves each by as many
 * places, as ROT13 and ROT47 do, leaves the steps from each to the next as they are.
 */
interface Kind {
  /** The place of each character of ASCII among them. */
  places: Int8Array
  count: number
}

const kinds: readonly Kind[] = [
  kindOf(26, (code) => ((code | 32) >= 97 && (code | 32) <= 122 ? (code | 32) - 97 : -1)),
  kindOf(94, (code) => (code >= 33 && code <= 126 ? code - 33 : -1)),
]

function kindOf(count: number, placeOf: (code: number) => number): Kind {
  return { places: Int8Array.from({ length: 128 }, (_, code) => placeOf(code)), count }
}

/**
 * The steps from each character of a kind to the next, and whatever is not of the kind as it is; a
 * character for each.
 */
function stepsOf(text: string, { places, count }: Kind): string {
  const codes = new Uint16Array(text.length)
  let length = 0
  let last = -1
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    const place = code < 128 ? (places[code] as number) : -1
    if (place === -1) {
      if (code > 0x20) codes[length++] = code + asItIs
      continue
    }
    if (last !== -1) codes[length++] = place < last ? place - last + count : place - last
    last = place
  }
  return textOf(codes.subarray(0, length))
}

const asItIs = 0x80

/** The steps of the text and of its mirror image (Atbash); none if chance might make the same. */
function stepNeedles(text: string, kind: Kind): string[] {
  return [text, reversed(text)].flatMap((each) => {
    const steps = stepsOf(each, kind)
    if (steps.length < 7 || new Set(steps).size < 5) return []
    const mirrored = steps.replace(/[\0-\x7f]/g, (step) =>
      String.fromCharCode((kind.count - step.charCodeAt(0)) % kind.count),
    )
    return [steps, mirrored]
  })
}

function isReplaced(text: string, all: readonly { kind: Kind; needles: string[] }[]): boolean {
  return all.some(({ kind, needles }) => {
    if (needles.length === 0) return false
    const steps = stepsOf(text, kind)
    return needles.some((needle) => steps.includes(needle))
  })
}
