import {
  UsageError,
  exitCodeOf,
  exitCodes,
  ClosedPipeError,
  CommandError,
  explainError,
} from './errors.ts'
import { commands, movedCommands } from './commands.ts'
import { nearest } from '../config/nearest.ts'
import { overview, seenLength, wrapLines } from './overview.ts'
import { parseArguments } from './parse-arguments.ts'
import { packageVersion } from './version.ts'
import type { Command, Listed } from './command.ts'
import type { Io, Output } from './io.ts'
import { reasonOf } from './output/write-reason.ts'
import { processInterrupts } from './terminal/interrupts.ts'
import { runAttached } from './terminal/attached.ts'

/**
 * Runs the command and returns the exit code: 0 success, 1 failure, 2 wrong usage, 130 interrupted.
 * It never throws.
 */
export async function main(argv: readonly string[], io: Io = processIo()): Promise<number> {
  return explained(dispatch(argv, io), io)
}

/** Runs one command that is no part of `throughline`, in the same way. */
export async function runAlone(
  command: Command,
  argv: readonly string[],
  io: Io = processIo(),
): Promise<number> {
  return explained(runParsed(command, argv, io), io)
}

async function explained(code: Promise<number>, io: Io): Promise<number> {
  try {
    return await code
  } catch (error) {
    await explainError(error, io)
    return exitCodeOf(error)
  }
}

async function dispatch([first, ...rest]: readonly string[], io: Io): Promise<number> {
  if (first === undefined) {
    await io.stderr.write(overview(commands, io.stderr.columns()))
    return exitCodes.usage
  }
  if (first === '--help' || first === '-h' || first === 'help') return help(rest[0], io)
  if (versionWords.has(first)) return print(`${packageVersion}\n`, io)
  const moved = movedCommands.get(first)
  if (moved) {
    const words = moved.now(rest)
    if (words.length === 0) throw new UsageError(`throughline ${first} ${moved.advice}.`)
    await io.stderr.write(`throughline: ${first} ${moved.advice}.\n`)
    return dispatch(words, io)
  }
  return runParsed(await listed(first).load(), rest, io)
}

async function runParsed(command: Command, argv: readonly string[], io: Io): Promise<number> {
  const parsed = parseArguments(command, argv)
  return parsed === 'help' ? print(await helpOf(command), io) : command.run(parsed, io)
}

const versionWords: ReadonlySet<string> = new Set(['--version', '-V', '-v', 'version'])

async function help(name: string | undefined, io: Io): Promise<number> {
  const text =
    name === undefined
      ? overview(commands, io.stdout.columns())
      : await helpOf(await listed(name).load())
  return print(text, io)
}

/** It is wrapped by columns; the overview, which needs no such thing, does not wait for that. */
async function helpOf(command: Command): Promise<string> {
  const { commandHelp } = await import('./help.ts')
  return commandHelp(command)
}

async function print(text: string, { stdout }: Io): Promise<number> {
  await stdout.write(text)
  return exitCodes.done
}

function listed(name: string): Listed {
  const command = commands.find((each) => each.name === name)
  if (command) return command
  const what = name.startsWith('-') ? 'option' : 'command'
  const names = commands.map((each) => each.name)
  const meant = nearest(name, what === 'option' ? ['--help', '--version'] : names)
  const hint = meant === undefined ? '' : ` Did you mean ${meant}?`
  const shown = JSON.stringify(name.slice(0, 60))
  throw new UsageError(`unknown ${what} ${shown}.${hint} See: throughline --help`)
}

/** The process's own streams, and Ctrl-C as a signal. */
function processIo(): Io {
  return {
    stdin: { isTerminal: process.stdin.isTTY, chunks: () => process.stdin, hiddenLine, choose },
    stdout: outputOf(process.stdout, 'standard output'),
    stderr: byWords(outputOf(process.stderr, 'standard error')),
    env: process.env,
    cwd: workingDirectory(),
    ...processInterrupts(),
    now: () => performance.now(),
  }
}

/**
 * The directory may be gone; then the system reports an error for every path in it that is used.
 */
