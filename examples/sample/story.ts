import { home } from './neutral.ts'
import type { ScriptedCall } from 'throughline/testing/ai-sdk'

/** What the human says, and what the agent then does. */
export interface Turn {
  human: string
  steps: readonly Step[]
  /** What the agent says in the end; nothing where it is interrupted. */
  answer?: string
  /** The human stops the agent as soon as it makes the calls of the last step. */
  interrupted?: true
}

/** One reply of the model. */
export interface Step {
  think?: string
  say?: string
  calls: readonly Call[]
}

/** A call, and whether it is meant to fail. */
export interface Call extends ScriptedCall {
  fails?: true
}

export function step(...calls: Call[]): Step {
  return { calls }
}

export function say(text: string, ...calls: Call[]): Step {
  return { say: text, calls }
}

export function read(path: string, from?: number, lines?: number): Call {
  const range = from === undefined ? {} : { offset: from, limit: lines }
  return { name: 'Read', input: { file_path: `${home}/${path}`, ...range } }
}

export function write(path: string, content: string): Call {
  return { name: 'Write', input: { file_path: `${home}/${path}`, content } }
}

export function edit(path: string, before: string, after: string): Call {
  const input = { file_path: `${home}/${path}`, old_string: before, new_string: after }
  return { name: 'Edit', input }
}

export function bash(command: string, description: string): Call {
  return { name: 'Bash', input: { command, description } }
}

/** A call that is meant to fail: the recording stops if it does not. */
export function failing(call: Call): Call {
  return { ...call, fails: true }
}

/** The list of things to do: `+` is done, `>` is being done, anything else is open. */
export function todo(...lines: string[]): Call {
  const statuses: Record<string, string> = { '+': 'completed', '>': 'in_progress' }
  const todos = lines.map((line) => ({
    content: line.slice(2),
    status: statuses[line[0] ?? ''] ?? 'pending',
    activeForm: line.slice(2),
  }))
  return { name: 'TodoWrite', input: { todos } }
}
