import { mostCharacters, silentStatements } from '../../../../facts/forget/forget-statements.ts'
import { relativeTo } from '../../../../facts/paths/clean-path.ts'
import { statementLabel } from '../../../../facts/statements/note-statements.ts'
import { candidatesOf, choose, worthOfTerms } from './choose.ts'
import type { Candidates, Terms } from './choose.ts'
import { beginningOf, frameOf, needsNoLabel, readStatements } from './read-statements.ts'
import { termsOf } from './terms.ts'
import { unitsOf, type Unit } from '../../../../facts/statements/units.ts'
import { holdsOn, isLoaded, namedByHuman, traits, weightOf, weightOfUnit } from './weigh.ts'
import type { StatementFact } from '../../../../facts/facts.ts'
import type { Facts } from '../request.ts'
import type { Beside } from '../beside.ts'
import type { CountTokens } from '../../../../tokens/message-tokens.ts'
import type { Room } from '../room.ts'
import type { Worth } from '../ranking.ts'

/** Where a chosen statement is told. */
type Place = 'discoveries' | 'accomplished' | 'relevant files'

/** What is kept of the statements of a session, ready to be chosen from for any room. */
export interface Statements {
  /** The lines for each place, in chronological order, within `tokens`. */
  within: (room: Room, tokens: number, said: string) => Record<Place, string[]>
}

/** The statements that still hold, whatever stands beside a summary of them. */
export interface StatementsToTell {
  facts: Facts
  /** Their positions among all, by seq. */
  positions: readonly number[]
  /** The first candidate of each. */
  firsts: Int32Array
  candidates: Candidates
  /** What the beginning of each of all is known by, as `signOf` tells. */
  signs: { at: (position: number) => number }
  terms: Terms
  /** The number of a term. */
  numberOf: (term: string) => number | undefined
  /** What each term is worth. */
  worth: Float64Array
}

/** Reads the statements of a session for all its summaries. */
export function statementsToTell(
  facts: Facts,
  { count, worth }: { count: CountTokens; worth: Worth },
): StatementsToTell {
  const silent = silentStatements(facts)
  const read = readStatements(facts.statements, count, { silent })
  const named = namedByHuman(facts)
  // What the newest request replies to may still be needed to understand it.
  const replied = facts.requests.at(-2)?.seq ?? 0
  const passed = facts.requests.at(-SPOKEN_PAST)?.seq ?? 0
  const positions = newestInOrder(facts.statements, silent, overtakenDocuments(facts))
  const beginOf = (position: number): number => (position === 0 ? 0 : read.ends.at(position - 1))
  const length = positions.reduce((sum, at) => sum + read.ends.at(at) - beginOf(at), 0)
  const candidates = candidatesOf(length)
  const firsts = new Int32Array(positions.length)
  /** Of each series, its members by text. */
  const series = new Map<number, { isTask: boolean; texts: Map<number, number[]> }>()
  let next = 0
  for (let text = 0; text < positions.length; text++) {
    const position = positions[text] as number
    const fact = facts.statements[position] as StatementFact
    const from = beginOf(position)
    // A label is made for what is told, and where it counts for what it costs.
    const frame = needsNoLabel(fact)
      ? read.frames.at(position)
      : frameOf(fact, labelOf(fact, facts), count)
    const past = { isSpokenPast: fact.seq < passed }
    const time = holdsOn(fact, past) ? 1 : worth.ofTime(fact.seq)
    const weight = weightOf(fact, named, past) * time
    const units = worth.hasFocus ? unitsOf(fact.text) : undefined
    const isReplied = fact.seq < replied
    const first = next
    const end = read.ends.at(position)
    const loaded = isLoaded(fact, named) ? 1 : 0
    for (let unit = from; unit < end; unit++) {
      const own = read.traits.at(unit)
      const focus = units === undefined ? 1 : worth.ofFocus(units[unit - from]?.text ?? '')
      const key = read.series.at(unit)
      if (key !== 0) {
        const one = series.get(key) ?? { isTask: (own & traits.isTask) !== 0, texts: new Map() }
        const members = one.texts.get(text)
        if (members) members.push(next)
        else one.texts.set(text, [next])
        series.set(key, one)
      }
      candidates.text[next] = text
      candidates.loaded[next] = loaded
      candidates.tokens[next] = read.tokens.at(unit)
      candidates.frame[next] = frame
      candidates.weight[next] =
        (own & traits.isLead) !== 0 ? 0 : weight * weightOfUnit(own, fact, { focus, isReplied })
      candidates.from[next] = unit === 0 ? 0 : read.termEnds.at(unit - 1)
      candidates.to[next] = read.termEnds.at(unit)
      candidates.says[next] = read.says.at(unit)
      const leads = read.leads.get(unit)
      if (leads) {
        candidates.leads.set(
          next,
          leads.map((lead) => first + lead),
        )
      }
      next += 1
    }
    firsts[text] = first
  }
  for (const { isTask, texts } of series.values()) {
    if (texts.size < (isTask ? 2 : fewestOfRefrain)) continue
    const older = [...texts.values()].slice(0, -1).flat()
    for (const unit of older) candidates.weight[unit] = 0
  }
  const { vocabulary, signs } = read
  const terms: Terms = {
    size: vocabulary.size,
    at: (position) => read.terms.at(position),
  }
  const numberOf = (term: string) => vocabulary.get(term)
  const termWorth = worthOfTerms(candidates, terms)
  return { facts, positions, firsts, candidates, signs, terms, numberOf, worth: termWorth }
}

