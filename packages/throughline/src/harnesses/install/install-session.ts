import { rm } from 'node:fs/promises'
import { codeOf } from '../code-of.ts'
import { InstallError } from './errors.ts'
import { findProgram } from './find-program.ts'
import { newFile } from './new-file.ts'
import { pathFor } from './path-for.ts'
import { runProgram } from './run-program.ts'
import type { Harness, Surroundings } from '../../formats/writing/harness.ts'
import type { WrittenFile } from '../../formats/writing/format-writer.ts'

export interface InstallOptions {
  surroundings: Surroundings
  /** The absolute path of the folder in which the session goes on. It must exist. */
  directory: string
  /**
   * Who named the directory. A program runs only where its user wants it to: in a place that a
   * session names it could find anything, plugins of its own among it.
   */
  directoryFrom: 'user' | 'session'
  /** The absolute path of a folder for a file that the harness takes from anywhere; it is made. */
  folder: string
  /** Milliseconds since 1970. */
  now: number
  signal?: AbortSignal
}

/** What was done with a session, and the commands that go on from it in its directory. */
export interface InstalledSession {
  /**
   * `placed`: the file is where the harness finds it, or is told of it. `imported`: its own program took it in.
   * `waiting`: that program is not on the PATH, or may not be run in a directory that only the
   * session names, and the first commands are still to be run.
   */
  how: 'placed' | 'imported' | 'waiting'
  /** The file that was written; none where it has gone with the import. */
  file: string | undefined
  resume: readonly (readonly string[])[]
}

/**
 * Puts a written session where its harness finds it, and never over a file.
 * @throws InstallError, and the reason of `signal` if it is aborted
 * @example
 * const { resume } = await installSession(harness, harness.writer.write(session, identity), options)
 */
export async function installSession(
  harness: Harness,
  { session, text }: WrittenFile,
  options: InstallOptions,
): Promise<InstalledSession> {
  const { surroundings, directory, now } = options
  const file = pathFor(harness, surroundings, { session, directory, now })
  if (file === undefined) return handSession(harness, { session, text }, options)
  await newFile(file, text, harness.name)
  return { how: 'placed', file, resume: harness.resume({ session, file }) }
}

/** All commands but the last bring the session into the harness. */
async function handSession(
  harness: Harness,
  { session, text }: WrittenFile,
  { surroundings, directory, directoryFrom, folder, signal }: InstallOptions,
): Promise<InstalledSession> {
  const file = surroundings.path.join(folder, `${session.replace(/[^\w-]/g, '_')}.json`)
  await newFile(file, text, harness.name)
  const commands = harness.resume({ session, file })
  const imports = commands.slice(0, -1)
  if (imports.length === 0) return { how: 'placed', file, resume: commands }
  const [name = ''] = imports[0] ?? []
  const program = directoryFrom === 'user' ? await findProgram(name, surroundings) : undefined
  if (program === undefined) return { how: 'waiting', file, resume: commands }
  try {
    for (const [, ...given] of imports) {
      const { variables } = surroundings
      await runToEnd(harness, { program, arguments: given, directory, variables, signal })
    }
  } finally {
    await rm(file, { force: true })
  }
  return { how: 'imported', file: undefined, resume: commands.slice(-1) }
}

async function runToEnd(harness: Harness, run: Parameters<typeof runProgram>[0]): Promise<void> {
  const { name } = harness
  const ran = await runProgram(run).catch((cause: unknown) => {
    run.signal?.throwIfAborted()
    throw new InstallError({ harness: name, failure: 'refused', reason: codeOf(cause), cause })
  })
  if (ran.exitCode === 0) return
  const last = ran.printed.trim().split('\n').slice(-3).join(' ')
  const reason = `${run.program} ended with ${ran.exitCode ?? 'a signal'}${last && `: ${last}`}`
  throw new InstallError({ harness: name, failure: 'refused', reason })
}
