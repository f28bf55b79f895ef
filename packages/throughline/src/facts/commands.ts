import { coreOf } from './command-parts.ts'
import { noteError, resolveCommand, type ErrorPlace } from './error-facts.ts'
import { errorLine, errorLines, resultLine, showsFailure } from './outcome/telling-line.ts'
import { relativeTo } from './paths/clean-path.ts'
import { onPlatform, platformOf } from './paths/platform.ts'
import type { CommandFact, CommandPurpose } from './facts.ts'
import { wasTold, type FactsState, type RunningCommand } from './fold-memory.ts'
import type { CommandEffect } from './lens.ts'
import type { Seq } from '../log/entry.ts'

/** A longer command line is a script: its beginning names it. */
const LONGEST_COMMAND = 200
/** Programs whose status 1 means that they found nothing, or a difference. */
const FINDERS =
  /^(?:grep|egrep|fgrep|rg|ag|ack|diff|cmp|which|test|\[|git (?:grep|diff)|find|pgrep|Select-String)$/

/** Adds a run of a command, or more output of a running one, to the facts. */
export function noteCommand(
  facts: FactsState,
  effect: CommandEffect,
  failed: boolean,
  seq: Seq,
): void {
  const ran = ranBy(facts, effect)
  if (ran === undefined || ran.name === '') return
  const { name, head, purpose } = ran
  if (effect.session !== undefined) {
    if (effect.running === true) facts.memory.running.set(effect.session, ran)
    else facts.memory.running.delete(effect.session)
  }
  const outcome = outcomeOf(effect, ran, failed)
  const fact = touch(facts, ran, seq, effect.command === '')
  fact.outcome = outcome
  if (effect.exitCode === undefined) delete fact.exitCode
  else fact.exitCode = effect.exitCode
  const detail = detailOf(effect.output ?? '', outcome, purpose)
  if (detail === undefined) delete fact.detail
  else fact.detail = detail
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
  return { name: commandName(facts, command, directory), head, purpose }
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
    fact = { command: name, purpose, runs: 0, outcome: 'unknown', seqs: [] }
    facts.commands.set(name, fact)
  }
  if (!more && !wasTold(facts, 'run', name)) fact.runs++
  if (fact.seqs.at(-1) !== seq) fact.seqs.push(seq)
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

function noteErrors(facts: FactsState, place: ErrorPlace, output: string, seq: Seq): void {
  const lines = errorLines(output)
  const only = lines.length > 0 ? lines : [errorLine(output)]
  for (const line of only) if (line !== undefined) noteError(facts, line, place, seq)
}
