import { candidatesOf, labelOf, unitAt, type Candidate } from './candidates.ts'
import { readStatements } from './read-statements.ts'
import type { Candidates, StatementsRequest } from './candidates.ts'
import type { StatementFact } from '../facts.ts'
import type { Unit } from './units.ts'

/**
 * A term that has been said is worth this much of its worth the next time. On real sessions the
 * result is the same between a half and seven tenths.
 */
const AGAIN = 0.6
/** What many texts speak about matters more than what stands once, but not by much. */
const WORTH_OF_SHARED = 0.5
const MOST_SHARED = 16
/** What any unit costs besides its tokens: a few words alone are seldom a statement. */
const PER_UNIT = 4
/** What stands next to something kept is worth more: whole passages read better than fragments. */
const BESIDE_KEPT = 1.3
/** What was only loaded takes this share of the room, and more only where the rest leaves some. */
const MOST_LOADED = 0.2
/** Units are taken in rounds; each takes those that are worth this much of the best one left. */
const ROUND = 0.95

/** The sections in which statements stand. */
export type Place = 'discoveries' | 'accomplished' | 'relevant files'

/** What stands next to a summary is not told again. */
interface StandsBeside {
  includes: (text: string) => boolean
}

/** What is told beside some texts: lines for each place, in at most so many tokens. */
export type RankedStatements = (
  beside: StandsBeside,
) => (tokens: number, said: string, stands?: string) => Record<Place, string[]>

/**
 * What is told of the statements of a session, ranked once for all its summaries: always what brings
 * most for its length, where terms that were said already bring less and less. It reads no meaning:
 * what is new, specific and spoken about often is worth keeping.
 * @returns the lines for each place, in order of time, in at most `tokens`; `said` and `stands` stand
 * elsewhere.
 */
export function rankedStatements(request: StatementsRequest): RankedStatements {
  const { facts, count } = request
  const read = readStatements(facts.statements, count)
  const { vocabulary } = read
  const candidates = candidatesOf(request, read)
  const worth = Float64Array.from(read.shared, worthOfShared)
  const told = (
    weights: Float64Array,
    ...[tokens, said, stands = '']: Parameters<ReturnType<RankedStatements>>
  ): Record<Place, string[]> => {
    const times = new Uint32Array(vocabulary.size)
    for (const term of vocabulary.known(said)) times[term] = 1
    const chosen = choose({ ...candidates, weights }, { worth, times, tokens, stands })
    const places: Record<Place, string[]> = {
      discoveries: [],
      accomplished: [],
      'relevant files': [],
    }
    for (const [{ fact, read }, kept] of byStatement(candidates, chosen)) {
      places[placeOf(fact)].push(linesOf(fact, labelOf(fact, facts), { units: read.units, kept }))
    }
    return places
  }
  return (beside) => {
    const weights = weightsBeside(candidates, beside)
    return (...given) => told(weights, ...given)
  }
}

/** The statements of which some units were chosen, each with the places of these among its units. */
function byStatement({ of }: Candidates, chosen: Uint8Array): Map<Candidate, number[]> {
  const kept = new Map<Candidate, number[]>()
  for (let at = chosen.indexOf(1); at >= 0; at = chosen.indexOf(1, at + 1)) {
    const candidate = of[at] as Candidate
    const units = kept.get(candidate)
    if (units) units.push(at - candidate.first)
    else kept.set(candidate, [at - candidate.first])
  }
  return kept
}

/** What the candidates weigh where these texts stand next to the summary. */
function weightsBeside(candidates: Candidates, beside: StandsBeside): Float64Array {
  const weights = Float64Array.from(candidates.weights)
  let begun: Candidate | undefined
  let isBeside = false
  for (const [at, candidate] of candidates.of.entries()) {
    if (weights[at] === 0) continue
    if (candidate !== begun) {
      begun = candidate
      isBeside = beside.includes(beginningOf(candidate.fact.text))
    }
    if (isBeside && beside.includes(unitAt(candidates, at).text)) weights[at] = 0
  }
  return weights
}

/** The beginning of a text, which appears next to the summary even where the text is clipped. */
function beginningOf(text: string): string {
  return text.slice(0, 80).split('\n', 1)[0] ?? ''
}

/** What a term is worth that stands in so many statements. */
function worthOfShared(statements = 0): number {
  return 1 + WORTH_OF_SHARED * Math.log2(Math.min(Math.max(statements, 1), MOST_SHARED))
}

