import { UsageError, ClosedPipeError, CommandError } from './errors.ts'
import { exitCodeOf, exitCodes } from './exit-code.ts'
import { explainError } from './explain-error.ts'
import { commandHelp, overview } from './help.ts'
import { nearest } from '../config/nearest.ts'
import { parseArguments } from './parse-arguments.ts'
import { packageVersion } from './version.ts'
import type { Io, Output } from './io.ts'
import { compactCommand } from './compact/command.ts'
import { configCommand } from './config/command.ts'
import { deleteCommand } from './delete/command.ts'
import { evalCommand } from './eval/command.ts'
import { exportCommand } from './export/command.ts'
import { forkCommand } from './fork/command.ts'
import { handoffCommand } from './handoff/command.ts'
import { importCommand } from './import/command.ts'
import { inspectCommand } from './inspect/command.ts'
import { listCommand } from './list/command.ts'
import { mcpCommand } from './mcp/command.ts'
import { pinCommand } from './pin/command.ts'
import { recallCommand } from './recall/command.ts'
import { redactCommand } from './redact/command.ts'
import { replayCommand } from './replay/command.ts'
import { sessionsCommand } from './sessions/command.ts'
import { showCommand } from './show/command.ts'
import { undoCommand } from './undo/command.ts'
import { unpinCommand } from './unpin/command.ts'
import type { Command } from './command.ts'
import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import { reasonOf } from './output/target.ts'

/**
 * Runs the command and says what the process should end with: 0 done, 1 could not be done,
 * 2 wrong usage, 130 interrupted. It never throws.
 */
export async function main(argv: readonly string[], io: Io = processIo()): Promise<number> {
  try {
    return await dispatch(argv, io)
  } catch (error) {
    await explainError(error, io)
    return exitCodeOf(error)
  }
}

async function dispatch([first, ...rest]: readonly string[], io: Io): Promise<number> {
  if (first === undefined) {
    await io.stderr.write(overview(commands))
    return exitCodes.usage
  }
  if (first === '--help' || first === '-h' || first === 'help') return help(rest[0], io)
  if (first === '--version' || first === '-V') return print(`${packageVersion()}\n`, io)
  const command = commandOf(first)
  const parsed = parseArguments(command, rest)
  return parsed === 'help' ? print(commandHelp(command), io) : command.run(parsed, io)
}

async function help(name: string | undefined, io: Io): Promise<number> {
  const text = name === undefined ? overview(commands) : commandHelp(commandOf(name))
  return print(text, io)
}

async function print(text: string, { stdout }: Io): Promise<number> {
  await stdout.write(text)
  return exitCodes.done
}

function commandOf(name: string) {
  const command = commands.find((each) => each.name === name)
  if (command) return command
  const what = name.startsWith('-') ? 'option' : 'command'
  const names = commands.map((each) => each.name)
  const meant = nearest(name, what === 'option' ? ['--help', '--version'] : names)
  const hint =
    meant === undefined ? ` Commands are ${names.join(', ')}.` : ` Did you mean ${meant}?`
  throw new UsageError(`unknown ${what} ${JSON.stringify(name)}.${hint} See: throughline --help`)
}

export const commands: readonly Command[] = [
  compactCommand,
  replayCommand,
  inspectCommand,
  evalCommand,
  listCommand,
  handoffCommand,
  importCommand,
  sessionsCommand,
  showCommand,
  recallCommand,
  undoCommand,
  pinCommand,
  unpinCommand,
  forkCommand,
  redactCommand,
  deleteCommand,
  exportCommand,
  mcpCommand,
  configCommand,
]

/** The process's own streams, and Ctrl-C as a signal. */
function processIo(): Io {
  return {
    stdin: { isTerminal: process.stdin.isTTY, chunks: () => process.stdin, hiddenLine },
    stdout: outputOf(process.stdout, 'standard output'),
    stderr: outputOf(process.stderr, 'standard error'),
    env: process.env,
    cwd: workingDirectory(),
    signal: interruptSignal(),
    now: () => performance.now(),
  }
}

/** It may be gone; then the system says so of every path in it that is used. */
function workingDirectory(): string {
  try {
    return process.cwd()
  } catch {
    return '.'
  }
}

// A pipe or a file has no width; nobody reads longer lines.
const widthElsewhere = 120

function outputOf(stream: NodeJS.WriteStream, name: string): Output {
  // The callback of the write says the same; without a listener the process would die of it.
  stream.on('error', () => {})
  return {
    isTerminal: stream.isTTY,
    // Some terminals say 0.
    columns: () => stream.columns || widthElsewhere,
    write: (text) =>
      new Promise((resolve, reject) => {
        stream.write(text, (error) => {
          if (!error) resolve()
          else if (isClosedPipe(error)) reject(new ClosedPipeError())
          else reject(new CommandError(`${name}: ${reasonOf(error)}`, { cause: error }))
        })
      }),
  }
}

function isClosedPipe(error: Error & { code?: string }): boolean {
  return error.code === 'EPIPE' || error.code === 'ERR_STREAM_DESTROYED'
}

/** Read by Node's own line editor, which shows what is typed where its output goes: nowhere. */
function hiddenLine(question: string): Promise<string | undefined> {
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() })
  const reader = createInterface({ input: process.stdin, output: nowhere, terminal: true })
  return new Promise((resolve) => {
    let line: string | undefined
    reader.once('line', (typed) => {
      line = typed
      reader.close()
    })
    // The editor takes Ctrl-C for itself.
    reader.once('SIGINT', () => {
      process.emit('SIGINT')
      reader.close()
    })
    reader.once('close', () => {
      process.stderr.write('\n')
      resolve(line)
    })
    // Only now: what is typed at once is not shown either.
    process.stderr.write(question)
  })
}

/** The first Ctrl-C asks to stop; a second one ends the process as if nobody listened. */
function interruptSignal(): AbortSignal {
  const controller = new AbortController()
  process.once('SIGINT', () => {
    controller.abort()
    process.stdin.destroy()
  })
  return controller.signal
}