function workingDirectory(): string {
  try {
    return process.cwd()
  } catch {
    return '.'
  }
}

// A pipe or a file has no width; longer lines are hard to read.
const widthElsewhere = 120

function outputOf(stream: NodeJS.WriteStream, name: string): Output {
  // The write's callback reports the same error; without a listener, the process would die of it.
  stream.on('error', () => {})
  const write = (text: string): Promise<void> =>
    new Promise((resolve, reject) => {
      stream.write(text, (error) => {
        if (!error) resolve()
        else if (isClosedPipe(error)) reject(new ClosedPipeError())
        else reject(new CommandError(`${name}: ${reasonOf(error)}`, { cause: error }))
      })
    })
  return {
    isTerminal: stream.isTTY,
    // Some terminals report 0.
    columns: () => stream.columns || widthElsewhere,
    write,
    async page(text, head) {
      if (stream.isTTY) {
        const { rows, columns } = stream
        const shown = head === undefined ? text : `${head.text}\n${text}`
        if (await pagedText(shown, { rows, columns, env: process.env })) return
      }
      await head?.to.write(head.text)
      await write(text)
    },
  }
}

/** On a terminal, lines that are too long for it break between words. */
function byWords(output: Output): Output {
  if (!output.isTerminal) return output
  return {
    ...output,
    async write(text) {
      const columns = output.columns()
      const isLong = text.split('\n').some((line) => seenLength(line) > columns)
      // What redraws a line has cut it to the width.
      if (!isLong || text.includes('\r')) return output.write(text)
      await output.write(wrapLines(text, columns))
    },
  }
}

/** The line editor of a terminal is loaded when it is needed. */
async function choose(
  question: string,
  lines: readonly string[],
  words?: readonly string[],
): Promise<number | undefined> {
  const { chooseLine } = await import('./terminal/choose-line.ts')
  return chooseLine(question, lines, words)
}

function isClosedPipe(error: Error & { code?: string }): boolean {
  return error.code === 'EPIPE' || error.code === 'ERR_STREAM_DESTROYED'
}

/** Uses Node's own line editor, which echoes typed characters to its output: here, nowhere. */
async function hiddenLine(question: string): Promise<string | undefined> {
  const { createInterface } = await import('node:readline')
  const { Writable } = await import('node:stream')
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() })
  const reader = createInterface({ input: process.stdin, output: nowhere, terminal: true })
  return new Promise((resolve) => {
    let line: string | undefined
    reader.once('line', (typed) => {
      line = typed
      reader.close()
    })
    // The editor handles Ctrl-C itself.
    reader.once('SIGINT', () => {
      process.emit('SIGINT')
      reader.close()
    })
    reader.once('close', () => {
      process.stderr.write('\n')
      resolve(line)
    })
    // Printed only now, so that characters typed early are not shown either.
    process.stderr.write(question)
  })
}

/** The screen that a text is printed on. */
interface Screen {
  rows: number
  columns: number
  env: Readonly<Record<string, string | undefined>>
}

/**
 * Shows a text in the user's pager, as git does, if the screen is too small for it: the program in
 * `THROUGHLINE_PAGER` or `PAGER`, else `less`. Returns whether it was shown; `cat` and an empty name
 * switch the pager off.
 */
async function pagedText(text: string, { rows, columns, env }: Screen): Promise<boolean> {
  const [program = '', ...given] = (env['THROUGHLINE_PAGER'] ?? env['PAGER'] ?? 'less')
    .split(' ')
    .filter((word) => word !== '')
  if (program === '' || program === 'cat' || fits(text, rows, columns)) return false
  // Quit where it fits after all, show colours, and leave the text on the screen.
  const variables = { LESS: 'FRX', LV: '-c', ...env }
  return runAttached({ program, arguments: given, variables, input: text }).then(
    (code) => code < 126,
    () => false,
  )
}

function fits(text: string, rows: number, columns: number): boolean {
  let lines = 0
  for (const line of text.split('\n')) {
    lines += Math.max(1, Math.ceil(line.length / columns))
    if (lines >= rows) return false
  }
  return true
}
