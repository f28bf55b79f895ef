import { findProgram } from '../../../harnesses/find-program.ts'
import { surroundingsOf } from '../../../harnesses/surroundings.ts'
import { exitCodes } from '../../errors.ts'
import { runAttached } from '../../terminal/attached.ts'
import { beforeCommands, commandLines } from '../../written/install-lines.ts'
import type { Io } from '../../io.ts'
import type { ResumeSettings } from './command.ts'
import type { Resumable } from './resume.ts'

/**
 * Starts the client on the session and waits until it ends; prints the commands where it can't be
 * started: outside a terminal, without the client's program, or in a directory that only the
 * session names.
 */
export async function startClient(
  { installed, goesTo }: Resumable,
  { print }: ResumeSettings,
  io: Io,
): Promise<number> {
  const [command] = installed.resume
  const [name = '', ...given] = command ?? []
  const inTerminal = io.stdin.isTerminal && io.stdout.isTerminal
  const mayStart = !print && inTerminal && goesTo.directoryFrom === 'user'
  const ready = installed.how !== 'waiting' && installed.resume.length === 1
  const program = mayStart && ready ? await findProgram(name, surroundingsOf(io.env)) : undefined
  if (program === undefined) {
    const missing =
      mayStart && ready ? `${name} is not on the PATH. Where it is installed, run:` : ''
    await io.stderr.write(`${missing || beforeCommands(installed, goesTo)}\n`)
    await io.stdout.write(`${commandLines(installed, goesTo, io).join('\n')}\n`)
    return exitCodes.done
  }
  await io.stderr.write(`Starting ${goesTo.destination.label}.\n`)
  const { directory } = goesTo
  return runAttached({ program, arguments: given, directory, variables: io.env })
}
