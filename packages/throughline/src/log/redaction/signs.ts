import { textOf } from './characters.ts'

/** The letters and digits of a text, in small letters of no shape, and what stands apart among them. */
export interface Signs {
  /** All of them, with nothing between. */
  all: string
  /** The same, where each is the letter that it looks like: `1` is `i`. */
  alike: string
  /** Those that stand alone between other signs. */
  alone: string
  /** Numbers, as bytes, in each way that a program prints them. */
  bytes: readonly string[]
  /** Long words with digits in them. */
  long: readonly string[]
}

const [letter, hexadecimal, digit] = [1, 2, 4]
const kinds = new Uint8Array(0x10000)
const caseless = new Uint16Array(0x10000)
const folded = new Uint16Array(0x10000)
const known = new Uint8Array(0x10000)

function kindOf(code: number): number {
  if (known[code] === 1) return kinds[code] as number
  known[code] = 1
  const sign = String.fromCharCode(code)
  const plain = withoutShape(sign)
  if (/^[\p{L}\p{N}]/u.test(plain)) {
    kinds[code] =
      letter | (/[\da-fx]/i.test(sign) ? hexadecimal : 0) | (/\d/.test(sign) ? digit : 0)
    caseless[code] = plain.charCodeAt(0)
    const place = lookalikes.indexOf(plain.charAt(0))
    folded[code] = place === -1 ? plain.charCodeAt(0) : meant.charCodeAt(place)
  }
  return kinds[code] as number
}

// Letters that look like others, and digits that stand for letters.
const lookalikes = 'аеорсухіјѕԁһкмтвαεορνικτı013457l'
const meant = 'aeopcyxijsdhkmtbaeopviktioieasti'

/** The letter of a sign, whatever its case, shape and accents. */
function withoutShape(sign: string): string {
  const bare = sign.normalize('NFKD').replace(/\p{M}/gu, '')
  return (bare.length === 1 ? bare : sign.normalize('NFKC')).toUpperCase().toLowerCase()
}

// `0x` and the digits of eight bytes.
const longestNumber = 18
const shortestLong = 11

export function signsOf(text: string): Signs {
  const codes = new Uint16Array(text.length)
  const alike = new Uint16Array(text.length)
  let length = 0
  const alone: number[] = []
  const numbers = new Numbers()
  const long: string[] = []
  let [from, some, every] = [0, 0, 7]
  for (let at = 0; at <= text.length; at++) {
    const code = at < text.length ? text.charCodeAt(at) : 0
    const kind = kindOf(code)
    if (kind !== 0) {
      alike[length] = folded[code] as number
      codes[length++] = caseless[code] as number
      some |= kind
      every &= kind
      continue
    }
    const size = at - from
    if (size === 1) alone.push(codes[length - 1] as number)
    if (size > 0 && size <= longestNumber && (every & hexadecimal) !== 0) {
      numbers.add(text.slice(from, at))
    }
    if (size >= shortestLong && (some & digit) !== 0) long.push(text.slice(from, at))
    ;[from, some, every] = [at + 1, 0, 7]
  }
  return {
    all: textOf(codes.subarray(0, length)),
    alike: textOf(alike.subarray(0, length)),
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
