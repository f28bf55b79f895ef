import { announcedIn, givesReason, longestAnnouncement } from '../statements/announced.ts'
import { unitsOf } from '../statements/units.ts'
import type { StatementFact } from '../facts.ts'
import type { FactsState } from '../fold-memory.ts'

/** More text than this, newest first, is not read for what it says. */
export const mostCharacters = 1_200_000

/** More statements than this are not kept: ten times as many as a summary of 40,000 tokens tells. */
const mostStatements = 2_500

/** What was said just now is told as where the work stands, whatever it says. */
const newest = 400

/**
 * Forgets statements where there are twice as many as a summary reads, so that reading those that
 * stay again costs little: first what only announces the next step, which no summary tells, then the
 * oldest that nobody said to hold on.
 */
export function forgetStatements(facts: FactsState): void {
  const { statements, memory } = facts
  if (memory.characters > 2 * mostCharacters) {
    keep(facts, newestOf(statements, mostCharacters))
  }
  if (facts.statements.length <= 2 * mostStatements) return
  const early = facts.statements.slice(0, -newest).filter(saysSomething)
  const late = facts.statements.slice(-newest)
  let extra = early.length + late.length - mostStatements
  const left = early.filter((fact) => lasts(fact) || --extra < 0)
  keep(facts, [...(extra > 0 ? left.slice(extra) : left), ...late])
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

function keep(facts: FactsState, statements: StatementFact[]): void {
  const { memory } = facts
  const kept = new Set(statements)
  for (const [subject, fact] of memory.newestOf)
    if (!kept.has(fact)) memory.newestOf.delete(subject)
  facts.statements = statements
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
