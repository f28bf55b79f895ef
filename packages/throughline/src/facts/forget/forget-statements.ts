import { mostCharacters, saysNothing } from '../statements/rank-statements.ts'
import type { StatementFact } from '../facts.ts'
import type { FactsState } from '../fold-memory.ts'

/** More statements than this are not kept: ten times as many as a summary of 40,000 tokens tells. */
const mostStatements = 2_500

/** What was said just now is told as where the work stands, whatever it says. */
const newest = 400

/**
 * Forgets statements where there are twice as many as a summary reads, so that reading those that
 * stay again costs little: what only announces the next step, which no summary tells, what a newer
 * one replaced, and the oldest that do not last.
 */
export function forgetStatements(facts: FactsState): void {
  const { memory, statements } = facts
  // Each is read when it gets old: to read all of them at once would take long.
  const old = statements.at(-newest)
  if (old) saysNothing(old)
  if (memory.characters <= 2 * mostCharacters && statements.length <= 2 * mostStatements) return
  let characters = mostCharacters
  let count = mostStatements
  const kept = statements.toReversed().filter((fact, age) => {
    if (fact.overtakenBy !== undefined || (age >= newest && saysNothing(fact))) return false
    characters -= fact.text.length
    return characters >= 0 && (lasts(fact) || --count >= 0)
  })
  facts.statements = kept.toReversed()
  memory.characters = facts.statements.reduce((sum, { text }) => sum + text.length, 0)
  const all = new Set(facts.statements)
  for (const [subject, fact] of memory.newestOf) if (!all.has(fact)) memory.newestOf.delete(subject)
}

/** What holds until something else replaces it. */
function lasts({ source, carried }: StatementFact): boolean {
  return carried === true || source === 'plan' || source === 'instructions'
}
