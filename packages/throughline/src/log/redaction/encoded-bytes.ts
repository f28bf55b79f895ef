import { gap, textOf } from './characters.ts'
import type { Form, Reading, Stretch } from './reading.ts'

/** What the encoded bytes in a text say, a character for each byte. */
export interface DecodedBytes extends Reading {
  /** The runs that look like text: only these may be encoded again. */
  readable: Reading | undefined
}

/** A run of encoded bytes: where its bytes are here, and where each comes from. */
interface Run {
  here: number
  source: (byte: number) => Stretch
}

// Fewer bytes cannot hold a secret.
const fewest = 6

/** Where bytes are written before they are read as a text; grows with the longest text. */
let scratch = new Uint16Array(4_096)

/** Collects the bytes of runs. */
export class Runs {
  readonly #of: Reading
  readonly #form: Form
  #length = 0
  readonly #runs: Run[] = []

  constructor(of: Reading, form: Form) {
    this.#of = of
    this.#form = form
  }

  /** Adds a run of at most `most` bytes; `write` puts them there and returns how many there are. */
  add(
    most: number,
    write: (codes: Uint16Array, at: number) => number,
    source: (byte: number) => Stretch,
  ): void {
    if (this.#length + most >= scratch.length) {
      const larger = new Uint16Array((this.#length + most) * 2)
      larger.set(scratch.subarray(0, this.#length))
      scratch = larger
    }
    const count = write(scratch, this.#length)
    if (count < fewest) return
    this.#runs.push({ here: this.#length, source })
    this.#length += count
    scratch[this.#length++] = gap
  }

  decoded(): DecodedBytes | undefined {
    if (this.#runs.length === 0) return undefined
    const text = textOf(scratch.subarray(0, this.#length))
    return { ...this.#reading(text, this.#runs), readable: this.#readable(text) }
  }

  #reading(text: string, runs: readonly Run[]): Reading {
    const of = this.#of
    const place = (at: number): Stretch => {
      const { here, source } = runs[lastUpTo(runs, at)] as Run
      return source(at - here)
    }
    return {
      text,
      form: this.#form,
      source: (from, to) => of.source(place(from)[0], place(to - 1)[1]),
    }
  }

  #readable(text: string): Reading | undefined {
    const runs: Run[] = []
    const texts: string[] = []
    let length = 0
    for (const [index, run] of this.#runs.entries()) {
      const end = this.#runs[index + 1]?.here ?? this.#length
      if (!isReadable(scratch.subarray(run.here, end))) continue
      runs.push({ here: length, source: run.source })
      texts.push(text.slice(run.here, end))
      length += end - run.here
    }
    return runs.length === 0 ? undefined : this.#reading(texts.join(''), runs)
  }
}

function lastUpTo(runs: readonly Run[], at: number): number {
  let low = 0
  let high = runs.length - 1
  while (low < high) {
    const middle = (low + high + 1) >>> 1
    if ((runs[middle] as Run).here <= at) low = middle
    else high = middle - 1
  }
  return low
}

/** Whether the bytes of a run look like a text, in UTF-8 or in UTF-16. */
function isReadable(codes: Uint16Array): boolean {
  let [zeros, controls] = [0, 0]
  for (let at = 0; at < codes.length - 1; at++) {
    const code = codes[at] as number
    if (code === 0) zeros += 1
    else if (code < 0x20 && (code < 7 || code > 13) && code !== 0x1b) controls += 1
  }
  return zeros > codes.length / 4 ? zeros < codes.length * 0.9 : controls === 0
}

/** An alphabet whose characters stand for a few bits each. */
interface Alphabet {
  /** The value of each character; `other` for any other. */
  values: Uint8Array
  bits: number
}

const other = 64

function alphabetOf(bits: number, ...all: readonly string[]): Alphabet {
  const values = new Uint8Array(128).fill(other)
  for (const characters of all) {
    for (let value = 0; value < characters.length; value++) {
      values[characters.charCodeAt(value)] = value
    }
  }
  return { values, bits }
}

export const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'
export const numerals = '0123456789'
const plain64 = `${letters}${letters.toLowerCase()}${numerals}`
/** Base64 and its form for URLs. */
const alphabet64 = alphabetOf(6, `${plain64}+/`, `${plain64}-_`)
const alphabet32 = alphabetOf(5, `${letters}234567`, `${letters.toLowerCase()}234567`)
const alphabetHex32 = alphabetOf(5, `${numerals}ABCDEFGHIJKLMNOPQRSTUV`)
/** That of uuencode, in which a blank may be written as a grave accent. */
const alphabetUu = alphabetOf(
  6,
  String.fromCharCode(...Array.from({ length: 64 }, (_, value) => 32 + value)),
  '`',
)

/**
 * The bytes that base64 in the text stands for, if it began `phase` characters into each run: what
 * stands before it may look like a part of it. Of all runs, or of those that begin like a text.
 */
export function base64Bytes(
  reading: Reading,
  phase: 0 | 1 | 2 | 3,
  which: 'all' | 'readable',
): DecodedBytes | undefined {
  const { text } = reading
  const runs = new Runs(reading, 'base64')
  eachRun(text, alphabet64, (begin, end) => {
    const from = begin + phase
    if (which === 'all' || mayBeRead(text, from, end, phase))
      addRun(runs, text, from, end, alphabet64)
  })
  return runs.decoded()
}

/** The same of base32, in either of its alphabets. */
export function base32Bytes(reading: Reading): DecodedBytes[] {
  return [alphabet32, alphabetHex32].flatMap((alphabet) => {
    const runs = new Runs(reading, 'base32')
    eachRun(reading.text, alphabet, (from, to) => addRun(runs, reading.text, from, to, alphabet))
    return runs.decoded() ?? []
  })
}

/** The same of the lines of uuencode, each behind its length; with a frame around them or without. */
export function uuencodedBytes(reading: Reading): DecodedBytes | undefined {
  const { text } = reading
  const runs = new Runs(reading, 'uuencode')
  let lines: Stretch[] = []
  const end = (): void => {
    if (lines.length > 0) addLines(runs, text, lines)
    lines = []
  }
  for (const { 0: line, index } of text.matchAll(/^[!-M][ -`]{4,64}$/gm)) {
    const last = lines.at(-1)
    if (last && text.slice(last[1], index).trim() !== '') end()
    const size = line.charCodeAt(0) - 32
    const digits = line.length - 1
    // Blanks at an end may be gone, and a sign to check it by may stand there.
    const fits = digits <= Math.ceil(size / 3) * 4 + 1 && digits >= Math.ceil((size * 4) / 3) - 3
    if (fits) lines.push([index, index + line.length])
    else end()
  }
  end()
  return runs.decoded()
}

/** Bytes of lines, as many of each as its first character says. */
function addLines(runs: Runs, text: string, lines: readonly Stretch[]): void {
  const places: Stretch[] = []
  const write = (codes: Uint16Array, at: number): number => {
    for (const [from, to] of lines) {
      const size = text.charCodeAt(from) - 32
      const here = at + places.length
      const digits = Math.ceil((size * 4) / 3)
      writeBytes(text.slice(from + 1, to).padEnd(digits), 0, digits, codes, here, alphabetUu)
      for (let byte = 0; byte < size; byte++) {
        const first = from + 1 + Math.floor((byte * 8) / 6)
        places.push([Math.min(first, to - 1), Math.min(first + 2, to)])
      }
    }
    return places.length
  }
  const most = lines.reduce((sum, [from, to]) => sum + to - from, 64)
  runs.add(most, write, (byte) => places[byte] as Stretch)
}

function addRun(runs: Runs, text: string, from: number, to: number, alphabet: Alphabet): void {
  const { bits } = alphabet
  runs.add(
    to - from,
    (codes, at) => writeBytes(text, from, to, codes, at, alphabet),
    (byte) => [from + Math.floor((byte * 8) / bits), from + Math.ceil(((byte + 1) * 8) / bits)],
  )
}

const probe = new Uint16Array(16)

/** Most words are no base64, which shows at once. */
function mayBeRead(text: string, from: number, to: number, phase: number): boolean {
  return beginsReadable(text, from, to) || (phase === 0 && beginsPacked())
}

/** Whether what was probed begins as gzip, zlib, zip, Zstandard or xz do. */
function beginsPacked(): boolean {
  const [one, two, three, four] = probe
  if (one === 0x1f) return two === 0x8b && three === 8
  if (one === 0x78) return two === 1 || two === 0x9c || two === 0xda
  if (one === 0x28) return two === 0xb5 && three === 0x2f && four === 0xfd
  if (one === 0x50) return two === 0x4b && three === 3 && four === 4
  return one === 0xfd && two === 0x37 && three === 0x7a
}

function beginsReadable(text: string, from: number, to: number): boolean {
  const count = writeBytes(text, from, Math.min(to, from + 12), probe, 0, alphabet64)
  for (let at = 0; at < count; at++) {
    const code = probe[at] as number
    if (code < 0x20) {
      if (code !== 0 && (code < 7 || code > 13) && code !== 0x1b && probe[at + 1] !== 0)
        return false
    } else if (code >= 0x80) {
      const zero = probe[at + 1] === 0 || probe[at - 1] === 0
      const next = at + 1 < count ? (probe[at + 1] as number) >> 6 === 2 : true
      const within = at > 0 && (probe[at - 1] as number) >= 0x80 && code >> 6 === 2
      if (!zero && !within && !(code >= 0xc2 && code < 0xf5 && next)) return false
    }
  }
  return true
}

/** Calls back for each run of at least eight characters of an alphabet. */
function eachRun(
  text: string,
  { values }: Alphabet,
  found: (from: number, to: number) => void,
): void {
  let from = 0
  for (let at = 0; at <= text.length; at++) {
    const code = at < text.length ? text.charCodeAt(at) : 0
    if (code < 128 && values[code] !== other) continue
    if (at - from >= 8) found(from, at)
    from = at + 1
  }
}

function writeBytes(
  text: string,
  from: number,
  to: number,
  codes: Uint16Array,
  at: number,
  { values, bits: width }: Alphabet,
): number {
  let bits = 0
  let held = 0
  let here = at
  for (let index = from; index < to; index++) {
    bits = ((bits << width) | (values[text.charCodeAt(index)] as number)) & 0xfffff
    held += width
    if (held < 8) continue
    held -= 8
    codes[here++] = (bits >> held) & 0xff
  }
  return here - at
}

// What stands before the bytes may look like their first digit; then their last one stands alone.
const hexRun = /(?:0x)?[\da-fA-F]{2}(?:(?:,[ +]|[ :,+=-])?(?:0x)?[\da-fA-F]{2}){5,}[\da-fA-F]?/g
const hexPair = /[\da-fA-F]{2}/g

/** The same of hexadecimal digits, with or without something between the pairs. */
export function hexBytes(reading: Reading, phase: 0 | 1): DecodedBytes | undefined {
  const { text } = reading
  const runs = new Runs(reading, 'hex')
  for (const { 0: run, index } of text.matchAll(hexRun)) {
    const places: number[] = []
    const write = (codes: Uint16Array, at: number): number => {
      const digits = run.replace(/0x/g, '  ').slice(phase)
      for (const { 0: pair, index: offset } of digits.matchAll(hexPair)) {
        codes[at + places.length] = Number.parseInt(pair, 16)
        places.push(index + phase + offset)
      }
      return places.length
    }
    runs.add(run.length, write, (byte) => [places[byte] as number, (places[byte] as number) + 2])
  }
  return runs.decoded()
}

// Between commas, as the arguments of calls that are put together, or with their places.
const numberRun =
  /(?:"\d{1,6}":[ ]?)?-?\d{1,3}(?:(?:[ \t]?,[\s+]{0,20}(?:"\d{1,6}":[ ]?)?-?|\)?[ ]?[+.&,][ ]?[a-zA-Z]{1,5}\(|;&#|&#|[ \t]?[;:|/_-][ \t]?)\d{1,3}){5,}/g

/** The same of a list of numbers, as a program prints bytes. */
export function numberedBytes(reading: Reading): DecodedBytes | undefined {
  const { text } = reading
  const runs = new Runs(reading, 'numbers')
  for (const { 0: run, index } of text.matchAll(numberRun)) {
    const places: Stretch[] = []
    const write = (codes: Uint16Array, at: number): number => {
      for (const { 0: digits, index: offset } of run.matchAll(/(?:(?<![^,\s])-)?\d+(?!\d*":)/g)) {
        const byte = Number(digits)
        codes[at + places.length] = byte < 256 ? byte & 0xff : gap
        places.push([index + offset, index + offset + digits.length])
      }
      return places.length
    }
    runs.add(run.length, write, (byte) => places[byte] as Stretch)
  }
  return runs.decoded()
}

// As programs write numbers of other bases: `0o163`, `0b1110011`, and the `0163` of C.
const basedRun =
  /0(?:o[0-7]{2,3}|b[01]{6,8}|[0-7]{2,3})(?:["'\s,;]{1,8}0(?:o[0-7]{2,3}|b[01]{6,8}|[0-7]{2,3})){5,}/g

/** The same of a list of numbers in other bases, each with its sign. */
export function basedBytes(reading: Reading): DecodedBytes | undefined {
  const { text } = reading
  const runs = new Runs(reading, 'numbers')
  for (const { 0: run, index } of text.matchAll(basedRun)) {
    const places: Stretch[] = []
    const write = (codes: Uint16Array, at: number): number => {
      for (const { 0: digits, index: offset } of run.matchAll(/0[ob]?\d+/g)) {
        const code = /^0\d/.test(digits) ? Number.parseInt(digits, 8) : Number(digits)
        codes[at + places.length] = code < 256 ? code : gap
        places.push([index + offset, index + offset + digits.length])
      }
      return places.length
    }
    runs.add(run.length, write, (byte) => places[byte] as Stretch)
  }
  return runs.decoded()
}

/**
 * What base64 writes for these bytes, wherever they begin in what is encoded; without the
 * characters that depend on what stands around them.
 */
export function base64Of(bytes: string): string[] {
  return [0, 1, 2].flatMap((offset) => {
    const shifted = '\0'.repeat(offset) + bytes
    const whole = btoa(shifted).slice(
      Math.ceil((offset * 8) / 6),
      Math.floor((shifted.length * 8) / 6),
    )
    const forUrls = whole.replaceAll('+', '-').replaceAll('/', '_')
    return forUrls === whole ? [whole] : [whole, forUrls]
  })
}
