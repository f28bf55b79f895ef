import {
  beginsAlike,
  checksAllCode,
  coreOf as coreOfCommand,
  covers,
  readCore,
  readPart,
  successesOf,
  type ReadCore,
  type ReadPart,
} from './command-parts.ts'
import { filesNamed } from './file-tree.ts'
import { firstLine } from './outcome/telling-line.ts'
import { ownText } from './own-text.ts'
import { relativeTo } from './paths/clean-path.ts'
import { spellPath } from './paths/directories.ts'
import type { ErrorFact, Facts } from './facts.ts'
import type { FactsState } from './fold-memory.ts'
import type { Seq } from '../log/entry.ts'

/** What an error belongs to: a file, or the command that showed it. */
export interface ErrorPlace {
  owner: string
  /** The command without its decoration; its next success resolves the error. */
  command?: string
}

const LONGEST_ERROR = 240
/** How many errors are kept; the oldest resolved ones go first. */
const MOST_ERRORS = 400

/** Notes an error; a known one is only updated. */
export function noteError(facts: FactsState, text: string, place: ErrorPlace, seq: Seq): void {
  const line = text.length <= LONGEST_ERROR ? text : `${text.slice(0, LONGEST_ERROR - 1)}…`
  const owner = fileOf(facts, line) ?? place.owner
  const known = facts.errors.find(
    (error) => error.resolvedBy === undefined && error.text === line && error.owner === owner,
  )
  if (known) {
    known.seq = seq
    return
  }
  const { command } = place
  const whose = {
    owner: ownText(owner),
    ...(command !== undefined && { command: ownText(command) }),
  }
  facts.errors.push({ text: ownText(line), seq, ...whose })
  if (facts.errors.length > MOST_ERRORS) forgetOne(facts.errors)
}

