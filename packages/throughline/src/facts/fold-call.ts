import { stringLeaves } from '../json/fields.ts'
import {
  noteError,
  noteFailure,
  resolveFile,
  resolveCommand,
  type ErrorPlace,
} from './error-facts.ts'
import { noteCreated, noteDeleted, noteEdited, noteRead, noteRenamed } from './files.ts'
import { noteSeq } from './forget/note-seq.ts'
import { ownText } from './own-text.ts'
import { pathOf } from './lenses/arguments.ts'
import { readCall } from './lenses/read-call.ts'
import { recordSections } from './names/record.ts'
import { isDenied } from './outcome/read-outcome.ts'
import { errorLine, errorLines, resultLine, showsFailure } from './outcome/telling-line.ts'
import { relativeTo, onPlatform, platformOf, isAbsolute } from './paths/clean-path.ts'
import { authority, enterDirectory, learnDirectory, spellPath } from './paths/directories.ts'
import { noteRepository, noteWork } from './statements/note-statements.ts'
import { noteToldByCall } from './statements/told-by-calls.ts'
import { noteTodo } from './todos.ts'
import { outputText, type ToolCallPart, type ToolResultPart } from '../log/message.ts'
import { wasTold, type FactsState, type RunningCommand } from './fold-memory.ts'
import { noteBackgroundCall, noteBackgroundCommand } from './background/note-background.ts'
import { coreOf } from './command-parts.ts'
import type { Effect, LensCall, ToolLens, CommandEffect } from './lens.ts'
import type { Seq } from '../log/entry.ts'
import type { CommandFact, CommandPurpose } from './facts.ts'
import { moveRoot } from './paths/move-root.ts'

