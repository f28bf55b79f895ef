import { applyChange, type Change, type Outcome, changesOfPatch } from './change.ts'
import { changesOfShell } from './shell-changes.ts'
import { withSlashes } from '../words.ts'
import { outputText } from '../visible.ts'
import type { Entry } from '../../log/entry.ts'
import type { ToolCallPart, ToolOutput } from '../../log/message.ts'

const editing = /^(edit|multiedit|replace|str_replace|notebookedit)$/i
const writing = /^(write|write_file|create|create_file)$/i
const patching = /^apply_patch$/i
// Not PowerShell, whose lines only look like Bash.
const running = /^(bash|shell|shell_command|exec_command|run_shell_command)$/i

/**
 * What happened to each file that the entries changed, read only from edit, write, patch and shell
 * calls. A call that failed, or has no result, changed nothing for certain.
 */
export function changedFiles(entries: readonly Entry[], directories: readonly string[]): Outcome {
  const outcome: Outcome = new Map()
  const results = resultsOf(entries)
  for (const entry of entries) {
    if (entry.kind !== 'message' || entry.message.role !== 'assistant') continue
    if (typeof entry.message.content === 'string') continue
    for (const part of entry.message.content) {
      if (part.type !== 'tool-call') continue
      const output = results.get(part.toolCallId)
      if (output === undefined || failed(output)) continue
      for (const change of changesOfCall(part, outputText(output))) {
        applyChange(outcome, relative(change, directories))
      }
    }
  }
  return outcome
}

function changesOfCall({ toolName, input }: ToolCallPart, output: string): Change[] {
  if (patching.test(toolName)) {
    return changesOfPatch(
      typeof input === 'string' ? input : stringAt(input, 'patchText', 'input', 'patch'),
    )
  }
  if (running.test(toolName)) {
    const directory = stringAt(input, 'workdir', 'cwd', 'directory')
    return changesOfShell(stringAt(input, 'command', 'cmd'), directory)
  }
  const path = stringAt(input, 'file_path', 'filePath', 'path', 'notebook_path')
  if (path === '') return []
  if (editing.test(toolName)) return [{ type: 'edit', path }]
  if (!writing.test(toolName)) return []
  if (/created successfully/i.test(output)) return [{ type: 'create', path }]
  return [{ type: /has been updated/i.test(output) ? 'edit' : 'write', path }]
}

function resultsOf(entries: readonly Entry[]): Map<string, ToolOutput> {
  const results = new Map<string, ToolOutput>()
  for (const entry of entries) {
    if (entry.kind !== 'message' || entry.message.role !== 'tool') continue
    for (const part of entry.message.content) {
      if (part.type === 'tool-result') results.set(part.toolCallId, part.output)
    }
  }
  return results
}

function failed(output: ToolOutput): boolean {
  if (output.type.startsWith('error') || output.type === 'execution-denied') return true
  return /(?:exit(?:ed with)? code:?|exitCode:?)\s*"?[1-9]/i.test(
    outputText(output).slice(0, 2_000),
  )
}

function stringAt(input: unknown, ...fields: string[]): string {
  if (typeof input !== 'object' || input === null) return ''
  const found = fields.map((field) => (input as Record<string, unknown>)[field])
  return found.find((value) => typeof value === 'string') ?? ''
}

function relative(change: Change, directories: readonly string[]): Change {
  const shorten = (named: string): string => {
    const path = withSlashes(named, directories)
    const directory = directories.find((candidate) => path.startsWith(`${candidate}/`))
    return (directory === undefined ? path : path.slice(directory.length + 1)).replace(/^\.\//, '')
  }
  if (change.type !== 'rename') return { ...change, path: shorten(change.path) }
  return { ...change, path: shorten(change.path), to: shorten(change.to) }
}
