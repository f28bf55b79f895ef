import { forgetFile } from '../file-tree.ts'
import { markFile, markName } from './forgotten.ts'
import { isListed, worthOfCommand, worthOfFile, worthOfName } from './worth.ts'
import type { CommandFact, FileFact, NameFact, StatementFact } from '../facts.ts'
import type { FactsState } from '../fold-memory.ts'
import type { Seq } from '../../log/entry.ts'
import { mostCharacters } from '../statements/candidates.ts'
import { saysNothing } from '../statements/read-statements.ts'

/**
 * How many are kept of what a session only came across, however long it is. A summary within the
 * largest keep lists fewer: 100 files, 60 commands, and as many names as fit.
 */
const mostKept = { names: 6_000, files: 1_000, commands: 1_000 } as const

/**
 * So many more may come before the least are forgotten, in one go: the fewer, the more often each of
 * those that stay is weighed again. Names take most of the memory.
 */
const slack = { names: 1 / 5, files: 1 / 2, commands: 1 / 2 } as const

/**
 * A session may be endless, and its facts may not: what a summary would take last is forgotten. What
 * was changed, said by the human or is not solved stays. The entry `now` has just been folded in, so
 * that every fold of a log forgets the same.
 */
export function forgetLeast(facts: FactsState, now: Seq): void {
  if (isTooMuch(facts.names.size, 'names')) forgetNames(facts, now)
  if (isTooMuch(facts.files.size - facts.memory.lasting, 'files')) forgetFiles(facts, now)
  if (isTooMuch(facts.commands.size, 'commands')) forgetCommands(facts, now)
  forgetStatements(facts)
}

function isTooMuch(count: number, kind: keyof typeof mostKept): boolean {
  return count > mostKept[kind] * (1 + slack[kind])
}

function forgetNames(facts: FactsState, now: Seq): void {
  const valueOf = (fact: NameFact): number =>
    isListed(fact) ? worthOfName(fact, now) / (fact.name.length + 1) : 0
  for (const { name } of least([...facts.names.values()], mostKept.names, valueOf)) {
    facts.names.delete(name)
    markName(facts, name)
  }
}

/** A file that was only read; changed files are kept for as long as the session lasts. */
function forgetFiles(facts: FactsState, now: Seq): void {
  const { files, names, memory } = facts
  const read = [...files.values()].filter(wasOnlyRead)
  memory.lasting = files.size - read.length
  const valueOf = (file: FileFact): number => worthOfFile(file, names.get(file.path), now)
  for (const file of least(read, mostKept.files, valueOf)) {
    forgetFile(files, file)
    markFile(facts, file.path)
    memory.spellings.delete(file.path.toLowerCase())
  }
}

function wasOnlyRead({ state, edits, from, to }: FileFact): boolean {
  return state === 'read' && edits === 0 && from === undefined && to === undefined
}

/** A command that only looked is in no summary, and is forgotten first. */
function forgetCommands({ commands }: FactsState, now: Seq): void {
  const valueOf = (fact: CommandFact): number =>
    fact.purpose === 'look' ? 0 : worthOfCommand(fact, now)
  for (const { command } of least([...commands.values()], mostKept.commands, valueOf)) {
    commands.delete(command)
  }
}

/** All but the `most` that are worth most; of those that are worth the same, the first stay. */
function least<Fact>(
  facts: readonly Fact[],
  most: number,
  valueOf: (fact: Fact) => number,
): readonly Fact[] {
  if (facts.length <= most) return []
  const values = new Float64Array(facts.length)
  for (let at = 0; at < facts.length; at++) values[at] = valueOf(facts[at] as Fact)
  // Numbers are put in order much faster than what they are the values of.
  const inOrder = values.toSorted()
  const last = inOrder[facts.length - most] as number
  let stays = most
  for (let at = inOrder.length - 1; (inOrder[at] as number) > last; at--) stays--
  return facts.filter((_, at) => {
    const value = values[at] as number
    return value < last || (value === last && --stays < 0)
  })
}

/** More statements than this are not kept: ten times as many as a summary of 40,000 tokens tells. */
const mostStatements = 2_500

/** The newest words are kept as the state of the work, whatever they say. */
const newest = 400

/**
 * Forgets statements where there are twice as many as a summary reads, so that reading those that
 * stay again costs little: what only announces the next step, which no summary tells, what a newer
 * one replaced, and the oldest that do not last.
 */
function forgetStatements(facts: FactsState): void {
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