/** Said so often, a sentence tells that the work goes on; the newest tells how far. */
const fewestOfRefrain = 4

/** A list of tasks that the human spoke past so often is no longer what is worked on. */
const SPOKEN_PAST = 4

/** What can be told next to texts: what appears there is not told again. */
export function statementsBeside(toTell: StatementsToTell, beside: Beside): Statements {
  const { facts, positions, firsts, terms, numberOf, worth } = toTell
  const candidates = { ...toTell.candidates, weight: weightsBeside(toTell, beside) }
  return {
    within: (into, tokens, said) => {
      const known = termsOf(said).flatMap((term) => numberOf(term) ?? [])
      const most = Math.min(tokens, into.left)
      const chosen = choose(
        candidates,
        { ...terms, worth },
        {
          tokens: most,
          loaded: Math.floor(most * mostLoaded),
          said: known,
        },
      )
      const kept = new Map<number, number[]>()
      for (const at of chosen) {
        const text = candidates.text[at] as number
        const unit = at - (firsts[text] as number)
        const units = kept.get(text)
        if (units) units.push(unit)
        else kept.set(text, [unit])
      }
      const places: Record<Place, string[]> = {
        discoveries: [],
        accomplished: [],
        'relevant files': [],
      }
      for (const [text, units] of kept) {
        const fact = facts.statements[positions[text] as number] as StatementFact
        places[placeOf(fact)].push(...into.take([linesOf(fact, labelOf(fact, facts), units)]))
      }
      return places
    },
  }
}

/** What stands beside is worth nothing here. */
function weightsBeside(
  { facts, positions, firsts, candidates, signs }: StatementsToTell,
  beside: Beside,
): Float64Array {
  let { weight } = candidates
  for (let at = 0; at < positions.length; at++) {
    const position = positions[at] as number
    if (!beside.mayHold(signs.at(position))) continue
    const { text } = facts.statements[position] as StatementFact
    if (!beside.includes(beginningOf(text))) continue
    const first = firsts[at] as number
    for (const [unit, { text: words }] of unitsOf(text).entries()) {
      if (!(weight[first + unit] as number) || !beside.includes(words)) continue
      if (weight === candidates.weight) weight = weight.slice()
      weight[first + unit] = 0
    }
  }
  return weight
}

/**
 * What was only loaded or read may take this share of the room, and more only where what was said and
 * done leaves some.
 */
const mostLoaded = 0.2

