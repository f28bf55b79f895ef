import { Runs, type DecodedBytes } from './encoded-bytes.ts'
import type { Reading } from './reading.ts'

/** What a token of a dump stands for: bytes; `undefined` if it is none. */
type Token = (token: string) => readonly number[] | undefined

// What a line of a dump shows, at least where it is a line of its own.
const many = 16

const hex: Token = (token) =>
  /^(?:[\da-fA-F]{2}){1,8}$/.test(token)
    ? Array.from({ length: token.length / 2 }, (_, at) =>
        Number.parseInt(token.slice(at * 2, at * 2 + 2), 16),
      )
    : undefined

/** A number of several bytes, the lowest first. */
function numberOf(token: string, width: 2 | 4): number[] | undefined {
  if (!/^-?\d{1,10}$/.test(token)) return undefined
  const number = Number(token)
  if (Math.abs(number) >= 256 ** width) return undefined
  return Array.from({ length: width }, (_, at) => Math.floor(number / 256 ** at) & 0xff)
}

/** Each way in which a program prints bytes between spaces. */
const ways: readonly Token[] = [
  hex,
  (token) => hex(token)?.toReversed(),
  (token) => (/^[0-3]?[0-7]{3}$/.test(token) ? [Number.parseInt(token, 8) & 0xff] : undefined),
  (token) => {
    const word = /^[01][0-7]{5}$/.test(token) ? Number.parseInt(token, 8) : undefined
    return word === undefined ? undefined : [word & 0xff, word >> 8]
  },
  (token) => (/^-?\d{1,3}$/.test(token) ? [Number(token) & 0xff] : undefined),
  (token) => numberOf(token, 2),
  (token) => numberOf(token, 4),
  (token) =>
    /^(?:[01]{8})+$/.test(token)
      ? Array.from({ length: token.length / 8 }, (_, at) =>
          Number.parseInt(token.slice(at * 8, at * 8 + 8), 2),
        )
      : undefined,
]

// Three numbers between spaces, an address before anything, or bits in a row.
const dumpLine =
  /(?:^|\s)-?[\da-fA-F]{1,16}\s{1,6}-?[\da-fA-F]{1,16}\s{1,6}-?[\da-fA-F]{1,16}|^[ \t]*[\da-fA-F]{6,16}:?[ \t]|[01]{16}/m

/** Whether a text may show bytes in columns. */
export function mayBeDump(text: string): boolean {
  return dumpLine.test(text)
}

/**
 * The bytes of dumps (`xxd`, `hexdump`, `od`), and of numbers between spaces, in each base. Whoever
 * finds something there finds whole lines, because they show the bytes as characters, too.
 */
export function dumpedBytes(reading: Reading): DecodedBytes[] {
  const { text } = reading
  if (!mayBeDump(text)) return []
  const lines = linesOf(text)
  const bytes = ways.map((way) => decoded(reading, lines, (line) => tokensOf(line, way)))
  return [...bytes, decoded(reading, lines, cellsOf)].filter((each) => each !== undefined)
}

interface Line {
  from: number
  to: number
  text: string
  /** Whether an address stands before it. */
  isPlaced: boolean
}

function linesOf(text: string): Line[] {
  const lines: Line[] = []
  for (let from = 0; from < text.length;) {
    const end = text.indexOf('\n', from)
    const to = end === -1 ? text.length : end
    const address = /^[ \t]*([\da-fA-F]{4,16})(:?)[ \t]+(\S*)/.exec(text.slice(from, from + 200))
    const isPlaced =
      address !== null && (address[2] === ':' || address[1]?.length !== address[3]?.length)
    // What stands behind the address begins where its blanks end, or for cells just behind it.
    const begin = isPlaced ? from + address[0].indexOf(address[1] as string) : from
    const behind = isPlaced
      ? begin + (address[1] as string).length + (address[2] as string).length
      : from
    lines.push({ from, to, text: text.slice(behind, to), isPlaced })
    from = to + 1
  }
  return lines
}

function decoded(
  reading: Reading,
  lines: readonly Line[],
  bytesOf: (line: Line) => readonly number[],
): DecodedBytes | undefined {
  const runs = new Runs(reading, 'dump')
  let codes: number[] = []
  let of: Line[] = []
  const end = (): void => {
    const [all, places] = [codes, of]
    if (all.length > 0) {
      runs.add(
        all.length,
        (into, at) => (into.set(all, at), all.length),
        (byte) => {
          const { from, to } = places[byte] as Line
          return [from, to]
        },
      )
    }
    codes = []
    of = []
  }
  for (const line of lines) {
    const bytes = bytesOf(line)
    if (bytes.length === 0) end()
    for (const byte of bytes) {
      codes.push(byte)
      of.push(line)
    }
  }
  end()
  return runs.decoded()
}

/** The bytes of the first tokens in a row; what stands behind them shows them as characters. */
function tokensOf({ text, isPlaced }: Line, way: Token): number[] {
  const bytes: number[] = []
  let width = 0
  let count = 0
  for (const { 0: token } of text.matchAll(/[^\s|>]+|[|>]/g)) {
    const meant = token.length <= 4_096 ? way(token) : undefined
    if (!meant || (width > 0 && meant.length > width)) {
      if (bytes.length > 0 || isPlaced) break
      continue
    }
    width ||= meant.length
    count += 1
    bytes.push(...meant)
    if (meant.length < width || (isPlaced && bytes.length >= 64)) break
  }
  const isAlone = count === 1 && /^\s*\S+\s*$/.test(text.slice(0, 100))
  return isPlaced || count > 1 || isAlone || bytes.length >= many ? bytes : []
}

const namesOfControls =
  'nul soh stx etx eot enq ack bel bs ht nl vt ff cr so si dle dc1 dc2 dc3 dc4 nak syn etb can em sub esc fs gs rs us sp'

/** How `od` names what it cannot show: `-a` by words, `-c` by escapes. */
const named: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    namesOfControls.split(' ').map((name, code) => [name, String.fromCharCode(code)]),
  ),
  del: '\x7f',
  '\\0': '\0',
  '\\a': '\x07',
  '\\b': '\b',
  '\\t': '\t',
  '\\n': '\n',
  '\\v': '\v',
  '\\f': '\f',
  '\\r': '\r',
}

/** The same of `od -c`: a character in four columns. */
function cellsOf({ text, isPlaced }: Line): number[] {
  const bytes: number[] = []
  if (!isPlaced || text.length < 4 || text.length > 400) return bytes
  for (let at = 0; at < text.length; at += 4) {
    const cell = text.slice(at, at + 4).trim()
    const said = cell === '' ? ' ' : (named[cell] ?? cell)
    if (said.length === 1) bytes.push(said.charCodeAt(0) & 0xff)
    else if (/^[0-3][0-7]{2}$/.test(said)) bytes.push(Number.parseInt(said, 8))
    else return []
  }
  return bytes
}
