import { fieldsOf, type Fields } from '../../json/fields.ts'
import { textOf } from '../lenses/arguments.ts'
import { endsIn, startIn, type End } from './read-background.ts'
import type { BackgroundFact } from '../facts.ts'
import type { CommandEffect, LensCall } from '../lens.ts'
import type { FactsState } from '../fold-memory.ts'
import type { Seq } from '../../log/entry.ts'

/** More than these are forgotten, those that have ended first. */
const mostKept = 200
const longestTask = 300

/** A command that keeps running under a name, or has ended. */
export function noteBackgroundCommand(
  facts: FactsState,
  { session, running, exitCode, output = '' }: CommandEffect,
  { name, purpose }: { name: string; purpose: string },
  seq: Seq,
): void {
  endOutlived(facts, seq, (fact) => fact.id !== session && fact.task === oneLine(name))
  if (session === undefined) return
  if (running !== true) return end(facts, { id: session, failed: (exitCode ?? 0) !== 0 }, seq)
  // A look at something that took longer than its call delivers nothing to wait for.
  if (purpose === 'look') return
  const delivers = /output is being written to: (\S{1,300})/i.exec(output.slice(0, 1_000))?.[1]
  const how = delivers === undefined ? ({ outlived: true } as const) : { delivers }
  start(facts, { id: session, kind: 'command', task: name, ...how }, seq)
}

/**
 * A human asks for the next thing: tests and the like that were slow to end, and that nobody looked
 * at again, have ended since. A server has not.
 */
export function noteBackgroundRequest(facts: FactsState, seq: Seq): void {
  endOutlived(facts, seq, ({ task }) => endsByItself.test(task) && !/\bwatch/.test(task))
}

const endsByItself =
  /^(?:cd \S+ && )?(?:\w+=\S* )*(?:git|gh|cp|mv|rm|curl|wget|tar|tsc|eslint|pytest|vitest|jest|prettier|ruff|mypy|gofmt|golangci-lint)\b|\b(?:tests?|build|lint|check|typecheck|format|fmt|vet|clippy|install|compile|commit)\b/

/** Ends commands that were never asked to run beside the session. */
function endOutlived(facts: FactsState, seq: Seq, which: (fact: BackgroundFact) => boolean): void {
  for (const fact of facts.background.values()) {
    if (fact.state !== 'running' || fact.outlived !== true || !which(fact)) continue
    fact.state = 'ended'
    fact.endedAt = seq
  }
}

/** An agent or a job that a call has started, or what the call's result says of earlier ones. */
export function noteBackgroundCall(
  facts: FactsState,
  { tool, input, output = '' }: LensCall,
  seq: Seq,
): void {
  const started = startIn(tool, output)
  if (started) start(facts, { ...started, task: taskOf(input) ?? tool }, seq)
  for (const ended of endsIn(tool, input, output)) {
    if (ended.id !== started?.id) end(facts, ended, seq)
  }
}

/** The session of another agent that this one has started. */
export function noteChild(facts: FactsState, data: unknown, seq: Seq): void {
  const { session, task } = fieldsOf(data) ?? {}
  if (typeof session !== 'string' || typeof task !== 'string') return
  start(facts, { id: session, kind: 'agent', task }, seq)
}

/** What a harness says in the human's place: that something has ended, with what it delivers. */
export function noteBackgroundMessage(facts: FactsState, text: string, seq: Seq): void {
  for (const ended of endsIn('', undefined, text)) end(facts, ended, seq)
}

/**
 * The assistant goes on: what was delivered is used, unless something that was started for the same
 * request is still awaited.
 */
export function noteBackgroundUse(facts: FactsState, seq: Seq): void {
  const { background } = facts
  if (background.size === 0) return
  const awaited = new Set<number>()
  for (const { state, kind, turn } of background.values()) {
    if (state === 'running' && kind === 'agent') awaited.add(turn)
  }
  for (const fact of background.values()) {
    if (fact.state === 'delivered' && !awaited.has(fact.turn)) {
      fact.state = 'used'
      fact.usedAt = seq
    }
  }
}

function start(
  facts: FactsState,
  { id, kind, task, delivers, outlived }: Omit<BackgroundFact, 'turn' | 'state' | 'seq'>,
  seq: Seq,
): void {
  const known = facts.background.get(id)
  // More output of the same is no second start.
  if (known?.state === 'running') return
  facts.background.delete(id)
  facts.background.set(id, {
    id,
    kind,
    task: oneLine(task),
    ...(delivers !== undefined && { delivers }),
    ...(outlived && { outlived }),
    turn: facts.requests.length,
    state: 'running',
    seq,
  })
  forget(facts)
}

function end(facts: FactsState, { id, failed, report }: End, seq: Seq): void {
  const fact = facts.background.get(id)
  if (fact?.state !== 'running') return
  // Only the report of an agent has to be read; a command's output is kept with its command.
  fact.state = fact.kind === 'agent' && report === true ? 'delivered' : 'ended'
  fact.endedAt = seq
  if (failed) fact.failed = true
}

function forget({ background }: FactsState): void {
  if (background.size <= mostKept) return
  const over = [...background.values()].find(({ state }) => state !== 'running')
  background.delete(over?.id ?? background.keys().next().value ?? '')
}

function taskOf(input: unknown): string | undefined {
  const fields: Fields = fieldsOf(input) ?? {}
  const short = textOf(fields, 'description', 'label', 'title', 'task_name')
  return short ?? textOf(fields, 'task', 'prompt', 'message', 'command', 'name', 'query')
}

function oneLine(text: string): string {
  const line = text
    .slice(0, 2 * longestTask)
    .replace(/\s+/g, ' ')
    .trim()
  return line.length <= longestTask ? line : `${line.slice(0, longestTask - 1)}…`
}
