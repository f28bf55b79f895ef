import { isUncommon } from './secret.ts'
import type { Stretch } from './reading.ts'

/** A piece of a secret in a text: where it is in each. */
interface Piece {
  at: number
  from: number
  to: number
}

/** How many characters in a row make a piece. */
const block = 4
/** How far from each other pieces of one secret are. */
const reach = 160

/** What is looked for in pieces. */
export interface Whole {
  text: string
  /** What a stretch of it looks like to people; without it, it is no text of words. */
  written?: (from: number, to: number) => string
}

/**
 * Whether a text holds a large part of it, in a row or in pieces that follow each other: a third, or two
 * thirds where common words may be meant. A third in a row of those is a part.
 */
export function holdsPieces(text: string, whole: Whole, onPart?: OnPart): boolean {
  const { text: secret, written } = whole
  const fewest = secret.length < 12 ? 6 : 8
  let chains: Chain[] = []
  for (const { at, from, to } of piecesIn(text, secret)) {
    chains = chains.filter(({ end }) => at - end <= reach)
    // What stands between two pieces may look like the end of one.
    const before = chains
      .filter((one) => one.to < to && one.end < at + to - from)
      .map((one) => ({ ...one, held: one.held - Math.max(0, one.to - from) }))
      .reduce((best, one) => (one.held > best.held ? one : best), nothing)
    const row = to - from
    const isSure = before.isSure || written === undefined || isNoWord(written(from, to))
    const chain = { end: at + row, to, held: before.held + row, isSure }
    if (chain.held >= Math.max(fewest, secret.length / (isSure ? 3 : 1.5))) return true
    if (row >= Math.max(fewest, secret.length / 3)) onPart?.([from, to])
    chains = [...chains, chain].slice(-mostChains)
  }
  return false
}

/** Which stretch of the whole stands there. */
export type OnPart = (part: Stretch) => void

/** Whether a text holds the smallest piece of a secret. */
export function holdsAny(text: string, secret: string): boolean {
  return piecesIn(text, secret).length > 0
}

interface Chain {
  end: number
  to: number
  held: number
  isSure: boolean
}

const nothing: Chain = { end: 0, to: 0, held: 0, isSure: false }
const mostChains = 32

function isNoWord(piece: string): boolean {
  return isUncommon(piece) || /\d{8}/.test(piece)
}

/** The pieces of a secret in a text, in the order of the text. */
function piecesIn(text: string, secret: string): Piece[] {
  if (secret.length < block) return []
  const pieces = new Map<string, Piece>()
  // In a short one, a piece may stand between two blocks.
  const step = secret.length < 4 * block ? 1 : block
  for (let next = 0; next < secret.length; next += step) {
    const part = Math.min(next, secret.length - block)
    const wanted = secret.slice(part, part + block)
    for (let found = text.indexOf(wanted); found !== -1; found = text.indexOf(wanted, found + 1)) {
      const piece = pieceAround(text, found, secret, part)
      pieces.set(`${piece.at} ${piece.from}`, piece)
    }
  }
  return [...pieces.values()].sort((one, other) => one.at - other.at)
}

function pieceAround(text: string, at: number, secret: string, part: number): Piece {
  let before = 0
  while (before < part && before < at && text[at - before - 1] === secret[part - before - 1]) {
    before += 1
  }
  let to = part + block
  while (to < secret.length && text[at - part + to] === secret[to]) to += 1
  return { at: at - before, from: part - before, to }
}
