import { relativeTo } from '../paths/clean-path.ts'
import { statementLabel } from './note-statements.ts'
import { announcedIn, isOffer, isWeighty, muses } from './says-little.ts'
import { Vocabulary } from './terms.ts'
import { FENCE, unitsOf, type Unit } from './units.ts'
import type { Facts, StatementFact, StatementSource } from '../facts.ts'
import type { CountTokens } from '../../tokens/message-tokens.ts'

/** How much a term is worth in each kind of statement. */
const WEIGHTS: Readonly<Record<StatementSource, number>> = {
  plan: 1.3,
  message: 1.2,
  answer: 1,
  asked: 1,
  remark: 0.9,
  thought: 0.6,
  comment: 0.5,
  report: 0.5,
  document: 0.4,
  instructions: 0.35,
}

/** A document that the human named is what the work is about, and so is a list of open tasks. */
const NAMED = 0.8
const TASKS = 1
const OPEN_TASK = /^\s{0,8}[-*] \[ \] /gm
/** Once the human has spoken so often since, such a list no longer says what is worked on. */
const SPOKEN_PAST = 4
/** What the human said no to. */
const DISPUTED = 0.5
/** Once the human has replied, nobody waits for what was asked or offered. */
const SETTLED = 0.25
/** `- [ ] Write the parser`, open or done: where it stands again, only the newest says what holds. */
const TASK = /^\s{0,12}(?:[-*+] |\d{1,3}[.)] )?\[[ xX]\] /
/** “Next is src/a.ts.”, said again and again of another file, only tells how far the work is. */
const FEWEST_OF_REFRAIN = 4
/** Code can be read again where it was written to; what is said about it can't. */
const CODE = 0.6
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
/** More text than this, newest first, is not read for what it says. In characters. */
export const mostCharacters = 1_200_000

/** What the words of a unit say about it. */
interface ReadUnit extends Unit {
  kind: 'silent' | 'musing' | 'doing' | 'offer' | 'code' | undefined
  refrain: string | undefined
}

/** The units of a statement, with what depends on who counts and on what else was said. */
interface ReadStatement {
  units: readonly ReadUnit[]
  tokens: number[]
  terms: number[][]
}

interface Read {
  counter: CountTokens
  vocabulary: Vocabulary
  statements: ReadStatement[]
}

const known = new WeakMap<readonly StatementFact[], Read>()

/**
 * Reads the statements of a session, each once. Calling this while a session grows spares its
 * compactions the reading.
 * @param most how many more are read.
 */
export function readStatements(
  statements: readonly StatementFact[],
  counter: CountTokens,
  most = Infinity,
): Read {
  let read = known.get(statements)
  if (read?.counter !== counter) {
    known.set(statements, (read = { counter, vocabulary: new Vocabulary(), statements: [] }))
  }
  const { vocabulary } = read
  const end = Math.min(statements.length, read.statements.length + most)
  while (read.statements.length < end) {
    const units = unitsIn(statements[read.statements.length] as StatementFact)
    let line = -1
    // A caller's counter may throw: nothing is half read.
    const tokens = units.map((unit): number => {
      const joins = unit.line === line
      line = unit.line
      return counter(joins ? `${unit.text}\n` : `  ${unit.text}\n`)
    })
    read.statements.push({ units, tokens, terms: units.map(({ text }) => vocabulary.read(text)) })
  }
  return read
}

const units = new WeakMap<StatementFact, readonly ReadUnit[]>()

/** The units of a statement, read once, whoever asks first. */
function unitsIn(fact: StatementFact): readonly ReadUnit[] {
  const known =
    units.get(fact) ??
    unitsOf(fact.text).map((unit): ReadUnit => ({
      ...unit,
      kind: unit.isLead ? 'silent' : kindOf(unit.text, fact.source),
      refrain: unit.isLead ? undefined : refrainOf(unit.text, fact.source),
    }))
  units.set(fact, known)
  return known
}

function kindOf(text: string, source: StatementSource): ReadUnit['kind'] {
  const isMusing = source === 'thought' && muses(text)
  const announced = announcedIn(text)
  if (announced !== undefined) return announced === 'doing' && !isMusing ? announced : 'silent'
  if (isMusing) return 'musing'
  if (FENCE.test(text)) return 'code'
  return (source === 'answer' || source === 'remark') && isOffer(text) ? 'offer' : undefined
}

