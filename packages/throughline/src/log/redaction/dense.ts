import { base64Of, letters, numerals } from './encoded-bytes.ts'
import { bytesOf } from './secret.ts'
import { signsOf, type Signs } from './signs.ts'

const small = letters.toLowerCase()

/** Adobe's base85, that of Git and Python, and ZeroMQ's. */
const alphabets85: readonly string[] = [
  Array.from({ length: 85 }, (_, value) => String.fromCharCode(33 + value)).join(''),
  `${numerals}${letters}${small}!#$%&()*+-;<=>?@^_\`{|}~`,
  `${numerals}${small}${letters}.-:+=^!/*?&<>()[]{}@%$#`,
]

/** Base32 of RFC 4648, its form that sorts, Crockford's and z-base-32. */
const alphabets32: readonly string[] = [
  `${small}234567`,
  `${numerals}${small.slice(0, 22)}`,
  `${numerals}${small.replace(/[ilou]/g, '')}`,
  'ybndrfg8ejkmcpqxot1uwisza345h769',
]

/** Those in which bytes are one number, and how such a number differs from a word. */
const alphabetsOfNumbers: readonly (readonly [alphabet: string, isNumber: RegExp])[] = [
  [numerals, /^\d+$/],
  [`${numerals}${small}`, /^(?=.*\d)(?=.*[a-z])[\da-z]+$/i],
  [
    `${numerals.slice(1)}${letters.replace(/[IO]/g, '')}${small.replace('l', '')}`,
    /^(?=.*\d)(?=.*[a-z])(?=.*[A-Z])[^0IOl]+$/,
  ],
  [`${numerals}${letters}${small}`, /^(?=.*\d)(?=.*[a-z])(?=.*[A-Z])/],
  [`${numerals}${small}${letters}`, /^(?=.*\d)(?=.*[a-z])(?=.*[A-Z])/],
]

/** So many digits in a row are no chance. */
const surely = 20

/**
 * Whether a text holds these texts in the digits of another base: with anything between the digits, or
 * as one number, behind some other bytes or without.
 */
export function inDigits(texts: readonly string[]): (text: string, signs: Signs) => boolean {
  const all = texts.map((text) => bytesOf(text)[0])
  const in85 = all.flatMap(needles85)
  const in64 = all.flatMap((bytes) => base64Of(bytes)).flatMap((each) => [each, inXx(each)])
  const both = in64.flatMap((each) => [each, [...each].toReversed().join('')])
  const others = all.flatMap((bytes) => [hexOf(bytes), ...needles32(bytes)])
  const holdsRun = holdsOneOf([...both, ...others].flatMap(runsOf))
  const wanted = all.map(hexOf)
  const lengths = all.map(({ length }) => length)
  const fewest = Math.floor((Math.min(...lengths) * 8) / Math.log2(62))
  const most = Math.max(...lengths) * 3 + 60
  const isInNumber = (word: string): boolean =>
    alphabetsOfNumbers.some(([alphabet, isNumber]) => {
      if (word.length < fewest || word.length > most || !isNumber.test(word)) return false
      const hex = hexOfNumber(alphabet.length === 36 ? word.toLowerCase() : word, alphabet)
      return wanted.some((each) => hex.includes(each))
    })
  return (text, { all: signs, long }) => {
    if (in85.some((needle) => text.includes(needle))) return true
    return holdsRun(signs) || long.some(isInNumber)
  }
}

/** Whether a text holds one of many others; it is read once. */
function holdsOneOf(needles: readonly string[]): (text: string) => boolean {
  const beginnings = new Map<number, string[]>()
  const isBeginning = new Uint8Array(0x10000)
  for (const needle of new Set(needles)) {
    let four = 0
    for (let at = 0; at < 4; at++) four = next(four, needle.charCodeAt(at))
    isBeginning[four] = 1
    beginnings.set(four, [...(beginnings.get(four) ?? []), needle])
  }
  return (text) => {
    let four = 0
    for (let at = 0; at < text.length; at++) {
      four = next(four, text.charCodeAt(at))
      if (isBeginning[four] === 0) continue
      if (beginnings.get(four)?.some((each) => text.startsWith(each, at - 3))) return true
    }
    return false
  }
}

/** A number for the last four characters. */
function next(four: number, code: number): number {
  return ((four << 4) ^ code) & 0xffff
}

/** Stretches of digits, one of which stays whole where lines break or an end is missing. */
function runsOf(digits: string): string[] {
  const bare = signsOf(digits).all
  if (bare.length < 8) return []
  if (bare.length <= surely) return [bare]
  return [0.2, 0.5, 0.8].map((part) => {
    const from = Math.floor((bare.length - surely) * part)
    return bare.slice(from, from + surely)
  })
}

const alphabetXx = `+-${numerals}${letters}${small}`
const alphabet64 = `${letters}${small}${numerals}+/`

/** What xxencode writes where base64 writes this. */
function inXx(base64: string): string {
  return base64.replace(/[^-_]/g, (digit) => alphabetXx[alphabet64.indexOf(digit)] as string)
}

/** What base32 writes for the bytes, in each alphabet and wherever they begin. */
function needles32(bytes: string): string[] {
  return [0, 1, 2, 3, 4].flatMap((before) => {
    const bits = [...'\0'.repeat(before), ...bytes].map((byte) => bitsOf(byte)).join('')
    const values = Array.from({ length: Math.floor(bits.length / 5) }, (_, at) =>
      Number.parseInt(bits.slice(at * 5, at * 5 + 5), 2),
    ).slice(Math.ceil((before * 8) / 5))
    return alphabets32.map((alphabet) => values.map((value) => alphabet[value]).join(''))
  })
}

function bitsOf(byte: string): string {
  return byte.charCodeAt(0).toString(2).padStart(8, '0')
}

/** What base85 writes for whole groups of the bytes, wherever the first group begins. */
function needles85(bytes: string): string[] {
  return [0, 1, 2, 3].flatMap((before) => {
    const groups: number[] = []
    for (let at = before; at + 4 <= bytes.length; at += 4) {
      groups.push(Number.parseInt(hexOf(bytes.slice(at, at + 4)), 16))
    }
    // One group of five characters may stand anywhere.
    if (groups.length < 2) return []
    return alphabets85.map((alphabet) => groups.map((group) => digits85(group, alphabet)).join(''))
  })
}

function digits85(group: number, alphabet: string): string {
  return [85 ** 4, 85 ** 3, 85 ** 2, 85, 1]
    .map((place) => alphabet[Math.floor(group / place) % 85])
    .join('')
}

function hexOfNumber(run: string, alphabet: string): string {
  let number = 0n
  for (const digit of run) {
    number = number * BigInt(alphabet.length) + BigInt(alphabet.indexOf(digit))
  }
  const hex = number.toString(16)
  return hex.length % 2 === 0 ? hex : `0${hex}`
}

function hexOf(bytes: string): string {
  return [...bytes].map((byte) => byte.charCodeAt(0).toString(16).padStart(2, '0')).join('')
}
