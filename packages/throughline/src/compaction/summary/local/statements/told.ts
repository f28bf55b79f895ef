import { relativeTo } from '../../../../facts/paths/clean-path.ts'
import { statementLabel } from '../../../../facts/statements/labels.ts'
import { choose, type Candidate } from './choose.ts'
import { isSpecific, termsOf } from './terms.ts'
import { unitsOf, type Unit } from './units.ts'
import type { StatementFact, StatementSource } from '../../../../facts/facts.ts'
import type { Facts } from '../request.ts'
import type { Room } from '../room.ts'
import type { Worth } from '../worth.ts'

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

/** What the human named is what the work is about. */
const WEIGHT_OF_NAMED = 0.8
/** What the human said no to, and what a newer one of its kind replaced. */
const DISPUTED = 0.5
/** Thinking that names nothing is a mood. */
const VAGUE = 0.5
/** Code can be read again where it was written to; what is said about it can't. */
const CODE = 0.6
/** The sentence says what is about to be done, not what was found. */
const ANNOUNCED = 0.4

const ANNOUNCEMENT =
  /^\W{0,4}(?:(?:now|next|first|then|good|ok(?:ay)?|great|perfect|so|wait|actually|alright|right)\b[,!. —-]{0,4}){0,3}(?:let me\b|let['’]s\b|I['’]ll\b|I need to\b|I should\b|I will\b|I['’]m going to\b|I want to\b|next\b|I(?:['’]m| am) (?:now |just |still |also )?(?:checking|reading|looking|tracing|waiting|inspecting|running|verifying|searching|going|starting|reviewing|opening|listing|pulling|grepping)\b)/i

/** More text than this, newest first, is not read for what it says. */
const MOST_CHARACTERS = 1_200_000

/** Where a chosen statement is told. */
type Place = 'discoveries' | 'accomplished' | 'relevant files'

/** What is kept of the statements of a session, ready to be chosen from for any room. */
export interface Statements {
  /** The lines for each place, in chronological order, within `tokens`. */
  within: (room: Room, tokens: number, said: string) => Record<Place, string[]>
}

interface Told {
  fact: StatementFact
  label: string
  units: readonly Unit[]
}

/** Reads the statements of a session. What appears next to the summary is not told again. */
export function statementsOf(
  facts: Facts,
  { room, worth, beside }: { room: Room; worth: Worth; beside: string },
): Statements {
  const told = newest(facts.statements.filter(({ overtakenBy }) => overtakenBy === undefined))
    .toSorted((a, b) => a.seq - b.seq)
    .map((fact): Told => ({ fact, label: labelOf(fact, facts), units: unitsOf(fact.text) }))
  const named = namedByHuman(facts)
  const candidates: Candidate[] = []
  const owners: { told: Told; at: number }[] = []
  told.forEach((each, text) => {
    const first = candidates.length
    const weight =
      weightOf(each.fact, named) * (each.fact.carried ? 1 : worth.ofTime(each.fact.seq))
    const standsBeside = beside.includes(beginningOf(each.fact.text))
    const frame = room.cost(`- [${each.fact.seq}] ${each.label}`)
    each.units.forEach((unit, at) => {
      const terms = unit.isLead ? [] : termsOf(unit.text)
      candidates.push({
        text,
        tokens: room.cost(unit.joins ? unit.text : `  ${unit.text}`),
        frame,
        weight:
          unit.isLead || (standsBeside && beside.includes(unit.text))
            ? 0
            : weight * weightOfUnit(unit, each.fact, terms, worth),
        terms,
        says: unit.text.replace(/\s+/g, ' ').replace(/ ?…$/, '').trim(),
        leads: unit.leads.map((lead) => first + lead),
      })
      owners.push({ told: each, at })
    })
  })
  return {
    within: (into, tokens, said) => {
      const chosen = choose(candidates, Math.min(tokens, into.left), termsOf(said))
      const kept = new Map<Told, number[]>()
      for (const position of chosen) {
        const { told: owner, at } = owners[position] as { told: Told; at: number }
        const known = kept.get(owner)
        if (known) known.push(at)
        else kept.set(owner, [at])
      }
      const places: Record<Place, string[]> = {
        discoveries: [],
        accomplished: [],
        'relevant files': [],
      }
      for (const [owner, units] of kept) {
        places[placeOf(owner.fact)].push(...into.take([linesOf(owner, units)]))
      }
      return places
    },
  }
}

/** How much of a text to compare to see whether it appears next to the summary, maybe clipped. */
function beginningOf(text: string): string {
  return text.split('\n', 1)[0]?.slice(0, 80) ?? ''
}

function newest(statements: readonly StatementFact[]): StatementFact[] {
  let left = MOST_CHARACTERS
  const kept = statements.toReversed().filter(({ text }) => {
    left -= text.length
    return left >= 0
  })
  return kept.toReversed()
}

function weightOf(fact: StatementFact, named: (path: string) => boolean): number {
  const own = WEIGHTS[fact.source]
  const isNamed = fact.source === 'document' && fact.about !== undefined && named(fact.about)
  return (isNamed ? WEIGHT_OF_NAMED : own) * (fact.disputedBy === undefined ? 1 : DISPUTED)
}

function weightOfUnit(
  { text }: Unit,
  { source }: StatementFact,
  terms: readonly string[],
  worth: Worth,
): number {
  const vague = source === 'thought' && !terms.some(isSpecific) && !text.includes('`')
  const announced = ANNOUNCEMENT.test(text.slice(0, 80))
  const code = /^\s{0,12}(?:```|~~~)/.test(text)
  return worth.ofFocus(text) * (vague ? VAGUE : 1) * (announced ? ANNOUNCED : 1) * (code ? CODE : 1)
}

/** Whether the human named a file, by its path or by its last segment. */
function namedByHuman(facts: Facts): (path: string) => boolean {
  const words = facts.requests.map(({ text }) => text.slice(0, 20_000)).join('\n')
  return (path) => {
    const name = path.slice(path.lastIndexOf('/') + 1)
    return name.length >= 4 && words.includes(name)
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
  return statementLabel({ ...fact, ...(about !== undefined && { about }) })
}

/** The units of a statement that were chosen, with a sign where some are left out between them. */
function linesOf({ fact, label, units }: Told, chosen: readonly number[]): string {
  let text = ''
  let last = -1
  for (const at of chosen) {
    const unit = units[at] as Unit
    const gap = at > last + 1 && text !== '' ? leftOut(text) : ''
    if (text === '') text = unit.text.trimStart()
    else if (unit.joins && text !== '' && at <= last + 2 && isSameLine(units, last, at)) {
      text += `${gap} ${unit.text}`
    } else if (unit.goesOn && at === last + 1 && text !== '') {
      text = `${text.slice(0, text.lastIndexOf('\n'))}\n${unit.text.slice(unit.text.indexOf('\n') + 1)}`
    } else text += `${gap}\n${unit.text}`
    last = at
  }
  if (last < units.length - 1 && !/[….]\W{0,3}$/.test(text.slice(-4))) text += leftOut(text)
  const disputed = fact.disputedBy === undefined ? '' : ` (the human said no [${fact.disputedBy}])`
  const begin = label === '' ? '' : `${label}${text.includes('\n') ? '\n' : ' '}`
  return `- [${fact.seq}]${disputed} ${begin}${text}`.replaceAll('\n', '\n  ')
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
