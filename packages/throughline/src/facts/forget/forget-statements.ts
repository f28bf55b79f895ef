import { announcedIn, givesReason, longestAnnouncement } from '../statements/announced.ts'
import { unitsOf } from '../statements/units.ts'
import type { Facts, StatementFact } from '../facts.ts'
import type { FactsState } from '../fold-memory.ts'

/** More text than this, newest first, is not read for what it says. */
export const mostCharacters = 1_200_000

/** More statements than this are not kept: ten times as many as a summary of 40,000 tokens tells. */
const mostStatements = 2_500

/** What was said just now is told as where the work stands, whatever it says. */
const newest = 400

/** So many are weighed after each entry, where there will soon be too many. */
const weighedAtOnce = 4

/**
 * Forgets statements where there are twice as many as a summary reads, so that reading those that
 * stay again costs little: first what only announces the next step, which no summary tells, then the
 * oldest that nobody said to hold on. What announces is found out a little at a time.
 */
export function forgetStatements(facts: FactsState): void {
  const { memory } = facts
  if (memory.characters > 2 * mostCharacters) {
    keep(facts, newestOf(facts.statements, mostCharacters), 0)
  }
  const { length } = facts.statements
  if (length > mostStatements) weigh(facts, weighedAtOnce)
  if (length <= 2 * mostStatements) return
  weigh(facts, length)
  const silent = new Set(memory.silent)
  const early = facts.statements.slice(0, -newest).filter((_, at) => !silent.has(at))
  const late = facts.statements.slice(-newest)
  let extra = early.length + late.length - mostStatements
  const left = early.filter((fact) => lasts(fact) || --extra < 0)
  const stays = extra > 0 ? left.slice(extra) : left
  keep(facts, [...stays, ...late], stays.length)
}

/** Notes which of the next statements say nothing. */
function weigh({ statements, memory }: FactsState, count: number): void {
  const end = Math.min(memory.weighed + count, statements.length - newest)
  for (; memory.weighed < end; memory.weighed++) {
    const fact = statements[memory.weighed]
    if (fact && !saysSomething(fact)) memory.silent.push(memory.weighed)
  }
}

/** By position: 1 for a statement that is known to say nothing that a summary tells. */
export function silentStatements(facts: Pick<Facts, 'statements'>): Uint8Array {
  const silent = new Uint8Array(facts.statements.length)
  for (const at of (facts as Partial<FactsState>).memory?.silent ?? []) silent[at] = 1
  return silent
}

/** The newest that still hold, as far as they are read for what they say. */
function newestOf(statements: readonly StatementFact[], most: number): StatementFact[] {
  let left = most
  const kept: StatementFact[] = []
  for (const fact of statements.toReversed()) {
    if (fact.overtakenBy !== undefined) continue
    left -= fact.text.length
    if (left < 0) break
    kept.push(fact)
  }
  return kept.toReversed()
}

function keep(facts: FactsState, statements: StatementFact[], weighed: number): void {
  const { memory } = facts
  const kept = new Set(statements)
  for (const [subject, fact] of memory.newestOf)
    if (!kept.has(fact)) memory.newestOf.delete(subject)
  facts.statements = statements
  memory.weighed = weighed
  memory.silent = []
  memory.characters = statements.reduce((sum, { text }) => sum + text.length, 0)
}

/** What holds until something else replaces it. */
function lasts({ source, carried, overtakenBy }: StatementFact): boolean {
  if (overtakenBy !== undefined) return false
  return carried === true || source === 'plan' || source === 'instructions'
}

function saysSomething({ text }: StatementFact): boolean {
  if (text.length > longestAnnouncement) return true
  return unitsOf(text).some(
    ({ isLead, text }) => !isLead && (givesReason(text) || announcedIn(text) === undefined),
  )
}
