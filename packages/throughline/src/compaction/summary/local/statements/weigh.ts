import {
  announcedIn,
  givesReason,
  longestAnnouncement,
} from '../../../../facts/statements/announced.ts'
import { cheers, isLineOfCode, isLineOfDiagram, muses, restates } from './musing.ts'
import type { Unit } from '../../../../facts/statements/units.ts'
import type { StatementFact, StatementSource } from '../../../../facts/facts.ts'
import type { Facts } from '../request.ts'

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
/** A list of tasks that are still open says what is left to do, wherever it stands. */
const WEIGHT_OF_TASKS = 1
/** Once the human has replied, nobody waits for what was asked or offered. */
const SETTLED = 0.25
/** Code can be read again where it was written to; what is said about it can't. */
const CODE = 0.6

/** It asks the human what to do next, or offers something. */
const OFFERS =
  /^\W{0,4}(?:(?:if|when) you (?:want|like|prefer|wish|agree|['’]d like|would like|need)\b|let me know\b|tell me\b|just say\b|say the word\b|feel free\b|happy to\b|I can (?:also )?[^.?]{1,160} if you\b|(?:want|wanna|would you like|do you want|should I|shall I|shall we|should we|ready (?:for|to)|(?:any|anything|something) (?:else|missing|you)|(?:does|do|is|are) (?:this|that|these|those|it|you|everything)|which (?:one|approach|option|of)|what (?:do you think|would you)|how would you|can you confirm|ok(?:ay)? to|sound good|looks? good|look right|make sense|proceed|anything)\b[^.!\n]{0,300}\?\W{0,4}$)/i

/** How much a statement is worth by who made it, and what became of it. */
export function weightOf(
  fact: StatementFact,
  named: (path: string) => boolean,
  { isSpokenPast = false }: { isSpokenPast?: boolean } = {},
): number {
  const own = WEIGHTS[fact.source]
  const isNamed = fact.source === 'document' && fact.about !== undefined && named(fact.about)
  const tasks = fact.source === 'document' && !isSpokenPast && isTaskList(fact.text)
  return (
    (tasks ? WEIGHT_OF_TASKS : isNamed ? WEIGHT_OF_NAMED : own) *
    (fact.disputedBy === undefined ? 1 : DISPUTED)
  )
}

/** What the words of a unit alone say about it, as bits. */
export const traits = {
  isLead: 1,
  isAnnounced: 2,
  isCode: 4,
  isMusing: 8,
  isDoing: 128,
  isOffer: 16,
  isTask: 32,
  isRestated: 64,
} as const

/** @param isSpecific whether there is a name or a number among its terms. */
export function traitsOf(
  { text, isLead }: Unit,
  { isSpecific, source }: { isSpecific: boolean; source: StatementSource },
): number {
  const thought = source === 'thought'
  const atWork = thought || source === 'remark'
  const reasons = givesReason(text)
  return (
    (isLead ? traits.isLead : 0) |
    (reasons ? 0 : announcedBit(text)) |
    (/^\s{0,12}(?:```|~~~)/.test(text) ? traits.isCode : 0) |
    (thought && (muses(text, reasons) || isLineOfCode(text) || (!isSpecific && cheers(text)))
      ? traits.isMusing
      : 0) |
    (source === 'document' && isLineOfDiagram(text) ? traits.isMusing : 0) |
    (atWork && restates(text) ? traits.isRestated : 0) |
    (isOffer(text) ? traits.isOffer : 0) |
    (isTask(text) ? traits.isTask : 0)
  )
}

/** What came of it stands elsewhere, and the newest of them is told as what is next. */
function announcedBit(text: string): number {
  const announced = text.length <= longestAnnouncement ? announcedIn(text) : undefined
  if (announced === undefined) return 0
  return announced === 'doing' ? traits.isDoing : traits.isAnnounced
}

/** How much a unit is worth within its statement, by its traits. */
export function weightOfUnit(
  own: number,
  { source, worked }: StatementFact,
  { focus, isReplied }: { focus: number; isReplied: boolean },
): number {
  if ((own & (traits.isAnnounced | traits.isMusing | traits.isRestated)) !== 0) return 0
  // What is being done says what was done where it changed something, and nothing elsewhere.
  if ((own & traits.isDoing) !== 0 && worked !== true) return 0
  const settled = isReplied && isTurn(source) && (own & traits.isOffer) !== 0
  const code = (own & traits.isCode) !== 0
  return focus * (settled ? SETTLED : 1) * (code ? CODE : 1)
}

/** Whether a sentence asks the human what to do next, or offers something. */
export function isOffer(text: string): boolean {
  return OFFERS.test(text.slice(0, 400))
}

/** Whether the human reads it as said to them. */
function isTurn(source: StatementSource): boolean {
  return source === 'answer' || source === 'remark'
}

/** What holds until something else replaces it, however long ago it was said. */
export function holdsOn(
  fact: StatementFact,
  { isSpokenPast = false }: { isSpokenPast?: boolean } = {},
): boolean {
  const { source, carried, text } = fact
  const lasting = source === 'plan' || source === 'instructions'
  const tasks = source === 'document' && !isSpokenPast && isTaskList(text)
  return carried === true || lasting || tasks
}

/**
 * Whether others wrote it and it was only loaded or read, and stands there still. What the human named
 * is what the work is about, as a list of open tasks is.
 */
export function isLoaded(fact: StatementFact, named: (path: string) => boolean): boolean {
  const { source, about = '', worked, text } = fact
  if (source === 'instructions') return true
  return source === 'document' && worked !== true && !named(about) && !isTaskList(text)
}

const TASK = /^\s{0,12}(?:[-*+] |\d{1,3}[.)] )?\[[ xX]\] /

/** `- [ ] Write the parser`, open or done. */
export function isTask(text: string): boolean {
  return TASK.test(text)
}

/** What is to be done, whether it is done or not. */
export function taskIn(text: string): string {
  return text.replace(TASK, '')
}

/** Two or more open boxes are work that is left to do. */
function isTaskList(text: string): boolean {
  return (text.match(/^\s{0,8}[-*] \[ \] /gm)?.length ?? 0) >= 2
}

/** Whether the human named a file, by its path or by its last segment. */
export function namedByHuman(facts: Facts): (path: string) => boolean {
  const words = facts.requests.map(({ text }) => text.slice(0, 20_000)).join('\n')
  const known = new Map<string, boolean>()
  return (path) => {
    const name = path.slice(path.lastIndexOf('/') + 1)
    let isNamed = known.get(name)
    if (isNamed === undefined) {
      isNamed = name.length >= 4 && words.includes(name)
      known.set(name, isNamed)
    }
    return isNamed
  }
}
