import { changeStrings } from './change-strings.ts'
import { utf16Readings, utf8Characters } from './characters.ts'
import { dumpedBytes } from './columns.ts'
import {
  base32Bytes,
  base64Bytes,
  basedBytes,
  hexBytes,
  numberedBytes,
  uuencodedBytes,
  type DecodedBytes,
} from './encoded-bytes.ts'
import { joinedDeltas, joinedLines, withoutQuotes, withoutSpaces } from './join-lines.ts'
import { asItIs, type Form, type Reading, type Stretch } from './reading.ts'
import { rarelyUnescaped } from './unescape.ts'
import { bytesOf, decodedTexts, type Loose, type Secret } from './secret.ts'

/** Where a text holds a secret, and how it is written there. */
export interface Found {
  at: Stretch
  form: Form
}

// Encodings within encodings, as deep as anyone has them.
const deepest = 6
// The readings of a text are together at most this many times as long.
const mostRead = 60
// A longer run is what it seems to be: nothing stands before it that only looks like a part of it.
const longRun = 100_000

/**
 * Where a text holds a secret: as it stands there, and in every reading of it. Stretches may
 * overlap. The time grows with the text.
 */
export function findSecret(text: string, secret: Secret): Found[] {
  return foundIn(asItIs(text), secret)
}

function foundIn(reading: Reading, secret: Secret, sight?: Sight): Found[] {
  const left = mostRead * reading.text.length
  const search: Search = { secret, found: [], left, see: (each) => sight?.see(each) }
  if (secret.needles.length > 0) look(reading, search, 0)
  sight?.end(search.found.length > 0)
  return search.found
}

/** Sees each reading of a text in which a secret is looked for. */
export interface Sight {
  /** The text as it stands there, or with what is encoded in it decoded. */
  see: (reading: Reading) => void
  /** Called behind the last one, with whether the secret was in them. */
  end: (isFound: boolean) => void
}

interface Search {
  secret: Secret
  found: Found[]
  /** What else wants to know each reading. */
  see: (reading: Reading) => void
  /** How many characters may still be read. */
  left: number
}

function look(reading: Reading, search: Search, depth: number): void {
  const { secret } = search
  search.left -= reading.text.length
  const texts = decodedTexts(reading)
  for (const each of texts) {
    find(each, secret.needles, search)
    search.see(each)
  }
  for (const rare of texts.flatMap(rarelyUnescaped)) {
    find(rare, secret.needles, search)
    search.see(rare)
  }
  // A program may have read its bytes as characters.
  find(reading, secret.bytes, search)
  for (const each of texts) lookAcross(each, search)
  if (depth >= deepest || reading.text.length < 8 || search.left < 0) return
  for (const each of utf16Readings(reading)) look(each, search, depth + 1)
  // Its digits look like escapes, as backslashes and percent signs do.
  for (const each of new Set([reading, ...texts])) lookInto(uuencodedBytes(each), search, depth)
  const last = texts.at(-1) as Reading
  lookIntoDigits(last, search, depth)
  // Lines in a row are one line, and what is found in columns is whole lines.
  for (const each of dumpedBytes(last)) lookInto(each, search, depth)
  const joined = joinedLines(last)
  if (joined) {
    search.see(joined)
    lookInto(base64Bytes(last, 0, 'readable'), search, depth)
  }
  if (joined) lookIntoDigits(joined, search, depth)
  lookIntoBase64(joined ?? last, search, depth)
}

/** Puts together what stands apart. */
function lookAcross(reading: Reading, search: Search): void {
  const { loose } = search.secret
  if (loose.wrapped.length === 0) return
  const joined = joinedLines(reading)
  if (joined) findLoose(withoutSpaces(joined) ?? joined, 'wrapped', search)
  // A sign at the end of a line may be its own, and not say that the line goes on.
  const bare = reading.text.replace(/\s+/g, '')
  if (loose.wrapped.some((text) => bare.includes(text))) {
    findLoose(withoutSpaces(reading), 'wrapped', search)
  }
  findLoose(withoutQuotes(joined ?? reading), 'quoted', search)
  const streamed = joinedDeltas(reading)
  if (streamed) for (const each of decodedTexts(streamed)) findLoose(each, 'streamed', search)
}

