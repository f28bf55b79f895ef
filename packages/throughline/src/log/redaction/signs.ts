import { textOf } from './characters.ts'

/** The letters and digits of a text, and what stands apart among them. */
export interface Signs {
  /** All of them, with nothing between. */
  all: string
  /** Those that stand alone between other signs. */
  alone: string
  /** Numbers, as bytes, in each way that a program prints them. */
  bytes: readonly string[]
  /** Long words with digits in them. */
  long: readonly string[]
}

const [letter, hexadecimal, digit] = [1, 2, 4]
const kinds = new Uint8Array(0x10000)
const known = new Uint8Array(0x10000)

function kindOf(code: number): number {
  if (known[code] === 1) return kinds[code] as number
  known[code] = 1
  const sign = String.fromCharCode(code)
  if (/[\p{L}\p{N}]/u.test(sign)) {
    kinds[code] =
      letter | (/[\da-fx]/i.test(sign) ? hexadecimal : 0) | (/\d/.test(sign) ? digit : 0)
  }
  return kinds[code] as number
}

// `0x` and the digits of eight bytes.
const longestNumber = 18
const shortestLong = 11

export function signsOf(text: string): Signs {
  const codes = new Uint16Array(text.length)
  let length = 0
  const alone: number[] = []
  const numbers = new Numbers()
  const long: string[] = []
  let [from, some, every] = [0, 0, 7]
  for (let at = 0; at <= text.length; at++) {
    const code = at < text.length ? text.charCodeAt(at) : 0
    const kind = kindOf(code)
    if (kind !== 0) {
      codes[length++] = code
      some |= kind
      every &= kind
      continue
    }
    const size = at - from
    if (size === 1) alone.push(text.charCodeAt(from))
    if (size > 0 && size <= longestNumber && (every & hexadecimal) !== 0) {
      numbers.add(text.slice(from, at))
    }
    if (size >= shortestLong && (some & digit) !== 0) long.push(text.slice(from, at))
    ;[from, some, every] = [at + 1, 0, 7]
  }
  return {
    all: textOf(codes.subarray(0, length)),
    alone: rowOf(alone),
    bytes: numbers.rows(),
    long,
  }
}

class Numbers {
  readonly #decimal: number[] = []
  /** Hexadecimal, of one byte. */
  readonly #narrow: number[] = []
  /** Of any number of bytes, from either end. */
  readonly #high: number[] = []
  readonly #low: number[] = []

  add(word: string): void {
    if (/^\d{1,3}$/.test(word) && Number(word) < 256) this.#decimal.push(Number(word))
    const digits = /^(?:0x)?([\da-f]{1,16})$/i.exec(word)?.[1]
    if (digits === undefined) return
    const pairs = digits.padStart(digits.length + (digits.length % 2), '0').match(/../g) ?? []
    const bytes = pairs.map((pair) => Number.parseInt(pair, 16))
    if (/^0*..?$/.test(digits)) this.#narrow.push(bytes.at(-1) as number)
    this.#high.push(...bytes)
    // A GUID turns its short groups round, and not its longest.
    this.#low.push(...(bytes.length > 4 ? bytes : bytes.toReversed()))
  }

  rows(): string[] {
    const rows = [...everySecond(rowOf(this.#decimal)), rowOf(this.#narrow)]
    return [...rows, rowOf(this.#high), rowOf(this.#low)]
  }
}

/** A row, and every second of it: an index stands between, or each stands there twice. */
export function everySecond(row: string): string[] {
  const second = (phase: number): string => [...row].filter((_, at) => at % 2 === phase).join('')
  return row.length < 8 ? [] : [row, second(0), second(1)]
}

function rowOf(codes: readonly number[]): string {
  return textOf(Uint16Array.from(codes))
}
