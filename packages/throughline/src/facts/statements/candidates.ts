import { relativeTo } from '../paths/clean-path.ts'
import { statementLabel } from './note-statements.ts'
import { share, type ReadStatement, type ReadUnit } from './read-statements.ts'
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
/** “Next is src/a.ts.”, said again and again of another file, only tells how far the work is. */
const FEWEST_OF_REFRAIN = 4
/** Code can be read again where it was written to; what is said about it can't. */
const CODE = 0.6
/** More text than this, newest first, is not read for what it says. In characters. */
export const mostCharacters = 1_200_000

/** What decides which statements are told. */
export interface StatementsRequest {
  facts: Facts
  count: CountTokens
  /** How much what was said then is still worth. */
  ofTime: (seq: number) => number
  /** How much more a text is worth to the caller. */
  ofFocus: (text: string) => number
}

/** A statement of which something may be told. */
export interface Candidate {
  fact: StatementFact
  read: ReadStatement
  /** Where its first unit stands among those of all candidates. */
  first: number
  /** What stands before its units, in tokens. */
  frame: number
  isLoaded: boolean
  /** Nothing was said between it and the candidate before it. */
  follows: boolean
}

/** Statements of which something may be told, and what their units weigh. */
export interface Candidates {
  /** By unit: the statement that it is of, in order of time. */
  of: readonly Candidate[]
  /** By unit; what weighs nothing is told by no summary. */
  weights: Float64Array
}

/**
 * What a summary may tell of the statements that hold. Those that say nothing, which are most of a
 * long session's, are left out: they only count where others share their words.
 */
export function candidatesOf(
  request: StatementsRequest,
  { statements, shared }: { statements: readonly ReadStatement[]; shared: number[] },
): Candidates {
  const { facts } = request
  const held = heldIn(facts, statements, shared)
  const of: Candidate[] = []
  const weights: number[] = []
  const weigh = weighing(request)
  const label = framing(request)
  let follows = false
  for (const { fact, read } of held) {
    if (read.tells === 'never' || (read.tells === 'if it worked' && fact.worked !== true)) {
      if (read.units.length > 0) follows = false
      continue
    }
    const { isLoaded, weightOf } = weigh(fact)
    const frame = label(fact, read)
    const candidate = { fact, read, first: of.length, frame, isLoaded, follows }
    if (read.units.length > 0) follows = true
    for (const unit of read.units) {
      of.push(candidate)
      weights.push(weightOf(unit))
    }
  }
  const candidates = { of, weights: Float64Array.from(weights) }
  dropOlderTasks(candidates)
  dropRefrains(candidates, held)
  return candidates
}

/** A unit of a candidate, by its place among those of all. */
export function unitAt({ of }: Candidates, at: number): ReadUnit {
  const { read, first } = of[at] as Candidate
  return read.units[at - first] as ReadUnit
}

interface Held {
  fact: StatementFact
  read: ReadStatement
}

/** The statements that hold, in order of time; their terms, and no others, are shared. */
function heldIn(facts: Facts, statements: readonly ReadStatement[], shared: number[]): Held[] {
  const isOld = overtakenDocuments(facts)
  const held: Held[] = []
  let left = mostCharacters
  for (let at = facts.statements.length - 1; at >= 0; at--) {
    const fact = facts.statements[at] as StatementFact
    const read = statements[at] as ReadStatement
    const holds = left >= 0 && fact.overtakenBy === undefined && !isOld(fact, at)
    share(read, holds, shared)
    if (!holds) continue
    left -= fact.text.length
    held.push({ fact, read })
  }
  return held.toReversed().toSorted((a, b) => a.fact.seq - b.fact.seq)
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

/** What the units of each statement weigh. */
function weighing({ facts, ofTime, ofFocus }: StatementsRequest) {
  // What the newest request replies to may still be needed to understand it.
  const replied = facts.requests.at(-2)?.seq ?? 0
  const passed = facts.requests.at(-SPOKEN_PAST)?.seq ?? 0
  const words = facts.requests.map(({ text }) => text.slice(0, 20_000)).join('\n')
  const isNamed = (path: string): boolean => {
    const name = path.slice(path.lastIndexOf('/') + 1)
    return name.length >= 4 && words.includes(name)
  }
  return (fact: StatementFact) => {
    const { source, text, seq, worked } = fact
    const isDocument = source === 'document'
    const isTasks = isDocument && seq >= passed && (text.match(OPEN_TASK)?.length ?? 0) >= 2
    const isWork = isTasks || (isDocument && isNamed(fact.about ?? ''))
    const holds = fact.carried || isTasks || source === 'plan' || source === 'instructions'
    const weight =
      (isTasks ? TASKS : isWork ? NAMED : WEIGHTS[source]) *
      (fact.disputedBy === undefined ? 1 : DISPUTED) *
      (holds ? 1 : ofTime(seq))
    const weightOf = ({ kind, text }: ReadUnit): number => {
      const isSilent =
        kind === 'silent' || kind === 'musing' || (kind === 'doing' && worked !== true)
      const own = kind === 'code' ? CODE : kind === 'offer' && seq < replied ? SETTLED : 1
      return isSilent ? 0 : weight * own * ofFocus(text)
    }
    const isLoaded = source === 'instructions' || (isDocument && worked !== true && !isWork)
    return { isLoaded, weightOf }
  }
}

/** What stands before the units of each statement, in tokens. */
function framing({ facts, count }: StatementsRequest) {
  const { root = '' } = facts
  const bare = count(`- [${facts.seq}] \n`)
  return (fact: StatementFact, read: ReadStatement): number => {
    if (read.frame?.root === root) return read.frame.tokens
    const label = labelOf(fact, facts)
    if (label === '') return bare
    const tokens = count(`- [${fact.seq}] ${label}\n`)
    read.frame = { root, tokens }
    return tokens
  }
}

/** What a statement is told with, if it is not what the assistant said. */
export function labelOf({ source, about }: StatementFact, { root = '' }: Facts): string {
  return statementLabel({ source, ...(about !== undefined && { about: relativeTo(root, about) }) })
}

/** Of a task that is told again, only the newest says what holds. */
function dropOlderTasks(candidates: Candidates): void {
  const newest = new Map<string, number>()
  for (let at = 0; at < candidates.of.length; at++) {
    const { task } = unitAt(candidates, at)
    if (task === undefined) continue
    const before = newest.get(task)
    if (before !== undefined) candidates.weights[before] = 0
    newest.set(task, at)
  }
}

/** Of a refrain, only what it says last is told: also what says nothing by itself makes it one. */
function dropRefrains(candidates: Candidates, held: readonly Held[]): void {
  const { of, weights } = candidates
  const texts = new Map<string, Set<string>>()
  for (let at = 0; at < of.length; at++) {
    const { refrain } = unitAt(candidates, at)
    if (refrain !== undefined && weights[at] !== 0) texts.set(refrain, new Set())
  }
  if (texts.size === 0) return
  for (const { read } of held) {
    for (const { refrain, text } of read.units) {
      if (refrain !== undefined) texts.get(refrain)?.add(text)
    }
  }
  const last = new Map<string, string>()
  for (const [refrain, said] of texts) {
    if (said.size >= FEWEST_OF_REFRAIN) last.set(refrain, [...said].at(-1) as string)
  }
  for (let at = 0; at < of.length; at++) {
    const { refrain, text } = unitAt(candidates, at)
    if (refrain !== undefined && last.has(refrain) && last.get(refrain) !== text) weights[at] = 0
  }
}
