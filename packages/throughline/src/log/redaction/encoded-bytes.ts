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
class Runs {
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

/** The value of each character in base64 and in its form for URLs; 64 for any other. */
const sextets = ((): Uint8Array => {
  const table = new Uint8Array(128).fill(64)
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
  for (let value = 0; value < 64; value++) table[alphabet.charCodeAt(value)] = value
  table[0x2d] = 62
  table[0x5f] = 63
  return table
})()

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
  eachRun(text, (begin, end) => {
    const from = begin + phase
    if (which === 'readable' && !beginsReadable(text, from, end)) return
    runs.add(
      end - from,
      (codes, at) => writeBase64(text, from, end, codes, at),
      (byte) => [from + Math.floor((byte * 8) / 6), from + Math.ceil(((byte + 1) * 8) / 6)],
    )
  })
  return runs.decoded()
}

const probe = new Uint16Array(16)

/** Most words are no base64, which shows at once. */
function beginsReadable(text: string, from: number, to: number): boolean {
  const count = writeBase64(text, from, Math.min(to, from + 12), probe, 0)
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

/** Calls back for each run of at least eight characters of base64. */
function eachRun(text: string, found: (from: number, to: number) => void): void {
  let from = 0
  for (let at = 0; at <= text.length; at++) {
    const code = at < text.length ? text.charCodeAt(at) : 0
    if (code < 128 && (sextets[code] as number) < 64) continue
    if (at - from >= 8) found(from, at)
    from = at + 1
  }
}

function writeBase64(
  text: string,
  from: number,
  to: number,
  codes: Uint16Array,
  at: number,
): number {
  let bits = 0
  let held = 0
  let here = at
  for (let index = from; index < to; index++) {
    bits = ((bits << 6) | (sextets[text.charCodeAt(index)] as number)) & 0xfffff
    held += 6
    if (held < 8) continue
    held -= 8
    codes[here++] = (bits >> held) & 0xff
  }
  return here - at
}

// What stands before the bytes may look like their first digit; then their last one stands alone.
const hexRun = /(?:0x)?[\da-fA-F]{2}(?:(?:,[ +]|[ :,+-])?(?:0x)?[\da-fA-F]{2}){5,}[\da-fA-F]?/g
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

const numberRun = /\d{1,3}(?:[ \t]?,[\s+]{0,20}\d{1,3}){5,}/g

/** The same of a list of numbers, as a program prints bytes. */
export function numberedBytes(reading: Reading): DecodedBytes | undefined {
  const { text } = reading
  const runs = new Runs(reading, 'numbers')
  for (const { 0: run, index } of text.matchAll(numberRun)) {
    const places: Stretch[] = []
    const write = (codes: Uint16Array, at: number): number => {
      for (const { 0: digits, index: offset } of run.matchAll(/\d+/g)) {
        codes[at + places.length] = Number(digits) < 256 ? Number(digits) : gap
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
