import { clipEnd, oneLine } from './clip-words.ts'
import { coreOf, covers, readCore, readPart, successesOf } from '../command-parts.ts'
import { proseInCommand } from '../statements/written-prose.ts'
import { worthOfCommand } from '../forget/worth.ts'
import type { CommandFact } from '../facts.ts'
import type { Facts } from './known-facts.ts'
import type { Room } from './room.ts'
import type { Worth } from './ranking.ts'

/** How many characters of a command line and of its result are worth keeping. */
const longestCommand = 140
const longestDetail = 160

/** How many checks are listed with the state of the work. */
const MOST_CHECKS = 3
/** Of so many it is asked whether they still hold. */
const MOST_COMPARED = 40

/** The newest run of each check, like the tests and the build; the newest last. */
export function newestChecks(index: Facts): CommandFact[] {
  const checks = [...index.commands.values()].filter(({ purpose }) => purpose === 'check')
  const inTime = newestOfEach(checks)
    .toSorted((a, b) => newest(a) - newest(b))
    .slice(-MOST_COMPARED)
  return inTime
    .filter((check, at) => !isSolved(check, index) && !isRunAgain(check, inTime.slice(at + 1)))
    .slice(-MOST_CHECKS)
}

/** It failed, and all that it complained about is gone. */
function isSolved({ command, outcome }: CommandFact, { errors }: Facts): boolean {
  if (outcome !== 'failed') return false
  const core = coreOf(command)
  const own = errors.filter((error) => error.command === core)
  return own.length > 0 && own.every(({ resolvedBy }) => resolvedBy !== undefined)
}

/** What only makes the code look alike says nothing of its state. */
const FORMATS = /(?:^|[\s:])(?:fmt|format|oxfmt|gofmt|prettier|rustfmt|black)\b/

/** Whether later runs say all that a run says, part by part. */
function isRunAgain({ command, outcome }: CommandFact, later: readonly CommandFact[]): boolean {
  const parts = coreOf(command).split(' && ')
  const telling = parts.filter((part) => parts.length === 1 || !FORMATS.test(part))
  const again = new Set(later.flatMap((one) => coreOf(one.command).split(' && ')))
  const passed = later
    .filter((one) => one.outcome === 'ok')
    .flatMap((one) => successesOf(coreOf(one.command)).map(readPart))
  const isSaid = (part: string): boolean =>
    (outcome !== 'failed' && again.has(part)) ||
    passed.some((success) => covers(success, readCore(part)))
  return outcome === 'failed'
    ? isSaid(parts.at(-1) ?? '')
    : telling.length > 0 && telling.every(isSaid)
}

/** The important commands with their newest outcome, in chronological order. */
export function commands(
  index: Facts,
  {
    room,
    tokens,
    worth,
    beside = '',
  }: {
    room: Room
    tokens: number
    worth: Worth
    /** What the summary says of errors: a command need not repeat what it failed with. */
    beside?: string
  },
): string[] {
  const label = 'Commands:'
  const told = new Set(newestChecks(index).map(({ command }) => command))
  const bySeq = new Map(
    rankedCommands(index, worth)
      .filter(({ command }) => !told.has(command))
      .map((fact) => [commandLine(withoutTold(fact, beside)), newest(fact)]),
  )
  const taken = room.takeFitting(bySeq.keys(), tokens - room.cost(label))
  if (taken.length === 0) return []
  const inTime = taken.toSorted((a, b) => (bySeq.get(a) ?? 0) - (bySeq.get(b) ?? 0))
  return [...room.take([label]), ...inTime]
}

/** So much of the beginning of a result tells it from others. */
const beginning = 40

function withoutTold(fact: CommandFact, beside: string): CommandFact {
  const { detail, outcome, ...rest } = fact
  if (outcome !== 'failed' || detail === undefined) return fact
  const told = oneLine(detail).slice(0, beginning)
  return told.length === beginning && beside.includes(told) ? { ...rest, outcome } : fact
}

/** The commands that did something, sorted by how much they say about the state of the work. */
export function rankedCommands(index: Facts, worth: Worth): CommandFact[] {
  const acting = [...index.commands.values()].filter(({ purpose }) => purpose !== 'look')
  return newestOfEach(acting)
    .filter((fact) => !isSolved(fact, index) && !isToldByItsWords(fact, index))
    .map((fact) => ({ fact, value: valueOf(fact, worth) }))
    .toSorted((a, b) => b.value - a.value)
    .slice(0, 60)
    .map(({ fact }) => fact)
}

/** Commands that accompany a commit and add nothing to it. */
const WITH_COMMIT = /^git (?:-C \S+ )?(?:add|commit|status|diff|log|show)\b/

/**
 * What a command passed on for people to read stands among what was done, and a commit among the
 * newest ones.
 */
function isToldByItsWords({ command, outcome }: CommandFact, { repository }: Facts): boolean {
  if (outcome !== 'ok') return false
  if (proseInCommand(command).length > 0) return true
  const parts = coreOf(command).split(' && ')
  const commits = repository.commits.length > 0 && parts.some((part) => / commit\b/.test(part))
  return commits && parts.every((part) => WITH_COMMIT.test(part))
}

/**
 * `npm test | tail -5` and `npm test | grep FAIL` are runs of one command. A command without a
 * core, like `mkdir`, only prepared something.
 */
function newestOfEach(facts: readonly CommandFact[]): CommandFact[] {
  const byCore = new Map<string, CommandFact>()
  for (const fact of facts) {
    const core = coreOf(fact.command)
    if (core === '') continue
    const known = byCore.get(core)
    const [older, newer] = known && newest(known) > newest(fact) ? [fact, known] : [known, fact]
    byCore.set(core, { ...newer, runs: newer.runs + (older?.runs ?? 0) })
  }
  return [...byCore.values()]
}

function valueOf(fact: CommandFact, worth: Worth): number {
  const text = `${fact.command} ${fact.detail ?? ''}`
  return worthOfCommand(fact, worth.now) * worth.ofFocus(text)
}

function newest({ seqs }: CommandFact): number {
  return seqs.at(-1) ?? 0
}

export function commandLine(fact: CommandFact): string {
  const command = clipEnd(oneLine(fact.command), longestCommand)
  const runs = fact.runs > 1 ? ` ×${fact.runs}` : ''
  const exit = fact.exitCode === undefined ? '' : ` (exit ${fact.exitCode})`
  const outcome =
    fact.outcome === 'unknown' ? '' : fact.outcome === 'ok' ? ' → ok' : ` → failed${exit}`
  const detail =
    fact.detail === undefined ? '' : `: ${clipEnd(oneLine(fact.detail), longestDetail)}`
  return `- \`${command}\`${runs}${outcome}${detail} [${newest(fact)}]`
}