/** Whether no summary tells anything of a statement: it only announces what is done next. */
export function saysNothing(fact: StatementFact): boolean {
  return unitsIn(fact).every(({ kind }) => kind === 'silent' || kind === 'doing')
}

/** The sections in which statements stand. */
export type Place = 'discoveries' | 'accomplished' | 'relevant files'

/** What decides which statements are told. */
export interface StatementsRequest {
  facts: Facts
  count: CountTokens
  /** How much what was said then is still worth. */
  ofTime: (seq: number) => number
  /** How much more a text is worth to the caller. */
  ofFocus: (text: string) => number
}

/** What stands next to a summary is not told again. */
interface StandsBeside {
  includes: (text: string) => boolean
}

/** What is told beside some texts: lines for each place, in at most so many tokens. */
export type RankedStatements = (
  beside: StandsBeside,
) => (tokens: number, said: string, stands?: string) => Record<Place, string[]>

interface Candidate extends ReadUnit {
  fact: StatementFact
  tokens: number
  terms: readonly number[]
  /** Where its statement begins and ends among all candidates. */
  first: number
  /** What stands before its statement, in tokens. */
  frame: number
  weight: number
  isLoaded: boolean
}

/**
 * What is told of the statements of a session, ranked once for all its summaries: always what brings
 * most for its length, where terms that were said already bring less and less. It reads no meaning:
 * what is new, specific and spoken about often is worth keeping.
 * @returns the lines for each place, in order of time, in at most `tokens`; `said` and `stands` stand
 * elsewhere.
 */
export function rankedStatements(request: StatementsRequest): RankedStatements {
  const { facts, count } = request
  const { vocabulary, statements } = readStatements(facts.statements, count)
  const candidates = candidatesOf(request, statements)
  const worth = worthOfTerms(candidates, vocabulary.size)
  const told = (
    weights: Float64Array,
    ...[tokens, said, stands = '']: Parameters<ReturnType<RankedStatements>>
  ): Record<Place, string[]> => {
    const times = new Uint32Array(vocabulary.size)
    for (const term of vocabulary.known(said)) times[term] = 1
    const chosen = choose(candidates, { worth, weights, times, tokens, stands })
    const places: Record<Place, string[]> = {
      discoveries: [],
      accomplished: [],
      'relevant files': [],
    }
    for (let at = 0; at < candidates.length;) {
      const { fact, first } = candidates[at] as Candidate
      const units: Candidate[] = []
      const kept: number[] = []
      for (; candidates[at]?.first === first; at++) {
        if (chosen[at] === 1) kept.push(units.length)
        units.push(candidates[at] as Candidate)
      }
      if (kept.length > 0)
        places[placeOf(fact)].push(linesOf(fact, labelOf(fact, facts), { units, kept }))
    }
    return places
  }
  return (beside) => {
    const weights = weightsBeside(candidates, beside)
    return (...given) => told(weights, ...given)
  }
}

/** What the candidates weigh where these texts stand next to the summary. */
function weightsBeside(candidates: readonly Candidate[], beside: StandsBeside): Float64Array {
  const weights = new Float64Array(candidates.length)
  let begun = -1
  let isBeside = false
  for (const [at, { fact, first, weight, text }] of candidates.entries()) {
    if (weight === 0) continue
    if (first !== begun) {
      begun = first
      isBeside = beside.includes(beginningOf(fact.text))
    }
    weights[at] = isBeside && beside.includes(text) ? 0 : weight
  }
  return weights
}

