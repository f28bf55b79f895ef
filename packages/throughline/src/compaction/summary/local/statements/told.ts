import { mostCharacters } from '../../../../facts/forget/forget-statements.ts'
import { relativeTo } from '../../../../facts/paths/clean-path.ts'
import { statementLabel } from '../../../../facts/statements/note-statements.ts'
import { choose, worthOfTerms, type Candidate, type Terms } from './choose.ts'
import { frameOf, needsNoLabel, readStatements } from './read-statements.ts'
import { termsOf } from './terms.ts'
import { unitsOf, type Unit } from '../../../../facts/statements/units.ts'
import { holdsOn, isLoaded, namedByHuman, traits, weightOf, weightOfUnit } from './weigh.ts'
import type { StatementFact } from '../../../../facts/facts.ts'
import type { Facts } from '../request.ts'
import type { Beside } from '../beside.ts'
import type { CountTokens } from '../../../../tokens/counter.ts'
import type { Room } from '../room.ts'
import type { Worth } from '../ranking.ts'

/** Where a chosen statement is told. */
type Place = 'discoveries' | 'accomplished' | 'relevant files'

/** What is kept of the statements of a session, ready to be chosen from for any room. */
export interface Statements {
  /** The lines for each place, in chronological order, within `tokens`. */
  within: (room: Room, tokens: number, said: string) => Record<Place, string[]>
}

/** A statement that still holds. */
interface Told {
  fact: StatementFact
  /** Its first candidate. */
  first: number
}

/** The statements that still hold, whatever stands beside a summary of them. */
export interface StatementsToTell {
  facts: Facts
  told: readonly Told[]
  candidates: readonly Candidate[]
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
  const read = readStatements(facts.statements, count)
  const named = namedByHuman(facts)
  // What the newest request replies to may still be needed to understand it.
  const replied = facts.requests.at(-2)?.seq ?? 0
  const told: Told[] = []
  const candidates: (Candidate & { weight: number })[] = []
  const isOld = overtakenDocuments(facts)
  /** Of each task, by what it says, its newest state. */
  const tasks = new Map<number, number>()
  for (const position of newestInOrder(facts.statements, isOld)) {
    const fact = facts.statements[position] as StatementFact
    const from = position === 0 ? 0 : read.ends.at(position - 1)
    // A label is made for what is told, and where it counts for what it costs.
    const frame = needsNoLabel(fact)
      ? read.frames.at(position)
      : frameOf(fact, labelOf(fact, facts), count)
    const weight = weightOf(fact, named) * (holdsOn(fact) ? 1 : worth.ofTime(fact.seq))
    const units = worth.hasFocus ? unitsOf(fact.text) : undefined
    const isReplied = fact.seq < replied
    const first = candidates.length
    const end = read.ends.at(position)
    const loaded = isLoaded(fact, named)
    const announces = onlyAnnounces(read.traits, from, end)
    for (let unit = from; unit < end; unit++) {
      const own = read.traits.at(unit)
      const focus = units === undefined ? 1 : worth.ofFocus(units[unit - from]?.text ?? '')
      if ((own & traits.isTask) !== 0) {
        const older = candidates[tasks.get(read.says.at(unit)) ?? -1]
        if (older !== undefined && older.text !== told.length) older.weight = 0
        tasks.set(read.says.at(unit), candidates.length)
      }
      candidates.push({
        text: told.length,
        isLoaded: loaded,
        tokens: read.tokens.at(unit),
        frame,
        weight:
          (own & traits.isLead) !== 0
            ? 0
            : weight * weightOfUnit(own, fact, { focus, isReplied, announces }),
        from: unit === 0 ? 0 : read.termEnds.at(unit - 1),
        to: read.termEnds.at(unit),
        says: read.says.at(unit),
        leads: read.leads.get(unit)?.map((lead) => first + lead) ?? none,
      })
    }
    told.push({ fact, first })
  }
  const { vocabulary } = read
  const terms = { size: vocabulary.size, at: (position: number) => read.terms.at(position) }
  const numberOf = (term: string) => vocabulary.get(term)
  return { facts, told, candidates, terms, numberOf, worth: worthOfTerms(candidates, terms) }
}

function onlyAnnounces(units: { at: (position: number) => number }, from: number, end: number) {
  for (let unit = from; unit < end; unit++) {
    if ((units.at(unit) & (traits.isAnnounced | traits.looksAt)) === 0) return false
  }
  return true
}

/** What can be told next to texts: what appears there is not told again. */
export function statementsBeside(
  { facts, told, candidates: all, terms, numberOf, worth }: StatementsToTell,
  beside: Beside,
): Statements {
  const candidates = withoutBeside(all, told, beside)
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
      const kept = new Map<Told, number[]>()
      for (const position of chosen) {
        const owner = told[candidates[position]?.text ?? 0] as Told
        const units = kept.get(owner)
        if (units) units.push(position - owner.first)
        else kept.set(owner, [position - owner.first])
      }
      const places: Record<Place, string[]> = {
        discoveries: [],
        accomplished: [],
        'relevant files': [],
      }
      for (const [owner, units] of kept) {
        places[placeOf(owner.fact)].push(
          ...into.take([linesOf(owner, labelOf(owner.fact, facts), units)]),
        )
      }
      return places
    },
  }
}

/** What stands beside is worth nothing here. */
function withoutBeside(
  all: readonly Candidate[],
  told: readonly Told[],
  beside: Beside,
): readonly Candidate[] {
  let candidates: Candidate[] | undefined
  for (const { fact, first } of told) {
    if (!beside.includes(beginningOf(fact.text))) continue
    for (const [at, { text }] of unitsOf(fact.text).entries()) {
      const candidate = all[first + at]
      if (candidate === undefined || candidate.weight === 0 || !beside.includes(text)) continue
      candidates ??= [...all]
      candidates[first + at] = { ...candidate, weight: 0 }
    }
  }
  return candidates ?? all
}

const none: readonly number[] = []

/**
 * What was only loaded or read may take this share of the room, and more only where what was said and
 * done leaves some.
 */
const mostLoaded = 0.2

/** How much of a text to compare to see whether it appears next to the summary, maybe clipped. */
function beginningOf(text: string): string {
  const newLine = text.slice(0, 80).indexOf('\n')
  return text.slice(0, newLine === -1 ? 80 : newLine)
}

/** The positions of those that still hold, as many of the newest as are read, by seq. */
function newestInOrder(
  statements: readonly StatementFact[],
  isOld: (fact: StatementFact, position: number) => boolean,
): number[] {
  const positions: number[] = []
  let left = mostCharacters
  for (let at = statements.length - 1; at >= 0; at--) {
    const fact = statements[at] as StatementFact
    if (fact.overtakenBy !== undefined || isOld(fact, at)) continue
    left -= fact.text.length
    if (left >= 0) positions.push(at)
  }
  const seqAt = (position: number): number => statements[position]?.seq ?? 0
  return positions.toReversed().sort((a, b) => seqAt(a) - seqAt(b))
}

/** A document that was read or written as a whole since then, or that is gone, says nothing more. */
function overtakenDocuments({ statements, files, root = '' }: Facts) {
  const newest = new Map<string, number>()
  for (const [at, { source, about, whole }] of statements.entries()) {
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
function linesOf({ fact }: Told, label: string, chosen: readonly number[]): string {
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
