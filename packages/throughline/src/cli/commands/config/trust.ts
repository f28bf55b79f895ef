import { lstat, stat } from 'node:fs/promises'
import { projectFiles } from '../../../config/files/find-files.ts'
import { forgetTrust, trustFile } from '../../../config/files/trust.ts'
import { foldersOf, pathForReader } from '../../../config/folders.ts'
import { codeOf, CommandError, exitCodes } from '../../errors.ts'
import { reasonOf } from '../../output/write-reason.ts'
import { pathFrom, shownPath } from '../../paths.ts'
import { confirmed } from '../../store/confirm.ts'
import type { ParsedArguments } from '../../command.ts'
import type { Io } from '../../io.ts'

/**
 * Trusts the configuration of a project, after saying what that means.
 * @throws CommandError if there is none; UsageError, InterruptedError
 */
export async function runTrust(named: string, parsed: ParsedArguments, io: Io): Promise<number> {
  const file = named === '' ? await projectsFile(io) : pathFrom(io.cwd, named)
  const found = await stat(file).catch((error: unknown) => {
    throw new CommandError(`${shownPath(file)}: it cannot be read (${codeOf(error)}).`)
  })
  if (!found.isFile()) throw new CommandError(`${shownPath(file)}: this is not a plain file.`)
  const shown = shownIn(file, io)
  const { uid } = await lstat(file)
  const whose = uid === process.getuid?.() ? '' : `, a file of user ${uid}`
  await io.stderr.write(
    `If you trust ${shown}${whose}, throughline reads all of it whenever you use a command there: it may choose where sessions are kept, and if it is code, it runs with your rights, with everything that it imports. This holds until the file changes.\n`,
  )
  if (!(await confirmed('config', `Trust ${shown}?`, parsed, io))) return exitCodes.failed
  try {
    const { path, sha256 } = await trustFile(file, foldersOf(io.env))
    await io.stdout.write(`Trusted ${shownIn(path, io)}, as it is now (sha256 ${sha256}).\n`)
  } catch (cause) {
    throw new CommandError(`${shown} could not be trusted: ${reasonOf(cause)}`, { cause })
  }
  return exitCodes.done
}

/** Trusts nothing in a directory and below it any more. */
export async function runUntrust(named: string, io: Io): Promise<number> {
  const forgotten = await forgetTrust(pathFrom(io.cwd, named), foldersOf(io.env))
  const lines = forgotten.map(({ path }) => `No longer trusted: ${shownIn(path, io)}`)
  await io.stdout.write(`${lines.join('\n') || 'No file was trusted there.'}\n`)
  return exitCodes.done
}

/** The file of the project here, whether it is read yet or not. */
async function projectsFile(io: Io): Promise<string> {
  const { path, home } = foldersOf(io.env)
  const { read, ignored } = await projectFiles(io.cwd, {
    path,
    home,
    shown: (file) => file,
    user: process.getuid?.(),
    trusts: async () => false,
  })
  const file = ignored?.file ?? read?.file
  if (file) return file.path
  throw new CommandError(
    'there is no throughline.config.ts, .js, .mjs or .json of a project here or above. Name the file: throughline config trust FILE',
  )
}

function shownIn(file: string, { env, cwd }: Io): string {
  return shownPath(pathForReader(file, foldersOf(env), cwd))
}