function candidatesOf(
  { facts, count, ofTime, ofFocus }: StatementsRequest,
  statements: readonly ReadStatement[],
): Candidate[] {
  // What the newest request replies to may still be needed to understand it.
  const replied = facts.requests.at(-2)?.seq ?? 0
  const isOld = overtakenDocuments(facts)
  const bare = count(`- [${facts.seq}] \n`)
  let left = mostCharacters
  const held: { fact: StatementFact; read: ReadStatement }[] = []
  for (let at = facts.statements.length - 1; at >= 0 && left >= 0; at--) {
    const fact = facts.statements[at] as StatementFact
    if (fact.overtakenBy !== undefined || isOld(fact, at)) continue
    left -= fact.text.length
    held.push({ fact, read: statements[at] as ReadStatement })
  }
  const passed = facts.requests.at(-SPOKEN_PAST)?.seq ?? 0
  const words = facts.requests.map(({ text }) => text.slice(0, 20_000)).join('\n')
  const isNamed = (path: string): boolean => {
    const name = path.slice(path.lastIndexOf('/') + 1)
    return name.length >= 4 && words.includes(name)
  }
  const candidates: Candidate[] = []
  const tasks = new Map<string, number>()
  const refrains = new Map<string, Map<string, Candidate[]>>()
  for (const { fact, read } of held.toReversed().toSorted((a, b) => a.fact.seq - b.fact.seq)) {
    const { source, text, seq, worked } = fact
    const first = candidates.length
    const label = labelOf(fact, facts)
    const frame = label === '' ? bare : count(`- [${seq}] ${label}\n`)
    const isDocument = source === 'document'
    const isTasks = isDocument && seq >= passed && (text.match(OPEN_TASK)?.length ?? 0) >= 2
    const isWork = isTasks || (isDocument && isNamed(fact.about ?? ''))
    const holds = fact.carried || isTasks || source === 'plan' || source === 'instructions'
    const weight =
      (isTasks ? TASKS : isWork ? NAMED : WEIGHTS[source]) *
      (fact.disputedBy === undefined ? 1 : DISPUTED) *
      (holds ? 1 : ofTime(seq))
    const isLoaded = source === 'instructions' || (isDocument && worked !== true && !isWork)
    for (const [at, unit] of read.units.entries()) {
      const { kind } = unit
      const isSilent =
        kind === 'silent' || kind === 'musing' || (kind === 'doing' && worked !== true)
      if (TASK.test(unit.text)) {
        const task = unit.text.replace(TASK, '')
        const before = candidates[tasks.get(task) ?? -1]
        if (before) before.weight = 0
        tasks.set(task, candidates.length)
      }
      const own = kind === 'code' ? CODE : kind === 'offer' && seq < replied ? SETTLED : 1
      const weighed = isSilent ? 0 : weight * own * ofFocus(unit.text)
      const candidate: Candidate = {
        ...unit,
        fact,
        tokens: read.tokens[at] as number,
        terms: read.terms[at] as number[],
        first,
        frame,
        weight: weighed,
        isLoaded,
      }
      candidates.push(candidate)
      if (unit.refrain === undefined) continue
      const texts = refrains.get(unit.refrain) ?? new Map<string, Candidate[]>()
      refrains.set(unit.refrain, texts)
      const same = texts.get(unit.text)
      if (same) same.push(candidate)
      else texts.set(unit.text, [candidate])
    }
  }
  for (const texts of refrains.values()) {
    if (texts.size < FEWEST_OF_REFRAIN) continue
    for (const older of [...texts.values()].slice(0, -1).flat()) older.weight = 0
  }
  return candidates
}

const NAME = /`[^`]*`|\S*[\p{N}_/\\]\S*|\S+[.:]\w\S*|\S*\p{Ll}\p{Lu}\S*/gu

/** A short sentence without its one name or number, which alone may differ when it is said again. */
function refrainOf(text: string, source: StatementSource): string | undefined {
  const isSaid = source === 'answer' || source === 'remark' || source === 'thought'
  if (!isSaid || isWeighty(text)) return undefined
  const [before = '', after, ...more] = text.split(NAME)
  if (after === undefined || more.length > 0) return undefined
  return /\p{L}{2}/u.test(before + after) ? `${before}#${after}` : undefined
}

/** The beginning of a text, which appears next to the summary even where the text is clipped. */
function beginningOf(text: string): string {
  return text.slice(0, 80).split('\n', 1)[0] ?? ''
}

