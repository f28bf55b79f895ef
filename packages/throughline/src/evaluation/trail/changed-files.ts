import { applyChange, changesOfPatch, type Change, type Outcome } from './artifact-trail.ts'
import { withSlashes } from '../words.ts'
import { outputText } from '../visible.ts'
import {
  parse,
  type Command,
  type CommandArgument,
  type PipelineNode,
  type Redirection,
  type Statement,
  type Word,
} from 'unbash'
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

/**
 * What a line of Bash does to files, if it is certain: `rm`, `mv`, `cp`, `git rm`, `git mv`,
 * `touch`, `tee`, `sed -i`, redirects and patches, with names that are spelled out. What only runs
 * on a condition says nothing.
 *
 * The parser is not ours, so that the judge does not share the mistakes of what it judges.
 */
export function changesOfShell(line: string, directory = ''): Change[] {
  try {
    return changesOfScript(line, { here: directory })
  } catch (error) {
    // Nested deeper than the parser can go.
    if (error instanceof RangeError) return []
    throw error
  }
}

function changesOfScript(line: string, shell: Shell): Change[] {
  const { commands, errors = [] } = parse(line)
  const understood = errors[0]?.pos ?? line.length
  return changesOfList(
    commands.filter(({ end }) => end <= understood),
    shell,
  )
}

interface Shell {
  /** The directory in which the next command runs; `undefined` if it is unknown. */
  here: string | undefined
}

function changesOfList(list: readonly Statement[], shell: Shell): Change[] {
  return list.flatMap(({ command }) => {
    if (command.type !== 'AndOr') return changesOf(command, shell)
    const { commands, operators } = command
    return commands.flatMap((each, index) =>
      operators[index - 1] === '||' ? [] : changesOf(each, shell),
    )
  })
}

function changesOf(node: PipelineNode, shell: Shell): Change[] {
  switch (node.type) {
    case 'Pipeline':
      return node.commands.flatMap((each) => changesOf(each, { ...shell }))
    case 'Subshell':
      return changesOfList(node.body.commands, { ...shell })
    case 'BraceGroup':
      return changesOfList(node.body.commands, shell)
    case 'Redirected':
      return [...written(node.redirects, shell), ...changesOf(node.command, shell)]
    case 'Command':
      return [...written(node.redirects, shell), ...changesOfCommand(node, shell)]
    default:
      return []
  }
}

/** Files that `>` and its like write. */
function written(redirects: readonly Redirection[], { here }: Shell): Change[] {
  return redirects.flatMap((redirect) => {
    if (redirect.type !== 'Redirect' || !redirect.operator.includes('>')) return []
    const name = redirect.target && spelledOut(redirect.target)
    if (redirect.operator === '>&' && /^[\d-]*$/.test(name ?? '')) return []
    return files([name], here).map((path) => ({ type: 'write', path }))
  })
}

function changesOfCommand(command: Command, shell: Shell): Change[] {
  const words = [command.name, ...command.args].flatMap((word) => (word ? [wordOf(word)] : []))
  while (words[0] === 'sudo' || words[0] === 'command') words.shift()
  const [name, ...args] = words
  if (name === 'cd') {
    shell.here = args[0] === undefined || args[0] === '-' ? undefined : join(shell.here, args[0])
    return []
  }
  if (name === 'bash' || name === 'sh' || name === 'zsh') {
    const script = /^-\w*c$/.test(args[0] ?? '') ? args[1] : undefined
    return script === undefined ? [] : changesOfScript(script, { ...shell })
  }
  const patch = patchOf(command, words)
  if (patch !== undefined) return changesOfPatch(patch).flatMap((each) => within(each, shell.here))
  return changesOfProgram(name, args, shell)
}

/** A patch that a program is given, on its standard input or as its argument. */
function patchOf({ redirects }: Command, words: readonly Named[]): string | undefined {
  const given = redirects.flatMap((each) => (each.type === 'HereDoc' ? [each.body.text] : []))
  const isWritten = redirects.some(({ operator }) => operator.startsWith('>'))
  return [...(isWritten ? [] : given), words[0] === 'apply_patch' ? words[1] : undefined].find(
    (text) => text?.startsWith('*** Begin Patch'),
  )
}