function findLoose(reading: Reading | undefined, form: Loose, search: Search): void {
  if (reading) find({ ...reading, form }, search.secret.loose[form], search)
}

function lookIntoBase64(reading: Reading, search: Search, depth: number): void {
  const { text } = reading
  const long = text.length > longRun
  const which = search.secret.base64.some((each) => text.includes(each)) ? 'all' : 'readable'
  for (const phase of long && which !== 'all' ? ([0] as const) : ([0, 1, 2, 3] as const)) {
    lookInto(base64Bytes(reading, phase, which), search, depth)
  }
}

function lookIntoDigits(reading: Reading, search: Search, depth: number): void {
  lookInto(hexBytes(reading, 0), search, depth)
  lookInto(hexBytes(reading, 1), search, depth)
  lookInto(numberedBytes(reading), search, depth)
  lookInto(basedBytes(reading), search, depth)
  for (const each of base32Bytes(reading)) lookInto(each, search, depth)
}

function lookInto(decoded: DecodedBytes | undefined, search: Search, depth: number): void {
  if (!decoded) return
  const { form, readable } = decoded
  find(decoded, search.secret.bytes, search)
  search.see(decoded)
  if (!readable) return
  const before = search.found.length
  const characters = utf8Characters(readable)
  if (characters) for (const each of utf16Readings(readable)) look(each, search, depth + 1)
  look(characters ?? readable, search, depth + 1)
  // How it is written there is how its outermost layer is written.
  for (const found of search.found.slice(before)) found.form = form
}

function find({ text, form, source }: Reading, needles: readonly string[], search: Search): void {
  for (const needle of needles) {
    for (let at = text.indexOf(needle); at !== -1; at = text.indexOf(needle, at + needle.length)) {
      search.found.push({ at: source(at, at + needle.length), form })
    }
  }
}

/** A value without the secret in any of its texts and bytes; the same if it is in none. */
export function without<Value>(value: Value, secret: Secret, sight?: Sight): Value {
  return changeStrings(
    value,
    (text) => withoutSecret(text, secret, sight),
    (bytes) => bytesWithoutSecret(bytes, secret, sight),
  )
}

/** The text without the secret, however it is written; the same text if it doesn't contain it. */
export function withoutSecret(text: string, secret: Secret, sight?: Sight): string {
  let clean = text
  // What is left of one may stand next to what is left of another.
  for (let round = 0; round < 3; round++) {
    const found = foundIn(asItIs(clean), secret, sight)
    if (found.length === 0) break
    clean = withoutStretches(
      clean,
      found.map(({ at }) => at),
      secret.marker,
    )
  }
  return clean
}

/** The same of bytes, which need not be a text. */
function bytesWithoutSecret(bytes: Uint8Array, secret: Secret, sight?: Sight): Uint8Array {
  let text = ''
  for (const byte of bytes) text += String.fromCharCode(byte)
  const found = foundIn(utf8Characters(asItIs(text)) ?? asItIs(text), secret, sight)
  if (found.length === 0) return bytes
  const stretches = found.map(({ at }) => at)
  const [marker] = bytesOf(secret.marker)
  return Uint8Array.from(withoutStretches(text, stretches, marker), (each) => each.charCodeAt(0))
}

/** The text with a marker in the place of each stretch; stretches that overlap are one. */
export function withoutStretches(
  text: string,
  stretches: readonly Stretch[],
  marker: string,
): string {
  let clean = ''
  let end = 0
  for (const [from, to] of [...stretches].sort((one, other) => one[0] - other[0])) {
    if (from >= end) clean += text.slice(end, from) + marker
    end = Math.max(end, to)
  }
  return clean + text.slice(end)
}