/** A document that was read or written as a whole since then, or that is gone, says nothing more. */
function overtakenDocuments({ statements, files, root = '' }: Facts) {
  const newest = new Map<string, number>()
  for (const [at, { source, about, whole }] of statements.entries()) {
    if (source === 'document' && about !== undefined && whole) {
      newest.set(relativeTo(root, about), at)
    }
  }
  return ({ source, about, seq, carried }: StatementFact, position: number): boolean => {
    if (source !== 'document' || about === undefined) return false
    const path = relativeTo(root, about)
    const file = files.get(path)
    if (file?.state === 'deleted' && !carried && (file.seqs.at(-1) ?? 0) > seq) return true
    return position < (newest.get(path) ?? 0)
  }
}

/** What terms are worth: it depends on in how many statements each stands. */
function worthOfTerms(candidates: readonly Candidate[], terms: number): Float64Array {
  const last = new Int32Array(terms).fill(-1)
  const worth = new Float64Array(terms)
  for (const { first, terms } of candidates) {
    for (const term of terms) {
      if (last[term] !== first) worth[term] = (worth[term] as number) + 1
      last[term] = first
    }
  }
  return worth.map(
    (texts) => 1 + WORTH_OF_SHARED * Math.log2(Math.min(Math.max(texts, 1), MOST_SHARED)),
  )
}

/** By position, 1 for each candidate that is kept. */
function choose(
  candidates: readonly Candidate[],
  {
    worth,
    weights,
    times,
    tokens,
    stands,
  }: {
    worth: Float64Array
    weights: Float64Array
    times: Uint32Array
    tokens: number
    stands: string
  },
): Uint8Array {
  const { length } = candidates
  const chosen = new Uint8Array(length)
  const framed = new Set<number>()
  const told = new Set<string>()
  // Values only fall while others are chosen, but for that of a neighbour.
  const bounds = new Float64Array(length).fill(Infinity)
  let left = tokens
  /** It was chosen already, or is the subject of a commit that the summary names. */
  const isTold = (at: number): boolean => {
    const { text, fact } = candidates[at] as Candidate
    const words = text.trim()
    return told.has(words) || (fact.source === 'message' && stands.includes(words))
  }
  const isKept = (at: number, first: number): boolean =>
    chosen[at] === 1 && candidates[at]?.first === first
  const valueOf = (at: number): number => {
    const { terms, first } = candidates[at] as Candidate
    let sum = 0
    for (const term of terms) sum += (worth[term] as number) * AGAIN ** (times[term] as number)
    const beside = isKept(at - 1, first) || isKept(at + 1, first) ? BESIDE_KEPT : 1
    return ((weights[at] as number) * sum * beside) / (costOf(at) + PER_UNIT)
  }
  /** With the frame of its text and with what introduces it, where they are not paid yet. */
  const costOf = (at: number): number => {
    const { first, frame } = candidates[at] as Candidate
    let cost = framed.has(first) ? 0 : frame
    for (const each of withLeads(at)) cost += candidates[each]?.tokens ?? 0
    return cost
  }
  const withLeads = (at: number): number[] => {
    const all: number[] = []
    for (let each = at; chosen[each] !== 1;) {
      all.push(each)
      const { lead, first } = candidates[each] as Candidate
      if (lead < 0) break
      each = first + lead
    }
    return all
  }
  const take = (at: number): void => {
    const { first } = candidates[at] as Candidate
    for (const each of withLeads(at)) {
      chosen[each] = 1
      const { terms, text } = candidates[each] as Candidate
      told.add(text.trim())
      for (const term of terms) times[term] = (times[term] as number) + 1
    }
    framed.add(first)
    for (const next of [at - 1, at + 1]) bounds[next] = (bounds[next] ?? 0) * BESIDE_KEPT
  }
  /** Takes what fits, the best first; of what was only loaded, no more than its share. */
  const fill = (share: number): void => {
    let loadedLeft = share
    for (let at = 0; at < length; at++) {
      const isOpen = weights[at] !== 0 && chosen[at] !== 1
      bounds[at] = isOpen && candidates[at]?.terms.length !== 0 ? Infinity : 0
    }
    for (let limit = Infinity; limit > 0 && left > 0;) {
      let best = 0
      for (let at = length - 1; at >= 0; at--) {
        if ((bounds[at] as number) >= limit) {
          const { isLoaded } = candidates[at] as Candidate
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

function labelOf({ source, about }: StatementFact, { root = '' }: Facts): string {
  return statementLabel({ source, ...(about !== undefined && { about: relativeTo(root, about) }) })
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
