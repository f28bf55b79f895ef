import {
  asciiCount,
  classCount,
  classTable,
  groupOf,
  nextState,
  startState,
  stateCount,
} from './classes.ts'
import { asciiWeights, groupWeights, unitsPerToken } from './weights.ts'

/** After this many units, the sum moves to a double, so that it stays a small integer. */
const block = 0x10000

const base64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
let tables: Tables | undefined

interface Tables {
  classOf: ReturnType<typeof classTable>
  weights: Uint16Array
  next: Uint16Array
}

/**
 * Estimates the tokens of a text without a tokenizer. This is the default, without dependencies,
 * wherever a context is measured.
 *
 * It makes one pass: each UTF-16 unit adds a weight that depends on what came before it. The
 * weights are fitted to OpenAI's `o200k_base` on agent sessions, code, lists of paths and
 * identifiers, logs, encoded data and prose in 24 languages (`bench/tokens/fit.ts`). Other
 * vocabularies differ by a factor, which `calibrate` learns. Time is linear: 2 to 3 ms per million
 * characters. It accepts any string, including lone surrogates.
 *
 * @returns tokens: 0 for the empty text, else an integer of at least 1.
 * @example
 * estimateTokens('The quick brown fox jumps over the lazy dog.') // 11 (o200k_base: 10)
 */
export function estimateTokens(text: string): number {
  const length = text.length
  if (length === 0) return 0
  // Made for the first text: whoever only imports this module does not wait for them.
  const { classOf, weights, next } = (tables ??= pairTables())
  let total = 0
  let state = startState << 7
  for (let from = 0; from < length; from += block) {
    const to = Math.min(length, from + block)
    let sum = 0
    for (let index = from; index < to; index++) {
      const pair = state | (classOf[text.charCodeAt(index)] as number)
      sum += weights[pair] as number
      state = next[pair] as number
    }
    total += sum
  }
  return Math.max(1, Math.round(total / unitsPerToken))
}

/** `weights` and `next` are indexed by state << 7 | class; `next` holds states shifted likewise. */
function pairTables(): Tables {
  const weights = new Uint16Array(stateCount << 7)
  const next = new Uint16Array(stateCount << 7)
  for (let state = 0; state < stateCount; state++) {
    for (let unitClass = 0; unitClass < classCount; unitClass++) {
      weights[(state << 7) | unitClass] = pairWeight(state, unitClass)
      next[(state << 7) | unitClass] = nextState(state, unitClass) << 7
    }
  }
  return { classOf: classTable(), weights, next }
}

function pairWeight(state: number, unitClass: number): number {
  const row = state < asciiCount ? state : state - (classCount - asciiCount)
  if (unitClass < asciiCount && (state < asciiCount || state >= classCount)) {
    return digitAt(asciiWeights[row], unitClass) ** 2
  }
  const groups = groupWeights[groupOf(state)]
  const column = 2 * groupOf(unitClass)
  return digitAt(groups, column) * 64 + digitAt(groups, column + 1)
}

function digitAt(row: string | undefined, column: number): number {
  return base64.indexOf(row?.[column] ?? 'A')
}
