import { UsageError, exitCodeOf, exitCodes } from './errors.ts'
import { commands, type Listed } from './commands.ts'
import { nearest } from '../config/nearest.ts'
import { explainError } from './explain-error.ts'
import { overview } from './overview.ts'
import { parseArguments } from './parse-arguments.ts'
import { processIo } from './process-io.ts'
import { packageVersion } from './version.ts'
import type { Command } from './command.ts'
import type { Io } from './io.ts'

/**
 * Runs the command and returns the exit code: 0 success, 1 failure, 2 wrong usage, 130 interrupted.
 * It never throws.
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
  if (first === '--version' || first === '-V') return print(`${packageVersion}\n`, io)
  const command = await listed(first).load()
  const parsed = parseArguments(command, rest)
  return parsed === 'help' ? print(await helpOf(command), io) : command.run(parsed, io)
}

async function help(name: string | undefined, io: Io): Promise<number> {
  const text = name === undefined ? overview(commands) : await helpOf(await listed(name).load())
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
  const hint =
    meant === undefined ? ` Commands are ${names.join(', ')}.` : ` Did you mean ${meant}?`
  throw new UsageError(`unknown ${what} ${JSON.stringify(name)}.${hint} See: throughline --help`)
}
