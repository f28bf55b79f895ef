import { isUncommon, type Secret } from './secret.ts'
import { denselyHolds } from './dense.ts'
import { isPacked } from './packed.ts'
import { textOf } from './characters.ts'
import type { Reading } from './reading.ts'

/** In which way a text looks like a secret, or may hold it unseen. */
export type Resemblance =
  | 'a piece of it'
  | 'its letters, in another case or with something between them'
  | 'its letters, backwards'
  | 'its letters, each replaced by another'
  | 'its bytes, in base85 or base58'
  | 'compressed or encrypted data'

/** In which way a reading does; `undefined` if in none. */
export type Likeness = (reading: Reading) => Resemblance | undefined

/** What a text has to be like; `undefined` for one as long as a file, whose lines are pieces. */
export function likenessTo({ texts, base64 }: Secret): Likeness | undefined {
  const [text] = texts
  if (text === undefined || text.length > 1_000) return undefined
  const bare = bareOf(text)
  const backwards = [bare, ...base64].map((each) => [...each].toReversed().join(''))
  const any = new Set(bare)
  const steps = kinds.map((kind) => ({ kind, needles: stepNeedles(text, kind) }))
  const dense = texts.slice(0, 4).map((each) => denselyHolds([...new TextEncoder().encode(each)]))
  return ({ text: read, form }) => {
    if (sharesPiece(read, text)) return 'a piece of it'
    if (bare.length >= fewest && mayHold(read, any)) {
      const letters = bareOf(read)
      if (letters.includes(bare)) {
        return 'its letters, in another case or with something between them'
      }
      if (letters.includes(backwards[0] as string)) return 'its letters, backwards'
    }
    if (backwards.slice(1).some((each) => each.length >= 8 && read.includes(each))) {
      return 'its letters, backwards'
    }
    if (isReplaced(read, steps)) return 'its letters, each replaced by another'
    if (form === 'plain' && dense.some((holds) => holds(read)))
      return 'its bytes, in base85 or base58'
    return isPacked(read, form) ? 'compressed or encrypted data' : undefined
  }
}

const fewest = 6

/** Whether at least half of the secret stands in the text, in a row, and not as a common word. */
function sharesPiece(text: string, secret: string): boolean {
  const least = Math.max(8, Math.ceil(secret.length / 2))
  const block = Math.ceil(least / 2)
  for (let at = 0; at + block <= secret.length; at += block) {
    const piece = secret.slice(at, at + block)
    for (let found = text.indexOf(piece); found !== -1; found = text.indexOf(piece, found + 1)) {
      const shared = sharedAround(text, found, secret, at, block)
      if (
        shared.length >= least &&
        (isUncommon(shared) || shared.length * 3 >= secret.length * 2)
      ) {
        return true
      }
    }
  }
  return false
}

function sharedAround(
  text: string,
  found: number,
  secret: string,
  at: number,
  length: number,
): string {
  let before = 0
  while (before < at && before < found && text[found - before - 1] === secret[at - before - 1]) {
    before += 1
  }
  let after = length
  while (at + after < secret.length && text[found + after] === secret[at + after]) after += 1
  return secret.slice(at - before, at + after)
}

function bareOf(text: string): string {
  return text
    .normalize('NFKC')
    .replace(/[^\p{L}\p{N}]+/gu, '')
    .toLowerCase()
}

/** Whether the text holds all of the letters at all; most don't. */
function mayHold(text: string, letters: ReadonlySet<string>): boolean {
  // eslint-disable-next-line no-control-regex
  if (!/^[\x00-\x7f]*$/.test(text)) return true
  for (const letter of letters) {
    if (!text.includes(letter) && !text.includes(letter.toUpperCase())) return false
  }
  return true
}

/**
 * The characters in which a text is written, and how many there are: whoever moves each by as many
 * places, as ROT13 and ROT47 do, leaves the steps from each to the next as they are.
 */
interface Kind {
  of: (code: number) => number
  count: number
}

const kinds: readonly Kind[] = [
  { of: (code) => ((code | 32) >= 97 && (code | 32) <= 122 ? (code | 32) - 97 : -1), count: 26 },
  { of: (code) => (code >= 33 && code <= 126 ? code - 33 : -1), count: 94 },
]

/** The steps from each character of a kind to the next, a character for each. */
function stepsOf(text: string, { of, count }: Kind): string {
  const codes = new Uint16Array(text.length)
  let length = 0
  let last = -1
  for (let at = 0; at < text.length; at++) {
    const place = of(text.charCodeAt(at))
    if (place === -1) continue
    if (last !== -1) codes[length++] = (place - last + count) % count
    last = place
  }
  return textOf(codes.subarray(0, length))
}

/** The steps of the text and of its mirror image (Atbash); none if chance might make the same. */
function stepNeedles(text: string, kind: Kind): string[] {
  const steps = stepsOf(text, kind)
  if (steps.length < 7 || new Set(steps).size < 5) return []
  const back = [...steps].map((step) =>
    String.fromCharCode((kind.count - step.charCodeAt(0)) % kind.count),
  )
  // Its mirror image, forwards and backwards; backwards, its steps turn round.
  return [steps, back.join(''), [...steps].toReversed().join(''), back.toReversed().join('')]
}

function isReplaced(text: string, all: readonly { kind: Kind; needles: string[] }[]): boolean {
  return all.some(({ kind, needles }) => {
    if (needles.length === 0) return false
    const steps = stepsOf(text, kind)
    return needles.some((needle) => steps.includes(needle))
  })
}
