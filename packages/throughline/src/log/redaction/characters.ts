import { Decoding, type Reading } from './reading.ts'

/** Stands between the bytes of two runs: no byte. */
export const gap = 0xffff

// A call takes this many arguments at least, on every engine.
const slice = 4_096

/** A text of these characters. */
export function textOf(codes: Uint16Array): string {
  const texts: string[] = []
  for (let at = 0; at < codes.length; at += slice) {
    texts.push(
      Reflect.apply(String.fromCharCode, undefined, codes.subarray(at, at + slice) as never),
    )
  }
  return texts.join('')
}

/** The characters of bytes in UTF-8; `undefined` if they are not, or are the same. */
export function utf8Characters(reading: Reading): Reading | undefined {
  const { text } = reading
  if (!/[\x80-\xff]/.test(text)) return undefined
  const decoding = new Decoding(reading)
  let end = 0
  for (const { 0: run, index } of text.matchAll(/[\x80-\xff]+/g)) {
    decoding.copy(end, index)
    for (const { text: meant, from, to } of charactersOf([...run].map(byteOf))) {
      decoding.put(meant, index + from, index + to)
    }
    end = index + run.length
  }
  decoding.copy(end, text.length)
  return decoding.reading(reading.form)
}

/**
 * The characters of bytes in UTF-16, from either byte on and with either end first; none if hardly
 * a byte is zero.
 */
export function utf16Readings(reading: Reading): Reading[] {
  const { text } = reading
  if (!text.includes('\0\0') && !/\0[^\0]\0/.test(text)) return []
  return [0, 1].flatMap((from) =>
    (['low', 'high'] as const).map((first): Reading => {
      const codes = new Uint16Array(Math.max(0, (text.length - from) >> 1))
      for (let at = 0; at < codes.length; at++) {
        const [one, other] = [text.charCodeAt(from + at * 2), text.charCodeAt(from + at * 2 + 1)]
        const known = one < 256 && other < 256
        codes[at] = known ? (first === 'low' ? one | (other << 8) : other | (one << 8)) : gap
      }
      return {
        text: textOf(codes),
        form: reading.form === 'plain' ? 'escaped' : reading.form,
        source: (begin, end) => reading.source(from + begin * 2, from + end * 2),
      }
    }),
  )
}

function byteOf(character: string): number {
  return character.charCodeAt(0)
}

/** A character that bytes stand for, and where it is among them. */
export interface Character {
  text: string
  from: number
  to: number
}

/** The characters of UTF-8; a byte that is none stands for the character of its number. */
export function charactersOf(bytes: readonly number[]): Character[] {
  const characters: Character[] = []
  for (let from = 0; from < bytes.length;) {
    const first = bytes[from] as number
    const length = first < 0xc2 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : first < 0xf5 ? 4 : 1
    const rest = bytes.slice(from + 1, from + length)
    const whole = rest.length === length - 1 && rest.every((byte) => byte >> 6 === 2)
    const to = whole ? from + length : from + 1
    const lead = length === 1 || !whole ? first : first & (0x7f >> length)
    const code = whole ? rest.reduce((sum, byte) => sum * 64 + (byte & 63), lead) : first
    characters.push({ text: String.fromCodePoint(Math.min(code, 0x10ffff)), from, to })
    from = to
  }
  return characters
}