/** A name was guessed wrong: there is nothing to solve. */
const NOT_THERE =
  /\b(?:file|path|directory|folder)\b.{0,200}\b(?:does not exist|doesn['’]t exist|not found)\b|\bENOENT\b|\bno such file\b/i

/** A patch that did not apply names the file that it was meant for. */
const MEANT_FOR = /\b(?:lines|context|match|file) in (\S{1,400}?\.\w{1,8}):?$/

/** Notes that a call failed which ran no command. */
export function noteFailure(facts: FactsState, output: string, owner: string, seq: Seq): void {
  const text = firstLine(output.replaceAll(/<\/?tool_use_error>/g, ''))
  if (text === undefined || NOT_THERE.test(text)) return
  const named = MEANT_FOR.exec(text)?.[1]
  const path = named === undefined ? undefined : spellPath(facts, named)
  const file = path === undefined ? owner : relativeTo(facts.root, path)
  noteError(facts, text, { owner: file }, seq)
}

/** `src/a.ts:3:1: error` and `src/a.ts(3,1): error` belong to the file. */
function fileOf(facts: FactsState, line: string): string | undefined {
  const match =
    /^((?:\.{0,2}\/|[A-Za-z]:[\\/])?[\w.@+-]+(?:[\\/][\w.@+-]+){0,20}\.\w{1,8})[:(]\d/.exec(line)
  const path = match?.[1] === undefined ? undefined : spellPath(facts, match[1])
  return path === undefined || path.includes('/') || facts.files.has(path)
    ? path
    : knownFile(facts, path)
}

/** Test runners omit the directory: it is the known file of that name, if there is one. */
function knownFile(facts: FactsState, name: string): string | undefined {
  const found = filesNamed(facts.files, name)
  return found.length === 1 ? found[0] : undefined
}

function forgetOne(errors: ErrorFact[]): void {
  const solved = errors.findIndex(({ resolvedBy }) => resolvedBy !== undefined)
  errors.splice(Math.max(solved, 0), 1)
}

/** A program in the line itself, as in `node -e '…'`: it asked something once and is not run again. */
const PROBE =
  /(?:^|\s)(?:node|tsx|deno(?: eval)?|bun|python[\d.]{0,4}|ruby|perl|php)\s(?:-\S{1,20}\s){0,3}?(?:-[a-z]{0,2}[ce]|--eval|-p|-r)\s/

/** After so many messages of the human, an error of something tried once no longer matters. */
const SPOKEN_PAST = 4

/**
 * Errors that nothing has shown to be gone, and that were not only met while looking for something, or
 * long ago by what no test, build or linter is.
 */
export function openErrors({
  errors,
  requests,
  commands,
}: Pick<Facts, 'errors' | 'requests' | 'commands'>): ErrorFact[] {
  const turn = requests.at(-1)?.seq ?? 0
  const passed = requests.at(-SPOKEN_PAST)?.seq ?? 0
  const checks = new Set<string>()
  for (const { command, purpose } of commands.values()) {
    if (purpose === 'check') checks.add(coreOfCommand(command))
  }
  return errors.filter(({ resolvedBy, command = '', seq }) => {
    if (resolvedBy !== undefined) return false
    if (seq < passed && !checks.has(command)) return false
    return !(seq < turn && PROBE.test(command.slice(0, 400)))
  })
}

const FAILED_TEST = /\bFAIL(?:ED)?:? {1,3}([A-Za-z_][\w./:-]{5,160})/

/** Whether the line of a command that succeeded names the test that failed. */
function ranAgain({ text }: ErrorFact, line: string): boolean {
  const test = FAILED_TEST.exec(text)?.[1]
  if (test === undefined) return false
  const at = line.indexOf(test)
  return at >= 0 && !/[\w/]/.test(line[at + test.length] ?? '') && !/\w/.test(line[at - 1] ?? '')
}

/** `src/a.go:11:2: …` stops all tests of its package, whichever were asked for. */
function isOfCompiler({ text }: ErrorFact): boolean {
  return /^(?:vet: )?[\w./\\@+-]{1,200}\.\w{1,8}:\d{1,7}:\d{1,5}: /.test(text)
}

/** `src/a.ts(3,1): …` and `src/a.ts:3:1: …` name their place. */
function isLocated({ text }: ErrorFact): boolean {
  return /^[\w./\\@+-]{1,200}\.\w{1,8}(?:\(\d{1,7},\d{1,5}\)|:\d{1,7}:\d{1,5}):? /.test(text)
}

/** Whether the file that an error belongs to was changed after it. */
function wasChanged({ memory }: FactsState, { owner, seq }: ErrorFact): boolean {
  for (let at = memory.changes.length - 1; at >= 0; at--) {
    const change = memory.changes[at]
    if (change === undefined || change.seq <= seq) return false
    if (change.path === owner || change.path.endsWith(`/${owner}`)) return true
  }
  return false
}

/** `go test ./pkg -run One` and `go test ./pkg -run Two`. */
function hasSameTarget({ words: a }: ReadPart, { words: b }: ReadPart): boolean {
  return (
    a.length > 2 && a[2]?.startsWith('-') === false && a.slice(0, 3).join() === b.slice(0, 3).join()
  )
}

/**
 * A command succeeded: everything that it, or as much of it, complained about is gone, and every
 * test that its whole line names.
 */
export function resolveCommand(
  facts: FactsState,
  command: string,
  { seq, line = '' }: { seq: Seq; line?: string },
): void {
  let done: ReadPart[] | undefined
  for (const error of facts.errors) {
    if (error.resolvedBy !== undefined || error.command === undefined) continue
    done ??= successesOf(command).map(readPart)
    const failed = coreOf(error, error.command)
    const same = failed.text === command || done.some((part) => covers(part, failed))
    const compiles = isOfCompiler(error) && done.some((part) => hasSameTarget(part, failed.last))
    const checked = isLocated(error) && done.some(checksAllCode) && wasChanged(facts, error)
    const alike =
      !FAILED_TEST.test(error.text) && done.some(({ text }) => beginsAlike(text, failed.last.text))
    if (!same && !alike && !compiles && !checked && !ranAgain(error, line)) continue
    error.resolvedBy = seq
    const cure = changedBetween(facts, error.seq, seq)
    if (cure.length > 0) error.cure = cure
  }
}

/** More files than these are a piece of work rather than a cure. */
const MOST_CURED = 6

/** The files that were changed between a failure and a success, if they are few. */
function changedBetween({ memory }: FactsState, failed: Seq, passed: Seq): string[] {
  const paths = new Set<string>()
  for (let at = memory.changes.length - 1; at >= 0; at--) {
    const change = memory.changes[at]
    if (change === undefined || change.seq <= failed) break
    // What the same line formats before it runs cures nothing.
    if (change.seq < passed) paths.add(change.path)
    if (paths.size > MOST_CURED) return []
  }
  return [...paths].toReversed()
}

const cores = new WeakMap<ErrorFact, ReadCore>()

/** Every success is compared with every open error: each is read once. */
function coreOf(error: ErrorFact, command: string): ReadCore {
  let core = cores.get(error)
  if (core?.text !== command) cores.set(error, (core = readCore(command)))
  return core
}

/** A call on the file succeeded after one had failed. Errors that a command showed stay. */
export function resolveFile(facts: FactsState, path: string, seq: Seq): void {
  for (const error of facts.errors) {
    if (error.resolvedBy === undefined && error.command === undefined && error.owner === path) {
      error.resolvedBy = seq
    }
  }
}
