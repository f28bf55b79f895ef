/**
 * Fits the weights of `estimateTokens` to o200k_base and writes them.
 *
 *     npx node bench/tokens/fit.ts <folder>
 *
 * Each file of the folder is one kind of text. A kind counts by the square root of its
 * size, so that ten megabytes of sessions do not drown ten kilobytes of Thai. One piece in
 * three is kept back, and the error on those is printed.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gptTokenCounter } from '../../packages/throughline/src/integrations/gpt-tokenizer/index.ts'
import {
  asciiCount,
  classCount,
  classTable,
  groupCount,
  groupOf,
  nextState,
  startState,
  stateCount,
} from '../../packages/throughline/src/tokens/estimate.ts'

interface Piece {
  pairs: Uint16Array
  tokens: number
  importance: number
}

const unitsPerToken = 1280
const base64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
const groupPairs = stateCount * asciiCount
const count = await gptTokenCounter()
const classOf = classTable()

function isAscii(state: number): boolean {
  return state < asciiCount || state >= classCount
}

/** ASCII pairs have separate weights; all others share those of their groups. */
function pairOf(state: number, unitClass: number): number {
  if (isAscii(state) && unitClass < asciiCount) return state * asciiCount + unitClass
  return groupPairs + groupOf(state) * groupCount + groupOf(unitClass)
}

function groupPairOf(pair: number): number {
  if (pair >= groupPairs) return pair
  const state = Math.floor(pair / asciiCount)
  return groupPairs + groupOf(state) * groupCount + groupOf(pair % asciiCount)
}

function pairsOf(text: string): Uint16Array {
  let state = startState
  return Uint16Array.from({ length: text.length }, (_, index) => {
    const unitClass = classOf[text.charCodeAt(index)] as number
    const pair = pairOf(state, unitClass)
    state = nextState(state, unitClass)
    return pair
  })
}

function piecesOf(text: string): Piece[] {
  const pieces: Piece[] = []
  for (let from = 0; from < text.length;) {
    const line = text.indexOf('\n', from + 400) + 1
    const word = text.indexOf(' ', from + 400)
    const to =
      line > 0 && line < from + 600 ? line : word > 0 && word < from + 600 ? word : from + 400
    const piece = text.slice(from, to)
    pieces.push({ pairs: pairsOf(piece), tokens: count(piece), importance: 0 })
    from = to
  }
  for (const piece of pieces) piece.importance = 1 / Math.sqrt(pieces.length)
  return pieces
}

function estimate(piece: Piece, weights: Float64Array): number {
  let sum = 0
  for (const pair of piece.pairs) sum += weights[pair] as number
  return sum
}

/** Adaptive gradient descent on the squared relative error; weights stay at or above zero. */
function descend(pieces: readonly Piece[], weights: Float64Array, grouped: boolean): void {
  const squares = new Float64Array(weights.length).fill(1e-8)
  const counts = new Float64Array(weights.length)
  let random = 7
  const order = pieces.map((_, index) => index)
  for (let epoch = 0; epoch < 15; epoch++) {
    for (let index = order.length - 1; index > 0; index--) {
      random = (random * 1103515245 + 12345) & 0x7fffffff
      const other = random % (index + 1)
      ;[order[index], order[other]] = [order[other] as number, order[index] as number]
    }
    const rate = 0.02 * (1 - epoch / 15) + 0.0005
    for (const index of order) {
      const piece = pieces[index] as Piece
      const pairs = grouped ? piece.pairs.map(groupPairOf) : piece.pairs
      let sum = 0
      for (const pair of pairs) {
        sum += weights[pair] as number
        counts[pair] = (counts[pair] as number) + 1
      }
      const error = ((sum - piece.tokens) / piece.tokens) * piece.importance
      for (const pair of pairs) {
        const times = counts[pair] as number
        if (times === 0) continue
        counts[pair] = 0
        const gradient = (error * times) / pairs.length
        squares[pair] = (squares[pair] as number) + gradient * gradient
        const step = (rate * gradient) / Math.sqrt(squares[pair] as number)
        weights[pair] = Math.max(0, (weights[pair] as number) - step)
      }
    }
  }
}

function groupUnits(weights: Float64Array, group: number, other: number): number {
  const weight = weights[groupPairs + group * groupCount + other] as number
  return Math.min(4095, Math.round(weight * unitsPerToken))
}

function write(weights: Float64Array): void {
  const ascii: string[] = []
  for (let state = 0; state < stateCount; state++) {
    if (!isAscii(state)) continue
    const row = weights.subarray(state * asciiCount, (state + 1) * asciiCount)
    const digits = Array.from(row, (weight, unitClass) => {
      const ofGroups = groupUnits(weights, groupOf(state), groupOf(unitClass))
      const digit = Math.min(63, Math.round(Math.sqrt(weight * unitsPerToken)))
      return (digit - Math.round(Math.sqrt(ofGroups)) + 64) % 64
    })
    ascii.push(digits.map((digit) => base64[digit]).join(''))
  }
  const groups: string[] = []
  for (let group = 0; group < groupCount; group++) {
    const numbers = Array.from({ length: groupCount }, (_, other) =>
      groupUnits(weights, group, other),
    )
    groups.push(numbers.map((units) => `${base64[units >> 6]}${base64[units & 63]}`).join(''))
  }
  const list = (rows: string[]): string => rows.map((row) => `  '${row}',\n`).join('')
  writeFileSync(
    join(import.meta.dirname, '../../packages/throughline/src/tokens/weights.ts'),
    `// Written by bench/tokens/fit.ts: change the fit, not the numbers.

export const unitsPerToken = ${unitsPerToken}

/**
 * A row per ASCII state and a base64 digit per ASCII class. The digit is what the pair has more
 * than its groups, modulo 64, in square roots of units: most are small, so the table compresses.
 */
export const asciiWeights: readonly string[] = [
${list(ascii)}]

/** A row per group, with two base64 digits per group: the weight in units. */
export const groupWeights: readonly string[] = [
${list(groups)}]
`,
  )
}

const folder = process.argv[2]
if (folder === undefined) throw new Error('Name a folder of texts, one file per kind of text.')
const kinds = readdirSync(folder).map((name) => ({
  name,
  pieces: piecesOf(readFileSync(join(folder, name), 'utf8').slice(0, 4_000_000)),
}))
const fitted = kinds.flatMap(({ pieces }) => pieces.filter((_, index) => index % 9 < 6))
const weights = new Float64Array(groupPairs + groupCount * groupCount).fill(0.8)
descend(fitted, weights, true)
for (let pair = 0; pair < groupPairs; pair++) weights[pair] = weights[groupPairOf(pair)] as number
descend(fitted, weights, false)
write(weights)
for (const { name, pieces } of kinds) {
  const kept = pieces.filter((_, index) => index % 9 >= 6)
  const tokens = kept.reduce((sum, piece) => sum + piece.tokens, 0)
  const estimated = kept.reduce((sum, piece) => sum + estimate(piece, weights), 0)
  console.log(name.padEnd(30), (estimated / tokens).toFixed(3))
}