/** The positions of those that still hold, as many of the newest as are read, by seq. */
function newestInOrder(
  statements: readonly StatementFact[],
  silent: Uint8Array,
  isOld: (fact: StatementFact, position: number) => boolean,
): number[] {
  const positions: number[] = []
  let left = mostCharacters
  for (let at = statements.length - 1; at >= 0; at--) {
    if (silent[at] === 1) continue
    const fact = statements[at] as StatementFact
    if (fact.overtakenBy !== undefined || isOld(fact, at)) continue
    left -= fact.text.length
    if (left >= 0) positions.push(at)
  }
  const seqAt = (position: number): number => statements[position]?.seq ?? 0
  positions.reverse()
  // Almost always they are.
  const isInOrder = positions.every(
    (at, place) => place === 0 || seqAt(positions[place - 1] as number) <= seqAt(at),
  )
  return isInOrder ? positions : positions.sort((a, b) => seqAt(a) - seqAt(b))
}

/** A document that was read or written as a whole since then, or that is gone, says nothing more. */
function overtakenDocuments({ statements, files, root = '' }: Facts) {
  const newest = new Map<string, number>()
  for (let at = 0; at < statements.length; at++) {
    const { source, about, whole } = statements[at] as StatementFact
    if (source === 'document' && about !== undefined && whole)
      newest.set(relativeTo(root, about), at)
  }
  return ({ source, about, seq, carried }: StatementFact, position: number): boolean => {
    if (source !== 'document' || about === undefined) return false
    const path = relativeTo(root, about)
    const file = files.get(path)
    if (file?.state === 'deleted' && !carried && (file.seqs.at(-1) ?? 0) > seq) return true
    return position < (newest.get(path) ?? 0)
  }
}

function placeOf({ source, worked }: StatementFact): Place {
  switch (source) {
    case 'plan':
    case 'report':
    case 'instructions':
    case 'document':
    case 'comment':
      return 'relevant files'
    case 'message':
      return 'accomplished'
    case 'answer':
    case 'remark':
    case 'thought':
    case 'asked':
      return worked === true ? 'accomplished' : 'discoveries'
  }
}

function labelOf(fact: StatementFact, { root = '' }: Facts): string {
  const about = fact.about === undefined ? undefined : relativeTo(root, fact.about)
  return statementLabel(about === undefined ? fact : { source: fact.source, about })
}

/** The units of a statement that were chosen, with a sign where some are left out between them. */
function linesOf(fact: StatementFact, label: string, chosen: readonly number[]): string {
  const units = unitsOf(fact.text)
  let text = ''
  let last = -1
  for (const at of chosen) {
    const unit = units[at] as Unit
    const gap = at > last + 1 && text !== '' ? leftOut(text) : ''
    if (text === '') text = unit.text
    else if (unit.joins && text !== '' && at <= last + 2 && isSameLine(units, last, at)) {
      text += `${gap} ${unit.text}`
    } else if (unit.goesOn && at === last + 1 && text !== '') {
      text = `${text.slice(0, text.lastIndexOf('\n'))}\n${unit.text.slice(unit.text.indexOf('\n') + 1)}`
    } else text += `${gap}\n${unit.text}`
    last = at
  }
  if (last < units.length - 1 && !/[….]\W{0,3}$/.test(text.slice(-4))) text += leftOut(text)
  text = dedented(text)
  const disputed = fact.disputedBy === undefined ? '' : ` (the human said no [${fact.disputedBy}])`
  const begin = label === '' ? '' : `${label}${text.includes('\n') ? '\n' : ' '}`
  return `- [${fact.seq}]${disputed} ${begin}${text}`.replaceAll('\n', '\n  ')
}

/** A text whose first line begins where the line does; the others keep their place below it. */
function dedented(text: string): string {
  const depth = text.search(/\S/)
  if (depth <= 0) return text
  const lines = text.split('\n')
  return lines.map((line) => line.slice(Math.min(depth, Math.max(line.search(/\S/), 0)))).join('\n')
}

/** The sign for what is left out behind a text; the end of a block of code stands alone. */
function leftOut(text: string): string {
  if (text.endsWith('…')) return ''
  return /(?:^|\n)\s{0,12}(?:`{3,}|~{3,})$/.test(text.slice(-40)) ? '\n…' : ' …'
}

/** Whether two units stand in one line of the original. */
function isSameLine(units: readonly Unit[], from: number, to: number): boolean {
  for (let at = from + 1; at <= to; at++) if (units[at]?.joins !== true) return false
  return true
}
