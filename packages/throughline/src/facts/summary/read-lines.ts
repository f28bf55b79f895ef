import { noteTold, type FactsState } from '../fold-memory.ts'
import { withoutRef } from '../statements/note-statements.ts'
import type { CommandFact, CommandPurpose, RuleFact } from '../facts.ts'
import type { Seq } from '../../log/entry.ts'

export function addRule(facts: FactsState, rule: RuleFact): void {
  if (!facts.rules.some(({ text }) => text === rule.text)) facts.rules.push(rule)
}

export function readTodo(
  facts: FactsState,
  line: string,
  status: 'open' | 'active' | 'done',
  seq: Seq,
): void {
  const said = /^(?:in progress|under way|pending|done): /.exec(line)?.[0] ?? ''
  const active = /^(?:in|under) /.test(said)
  const text = line.slice(said.length)
  if (facts.todos.some((todo) => todo.text === text)) return
  facts.todos.push({ text, status: active ? 'active' : status, seq })
}

export function readCommand(
  facts: FactsState,
  line: string,
  seq: Seq,
  purpose: CommandPurpose = 'act',
): void {
  const match = /^`(.+?)`(?: ×(\d+))?(?: → (ok|failed)(?: \(exit (\d+)\))?)?(?:: (.*))?$/.exec(
    withoutRef(line),
  )
  const command = match?.[1]
  if (match === null || command === undefined || facts.commands.has(command)) return
  const [, , runs, outcome, exit, detail] = match
  const fact: CommandFact = {
    command,
    purpose,
    runs: Number(runs ?? 1),
    outcome: outcome === 'ok' || outcome === 'failed' ? outcome : 'unknown',
    ...(exit !== undefined && { exitCode: Number(exit) }),
    ...(detail !== undefined && { detail }),
    seqs: [seq],
  }
  facts.commands.set(command, fact)
  noteTold(facts, 'run', { name: command, times: fact.runs })
}