function changesOfProgram(name: Named, args: readonly Named[], { here }: Shell): Change[] {
  const options = args.filter((arg) => arg?.startsWith('-'))
  const operands = args.filter((arg) => !arg?.startsWith('-'))
  switch (name) {
    case 'git':
      return args[0] === 'rm' || args[0] === 'mv'
        ? changesOfProgram(args[0], args.slice(1), { here })
        : []
    case 'rm':
      if (options.some((option) => /^-\w*[rR]|^--(?:recursive|cached)/.test(option ?? '')))
        return []
      return files(operands, here).map((path) => ({ type: 'delete', path }))
    case 'mv':
      return renames(operands, here)
    case 'cp':
      return options.some((option) => /^-\w*[rRa]|^--(?:recursive|archive)/.test(option ?? ''))
        ? []
        : renames(operands, here).flatMap((moved) =>
            moved.type === 'rename' && isKept(moved.to)
              ? [{ type: 'write', path: moved.to } as const]
              : [],
          )
    case 'touch':
    case 'tee':
      return files(operands, here).map((path) => ({ type: 'write', path }))
    case 'sed':
      if (!options.some((option) => /^-\w*i|^--in-place/.test(option ?? ''))) return []
      return files(operands.filter(isFileName), here).map((path) => ({ type: 'edit', path }))
    default:
      return []
  }
}

function renames(operands: readonly Named[], here: string | undefined): Change[] {
  const named = operands.filter((operand) => operand !== undefined)
  const target = named.pop()
  if (target === undefined || named.length < operands.length - 1) return []
  const folder = target.endsWith('/') || named.length > 1 || !isFileName(target)
  const moved = named.filter((path) => isFileName(path) && isKept(path))
  return moved.flatMap((path) => {
    const to = folder ? `${target.replace(/\/$/, '')}/${path.split('/').at(-1)}` : target
    return within({ type: 'rename', path, to }, here)
  })
}

/** A word of a command; `undefined` if it contains a variable, a glob or a substitution. */
type Named = string | undefined

function wordOf(word: CommandArgument): Named {
  return word.type === 'Word' ? spelledOut(word) : word.text
}

function spelledOut({ value, parts = [] }: Word): Named {
  const plain = parts.every((part) =>
    part.type === 'DoubleQuoted'
      ? part.parts.every(({ type }) => type === 'Literal')
      : ['Literal', 'SingleQuoted', 'AnsiCQuoted'].includes(part.type),
  )
  return plain ? value : undefined
}

function isFileName(name: Named): name is string {
  return name !== undefined && /\.[A-Za-z]\w{0,9}$/.test(name) && !/[\s;=]/.test(name)
}

/** The files with these names, except the system's scratch files. */
function files(names: readonly Named[], here: string | undefined): string[] {
  return names.flatMap((name) => (name ? (join(here, name) ?? []) : [])).filter(isKept)
}

function within(change: Change, here: string | undefined): Change[] {
  const path = join(here, change.path)
  if (path === undefined) return []
  if (change.type !== 'rename') return [{ ...change, path }]
  const to = join(here, change.to)
  return to === undefined ? [] : [{ ...change, path, to }]
}

function isKept(path: string): boolean {
  return !/^\/(?:tmp|dev|private|var)\//.test(path)
}

/** A path as it is from where the line began, if that can be known. */
function join(here: string | undefined, path: string): string | undefined {
  if (/^[/~]/.test(path) || here === '') return path
  if (here === undefined) return undefined
  const resolved: string[] = []
  for (const segment of `${here}/${path}`.split('/')) {
    if (segment === '..' && (resolved.at(-1) ?? '..') !== '..') resolved.pop()
    else if (segment !== '.') resolved.push(segment)
  }
  return resolved.join('/')
}