/** A longer command line is a script: its beginning names it. */
const LONGEST_COMMAND = 200
/** Programs whose status 1 means that they found nothing, or a difference. */
const FINDERS =
  /^(?:grep|egrep|fgrep|rg|ag|ack|diff|cmp|which|test|\[|git (?:grep|diff)|find|pgrep|Select-String)$/

/** Adds a run of a command, or more output of a running one, to the facts. */
function noteCommand(facts: FactsState, effect: CommandEffect, failed: boolean, seq: Seq): void {
  const ran = ranBy(facts, effect)
  if (ran === undefined || ran.name === '') return
  const { name, head, purpose } = ran
  if (effect.session !== undefined) {
    if (effect.running === true) facts.memory.running.set(effect.session, ran)
    else facts.memory.running.delete(effect.session)
  }
  noteBackgroundCommand(facts, effect, ran, seq)
  const outcome = outcomeOf(effect, ran, failed)
  const fact = touch(facts, ran, seq, effect.command === '')
  fact.outcome = outcome
  if (effect.exitCode === undefined) delete fact.exitCode
  else fact.exitCode = effect.exitCode
  const detail = detailOf(effect.output ?? '', outcome, purpose)
  if (detail === undefined) delete fact.detail
  else fact.detail = ownText(detail)
  const command = coreOf(name)
  if (outcome === 'ok') resolveCommand(facts, command, { seq, line: effect.command })
  if (outcome === 'failed' && purpose !== 'look') {
    noteErrors(facts, { owner: head === '' ? name : head, command }, effect.output ?? '', seq)
  }
}

/** The command of an effect; further output belongs to the command that was started before. */
function ranBy(facts: FactsState, effect: CommandEffect): RunningCommand | undefined {
  const { command, session, directory, head = '', purpose = 'act' } = effect
  if (command === '') return session === undefined ? undefined : facts.memory.running.get(session)
  return { name: ownText(commandName(facts, command, directory)), head: ownText(head), purpose }
}

/** The name of a command among the facts: one line, with the directory if it isn't the root. */
function commandName(facts: FactsState, command: string, directory?: string): string {
  const { line, place } = withoutEntering(oneLine(command), directory)
  const there =
    place === undefined ? '' : relativeTo(facts.root, onPlatform(platformOf(facts), place))
  const named =
    there === '' || there === '.' || there === facts.memory.current
      ? line
      : `cd ${there} && ${line}`
  return shorten(named)
}

/** `cd /repo && npm test` is `npm test` in `/repo`. */
function withoutEntering(line: string, directory?: string): { line: string; place?: string } {
  const match = /^cd (\/[^\s;&|'"$]{1,200}|[A-Za-z]:[\\/][^\s;&|'"$]{1,200})\/? ?(?:&&|;) ?/.exec(
    line,
  )
  const rest = match ? line.slice(match[0].length) : ''
  if (match?.[1] !== undefined && rest !== '') return { line: rest, place: match[1] }
  return directory === undefined ? { line } : { line, place: directory }
}

/** One line, without comments and the text of here-documents. */
function oneLine(command: string): string {
  const lines: string[] = []
  let size = 0
  for (const line of command.slice(0, 20 * LONGEST_COMMAND).split('\n')) {
    const text = line.replace(/\s+/g, ' ').trim()
    if (text === '' || (text.startsWith('#') && !text.startsWith('#!'))) continue
    const document = text.indexOf('<<')
    const cut = document >= 0 && text[document + 2] !== '<'
    lines.push(cut ? `${text} …` : text)
    size += text.length
    if (cut || size > LONGEST_COMMAND) break
  }
  return lines.join('; ').replaceAll('&&; ', '&& ').replaceAll('\\; ', '')
}

function shorten(line: string): string {
  return line.length <= LONGEST_COMMAND ? line : `${line.slice(0, LONGEST_COMMAND - 1).trimEnd()}…`
}

function touch(
  facts: FactsState,
  { name, purpose }: RunningCommand,
  seq: Seq,
  more: boolean,
): CommandFact {
  let fact = facts.commands.get(name)
  if (fact === undefined) {
    const command = ownText(name)
    fact = { command, purpose, runs: 0, outcome: 'unknown', seqs: [seq] }
    facts.commands.set(command, fact)
  }
  if (!more && !wasTold(facts, 'run', name)) fact.runs++
  noteSeq(fact, seq)
  return fact
}

function outcomeOf(
  { exitCode, output = '', running }: CommandEffect,
  { head, purpose }: RunningCommand,
  failed: boolean,
): CommandFact['outcome'] {
  if (running === true) return 'unknown'
  if (exitCode === 1 && FINDERS.test(head) && errorLines(output).length === 0) return 'ok'
  if (exitCode !== undefined && exitCode !== 0) return 'failed'
  if (failed) return 'failed'
  return purpose === 'check' && showsFailure(output) ? 'failed' : 'ok'
}

function detailOf(
  output: string,
  outcome: CommandFact['outcome'],
  purpose: CommandPurpose,
): string | undefined {
  if (output === '' || (purpose === 'look' && outcome !== 'failed')) return undefined
  if (outcome !== 'failed') return resultLine(output, purpose === 'check')
  const result = purpose === 'check' ? resultLine(output, true) : undefined
  return errorLines(output)[0] ?? result ?? errorLine(output)
}

/** There was nothing to commit: nothing is wrong. */
const NOTHING_TO_COMMIT = /\bnothing (?:added )?to commit\b|\bno changes added to commit\b/

function noteErrors(facts: FactsState, place: ErrorPlace, output: string, seq: Seq): void {
  if (NOTHING_TO_COMMIT.test(output.slice(-4_000))) return
  const lines = errorLines(output)
  const only = lines.length > 0 ? lines : [errorLine(output)]
  for (const line of only) if (line !== undefined) noteError(facts, line, place, seq)
}

/** Processes a call: its words count as used now; its effects wait for its result. */
export function foldCall(facts: FactsState, part: ToolCallPart, seq: Seq): void {
  const input = decoded(part.input)
  learnWorkingDirectory(facts, input)
  facts.memory.calls.set(part.toolCallId, { seq, tool: part.toolName, input })
  const path = pathOf(input)
  const file = path === undefined ? undefined : spellPath(facts, path)
  const source = { use: 'call', seq, owner: file ?? '', ownerIsFile: file !== undefined } as const
  for (const text of stringLeaves(input)) recordSections(facts, text, source)
}

/** Processes a result: the call now has its effects, and its subject owns the output. */
export function foldResult(
  facts: FactsState,
  part: ToolResultPart,
  seq: Seq,
  lenses: readonly ToolLens[] | undefined,
): void {
  const open = facts.memory.calls.get(part.toolCallId)
  facts.memory.calls.delete(part.toolCallId)
  const text = outputText(part.output)
  const failed = part.output.type === 'error-text' || part.output.type === 'error-json'
  const refused = part.output.type === 'execution-denied' || isDenied(text)
  const tool = open?.tool ?? part.toolName
  const call: LensCall = { tool, input: open?.input, output: text, failed }
  const effects = refused ? [] : readCall(call, lenses)
  const owned = ownerOf(facts, effects)
  applyEffects(facts, effects, { call, owner: owned.owner, seq })
  if (!refused) {
    const about = owned.ownerIsFile ? relativeTo(facts.root, owned.owner) : undefined
    noteBackgroundCall(facts, call, seq)
    noteToldByCall(facts, { call, effects, about, calledAt: open?.seq ?? seq, seq })
  }
  recordSections(facts, text, { use: 'mention', seq, ...owned })
}

interface Circumstances {
  call: LensCall
  owner: string
  seq: Seq
}

function applyEffects(facts: FactsState, effects: readonly Effect[], at: Circumstances): void {
  const command = effects.find((effect) => effect.type === 'command')
  for (const effect of effects) applyEffect(facts, effect, command?.directory, at)
  const told = effects.some(({ type }) => type === 'command' || type === 'failure')
  if (at.call.failed && !told && !isDenied(at.call.output ?? ''))
    noteFailure(facts, at.call.output ?? '', at.owner || at.call.tool, at.seq)
}

function applyEffect(
  facts: FactsState,
  effect: Effect,
  directory: string | undefined,
  { call, owner, seq }: Circumstances,
): void {
  switch (effect.type) {
    case 'command':
      for (const entered of effect.entered ?? []) learnDirectory(facts, entered, authority.change)
      noteCommand(facts, effect, effect.failed ?? call.failed, seq)
      noteRepository(facts, effect, seq)
      return
    case 'directory':
      if (!facts.memory.directoryRecorded) enterDirectory(facts, effect.path, authority.output)
      return
    case 'todo':
    case 'todos':
    case 'todo-status':
      noteTodo(facts, effect, seq)
      return
    case 'failure': {
      const path = effect.path === undefined ? undefined : spellPath(facts, effect.path, directory)
      noteFailure(facts, effect.text, path ?? (owner || call.tool), seq)
      return
    }
    case 'search':
      return
    default:
      applyToFile(facts, effect, directory, seq)
  }
}

/** Git's own files are not the session's work. */
const GIT_INTERNALS = /(?:^|\/)\.git\//

type FileEffect = Extract<Effect, { type: 'read' | 'create' | 'edit' | 'rename' | 'delete' }>

function applyToFile(
  facts: FactsState,
  effect: FileEffect,
  directory: string | undefined,
  seq: Seq,
): void {
  const named = spellPath(facts, effect.path, directory)
  if (named === undefined || GIT_INTERNALS.test(named)) return
  guessRoot(facts, named, effect.type !== 'read')
  const path = relativeTo(facts.root, named)
  resolveFile(facts, path, seq)
  if (effect.type !== 'read') {
    noteWork(facts)
    facts.repository.changed.add(facts.files.get(path)?.path ?? ownText(path))
  }
  if (effect.type === 'read') noteRead(facts, path, seq)
  else if (effect.type === 'create') noteCreated(facts, path, seq)
  else if (effect.type === 'edit') noteEdited(facts, path, seq)
  else if (effect.type === 'delete') noteDeleted(facts, path, seq, effect.tree)
  else {
    const to = spellPath(facts, effect.to, directory)
    if (to !== undefined) noteRenamed(facts, path, to, seq)
  }
}

/** The subject of a call: the file that it changes, reads or searches, else its command. */
function ownerOf(
  facts: FactsState,
  effects: readonly Effect[],
): { owner: string; ownerIsFile: boolean } {
  const command = effects.find((effect) => effect.type === 'command')
  const directory = command?.directory
  let read: string | undefined
  for (const effect of effects) {
    if (!('path' in effect) || effect.path === undefined || effect.type === 'directory') continue
    const path = spellPath(facts, effect.path, directory)
    if (path === undefined) continue
    if (effect.type !== 'read' && effect.type !== 'search')
      return { owner: path, ownerIsFile: true }
    read ??= path
  }
  if (read !== undefined) return { owner: read, ownerIsFile: true }
  return { owner: command?.head ?? '', ownerIsFile: false }
}

/** A call that names its directory shows where the session works. */
function learnWorkingDirectory(facts: FactsState, input: unknown): void {
  if (typeof input !== 'object' || input === null) return
  for (const key of ['workdir', 'cwd', 'working_directory']) {
    const value = (input as Record<string, unknown>)[key]
    if (typeof value === 'string' && value !== '') learnDirectory(facts, value, authority.argument)
  }
}

/** Some harnesses leave the arguments in their original form: JSON in a string. */
function decoded(input: unknown): unknown {
  if (typeof input !== 'string') return input
  const text = input.trim()
  if (!text.startsWith('{') || !text.endsWith('}')) return input
  try {
    return JSON.parse(text) as unknown
  } catch {
    return input
  }
}

/** A root has a name of its own: `/` and `/home` don't count. */
const FEWEST_ROOT_SEGMENTS = 2
/** `src/index.ts` exists in every project; three segments are one place. */
const FEWEST_SEGMENTS = 3
/** A change says more about where the work is than a look. */
const CHANGE_VOTES = 4

/**
 * Guesses the session's root from files whose absolute path is known and whose end the session also
 * wrote as a relative path: the rest is the root. A guess gives way to one with twice the evidence,
 * and to anything known.
 */
function guessRoot(facts: FactsState, path: string, changed: boolean): void {
  const { memory } = facts
  if (memory.rootAuthority > authority.guess) return
  const root = rootOf(facts, path)
  if (root === undefined) return
  const votes = (memory.guesses.get(root) ?? 0) + (changed ? CHANGE_VOTES : 1)
  memory.guesses.set(root, votes)
  if (facts.root === '') learnDirectory(facts, root, authority.guess)
  else if (root !== facts.root && votes > 2 * (memory.guesses.get(facts.root) ?? 0)) {
    moveRoot(facts, root)
  }
}

function rootOf(facts: FactsState, path: string): string | undefined {
  if (!isAbsolute(path)) return facts.root === '' ? undefined : facts.root
  const segments = path.split('/')
  for (let at = FEWEST_ROOT_SEGMENTS + 1; at <= segments.length - FEWEST_SEGMENTS; at++) {
    if (facts.names.has(segments.slice(at).join('/'))) return segments.slice(0, at).join('/')
  }
  return undefined
}
