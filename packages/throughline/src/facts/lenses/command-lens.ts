import { fieldsOf, textOf, textsOf } from './arguments.ts'
import { isAbsolute } from '../paths/clean-path.ts'
import { readOutcome, type Outcome } from '../outcome/read-outcome.ts'
import { readPowershell } from '../shell/powershell.ts'
import { readShell } from '../shell/read-shell.ts'
import type { CommandEffect, Effect, LensCall, ToolLens } from '../lens.ts'

/** Shells of all harnesses: Claude Code, Codex, opencode, pi, Copilot, Gemini, OpenHands. */
export const commandLens: ToolLens = {
  tools: [
    'bash',
    'shell',
    'shell_command',
    'exec_command',
    'local_shell',
    'local_shell_call',
    'container.exec',
    'powershell',
    'execute_bash',
    'run_shell_command',
    'run_terminal_cmd',
    'run_in_terminal',
    'run_command',
    'execute_command',
    'terminal',
    'cmd_run',
  ],
  read: (call) => {
    const command = commandOf(call.input)
    return command === undefined ? [] : commandEffects(call, command)
  },
}

/** Cline runs several command lines at once. */
export const commandsLens: ToolLens = {
  tools: ['run_commands'],
  read: (call) =>
    textsOf(call.input, 'commands').flatMap((command) => commandEffects(call, command)),
}

/** Tools that poll a running command or write to it. */
export const runningCommandLens: ToolLens = {
  tools: [
    'write_stdin',
    'bashoutput',
    'taskoutput',
    'killshell',
    'kill_shell',
    'read_powershell',
    'write_powershell',
    'stop_powershell',
    'read_bash',
    'write_bash',
    'stop_bash',
  ],
  read: ({ input, output, failed }) => {
    const session = sessionOf(input)
    if (session === undefined || output === undefined) return []
    return [commandEffect({ command: '', outcome: { session, ...readOutcome(output) }, failed })]
  },
}

/** Shells that stay in the directory of the last command. */
const STAYS = new Set(['Bash', 'execute_bash'])

/** What a command line did, whichever tool ran it. */
export function commandEffects(call: LensCall, command: string): Effect[] {
  const directory = textOf(
    call.input,
    'workdir',
    'cwd',
    'working_directory',
    'dir_path',
    'directory',
  )
  const outcome = readOutcome(call.output ?? '')
  const failed = call.failed || (outcome.exitCode ?? 0) !== 0
  const read = /powershell|pwsh/i.test(call.tool) ? readPowershell : readShell
  // A relative directory is added where the effects are spelled; here it would be added twice.
  const start = directory !== undefined && isAbsolute(directory) ? directory : ''
  const shell = read(command, { directory: start, failed })
  const effects: Effect[] = [...shell.effects]
  const { purpose, head, entered } = shell
  effects.push({
    ...commandEffect({ command, outcome, failed }),
    purpose,
    head,
    entered,
    ...(directory !== undefined && { directory }),
  })
  const stands = standing({ call, command, outcome, failed, left: shell.directory })
  if (stands !== undefined && directory === undefined)
    effects.push({ type: 'directory', path: stands })
  return effects
}

function commandEffect({
  command,
  outcome,
  failed,
}: {
  command: string
  outcome: Outcome
  failed: boolean
}): CommandEffect {
  const { body, exitCode, session, running } = outcome
  return {
    type: 'command',
    command,
    output: body,
    failed,
    ...(exitCode !== undefined && { exitCode }),
    ...(session !== undefined && { session }),
    ...(running && { running }),
  }
}

/** The session's directory after the command, if it is known to have changed. */
function standing({
  call,
  command,
  outcome,
  failed,
  left,
}: {
  call: LensCall
  command: string
  outcome: Outcome
  failed: boolean
  left: string | undefined
}): string | undefined {
  if (call.output === undefined) return undefined
  if (outcome.directory !== undefined) return outcome.directory
  if (/^pwd\b/.test(command) && !failed) {
    const line = outcome.body.slice(0, 400).trimStart().split('\n', 1)[0] ?? ''
    return /^(?:\/|[A-Za-z]:\\)\S*$/.test(line.trim()) ? line.trim() : undefined
  }
  return STAYS.has(call.tool) && !failed && left !== undefined && left !== '' ? left : undefined
}

/** A command line, or the words of one: `['bash', '-lc', 'npm test']`. */
export function commandOf(input: unknown): string | undefined {
  if (typeof input === 'string') return input === '' ? undefined : input
  const fields = fieldsOf(input)
  const value = fields['command'] ?? fields['cmd'] ?? fields['script'] ?? fields['commands']
  if (typeof value === 'string') return value === '' ? undefined : value
  if (!Array.isArray(value)) return commandOfAction(fields['action'])
  const words = value.filter((word) => typeof word === 'string')
  const [program = '', option = '', script] = words
  if (
    /(?:^|[\\/])(?:ba|z|da|k)?sh$/.test(program) &&
    /^-[a-z]*c$/.test(option) &&
    script !== undefined
  ) {
    return script
  }
  return words.length === 0 ? undefined : words.map(quoted).join(' ')
}

/** Codex's `local_shell_call` has its words in an action. */
function commandOfAction(action: unknown): string | undefined {
  return typeof action === 'object' && action !== null ? commandOf(action) : undefined
}

function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`
}

function sessionOf(input: unknown): string | undefined {
  const fields = fieldsOf(input)
  for (const key of ['session_id', 'bash_id', 'shell_id', 'shellId', 'task_id', 'sessionId']) {
    const value = fields[key]
    if (typeof value === 'string' && value !== '') return value
    if (typeof value === 'number') return String(value)
  }
  return undefined
}