/** By unit, 1 for each that is kept. */
function choose(
  candidates: Candidates,
  {
    worth,
    times,
    tokens,
    stands,
  }: {
    worth: Float64Array
    times: Uint32Array
    tokens: number
    stands: string
  },
): Uint8Array {
  const { of, weights } = candidates
  const { length } = of
  const chosen = new Uint8Array(length)
  const framed = new Set<Candidate>()
  const told = new Set<string>()
  // Values only fall while others are chosen, but for that of a neighbour.
  const bounds = new Float64Array(length)
  let left = tokens
  const termsAt = (at: number): readonly number[] => {
    const { read, first } = of[at] as Candidate
    return read.terms[at - first] as readonly number[]
  }
  /** It was chosen already, or is the subject of a commit that the summary names. */
  const isTold = (at: number): boolean => {
    const words = unitAt(candidates, at).text.trim()
    return told.has(words) || (of[at]?.fact.source === 'message' && stands.includes(words))
  }
  const isKept = (at: number, candidate: Candidate): boolean =>
    chosen[at] === 1 && of[at] === candidate
  const valueOf = (at: number): number => {
    const candidate = of[at] as Candidate
    let sum = 0
    for (const term of termsAt(at)) {
      sum += (worth[term] as number) * AGAIN ** (times[term] as number)
    }
    const beside = isKept(at - 1, candidate) || isKept(at + 1, candidate) ? BESIDE_KEPT : 1
    return ((weights[at] as number) * sum * beside) / (costOf(at) + PER_UNIT)
  }
  /** With the frame of its text and with what introduces it, where they are not paid yet. */
  const costOf = (at: number): number => {
    const candidate = of[at] as Candidate
    let cost = framed.has(candidate) ? 0 : candidate.frame
    for (let each = at; each >= 0 && chosen[each] !== 1; each = leadOf(each)) {
      cost += candidate.read.tokens[each - candidate.first] as number
    }
    return cost
  }
  /** Where that stands which introduces it; -1 if nothing does. */
  const leadOf = (at: number): number => {
    const { read, first } = of[at] as Candidate
    const { lead } = read.units[at - first] as Unit
    return lead < 0 ? -1 : first + lead
  }
  const raise = (at: number): void => {
    bounds[at] = (bounds[at] as number) * BESIDE_KEPT
  }
  const take = (at: number): void => {
    const candidate = of[at] as Candidate
    for (let each = at; each >= 0 && chosen[each] !== 1; each = leadOf(each)) {
      chosen[each] = 1
      told.add(unitAt(candidates, each).text.trim())
      for (const term of termsAt(each)) times[term] = (times[term] as number) + 1
    }
    framed.add(candidate)
    if (at > candidate.first || candidate.follows) raise(at - 1)
    const next = of[at + 1]
    if (next === candidate || next?.follows === true) raise(at + 1)
  }
  /** Takes what fits, the best first; of what was only loaded, no more than its share. */
  const fill = (share: number): void => {
    let loadedLeft = share
    for (let at = 0; at < length; at++) {
      const isOpen = weights[at] !== 0 && chosen[at] !== 1
      bounds[at] = isOpen && termsAt(at).length > 0 ? Infinity : 0
    }
    for (let limit = Infinity; limit > 0 && left > 0;) {
      let best = 0
      for (let at = length - 1; at >= 0; at--) {
        if ((bounds[at] as number) >= limit) {
          const { isLoaded } = of[at] as Candidate
          const cost = costOf(at)
          const fits = cost <= Math.min(left, isLoaded ? loadedLeft : left)
          bounds[at] = fits && chosen[at] === 0 && !isTold(at) ? valueOf(at) : 0
          if ((bounds[at] as number) >= limit) {
            bounds[at] = 0
            left -= cost
            if (isLoaded) loadedLeft -= cost
            take(at)
          }
        }
        best = Math.max(best, bounds[at] as number)
      }
      limit = Math.min(limit, best) * ROUND
    }
  }
  fill(tokens * MOST_LOADED)
  fill(tokens)
  return chosen
}

function placeOf({ source, worked }: StatementFact): Place {
  if (source === 'message') return 'accomplished'
  const isSaid = source === 'answer' || source === 'remark' || source === 'thought'
  if (isSaid || source === 'asked') return worked === true ? 'accomplished' : 'discoveries'
  return 'relevant files'
}

/** The units of a statement that were chosen, with a sign where some are left out between them. */
function linesOf(
  { seq, disputedBy }: StatementFact,
  label: string,
  { units, kept }: { units: readonly Unit[]; kept: readonly number[] },
): string {
  let text = ''
  let last = -1
  for (const at of kept) {
    const { text: own, line } = units[at] as Unit
    const isBlock = /^\s*(?:```|~~~)/.test(own)
    if (isBlock && at === last + 1 && units[last]?.line === line) {
      text = `${text.slice(0, text.lastIndexOf('\n'))}${own.slice(own.indexOf('\n'))}`
      last = at
      continue
    }
    const gap = text !== '' && at > last + 1 ? leftOut(text) : ''
    const joint = text === '' ? '' : units[last]?.line === line && !isBlock ? ' ' : '\n'
    text += `${gap}${joint}${own}`
    last = at
  }
  if (last < units.length - 1 && !/[….]\W{0,3}$/.test(text.slice(-4))) text += leftOut(text)
  const disputed = disputedBy === undefined ? '' : ` (the human said no [${disputedBy}])`
  const begin = label === '' ? '' : `${label}${text.includes('\n') ? '\n' : ' '}`
  return `- [${seq}]${disputed} ${begin}${dedented(text)}`.replaceAll('\n', '\n  ')
}

/** A text whose first line begins where the line does; the others keep their place below it. */
function dedented(text: string): string {
  const depth = text.search(/\S/)
  if (depth <= 0) return text
  return text
    .split('\n')
    .map((line) => line.slice(Math.min(depth, Math.max(line.search(/\S/), 0))))
    .join('\n')
}

/** The sign for what is left out after a text; the end of a block of code stands alone. */
function leftOut(text: string): string {
  if (text.endsWith('…')) return ''
  return /(?:^|\n)\s{0,12}(?:`{3,}|~{3,})$/.test(text.slice(-40)) ? '\n…' : ' …'
}
