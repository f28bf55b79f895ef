import { rm, access, constants, stat, open, unlink } from 'node:fs/promises'
import { codeOf } from '../errors.ts'
import { InstallError, type InstallFailure } from './errors.ts'
import type { Harness, Surroundings, PlacedSession } from '../../formats/writing/harness.ts'
import type { WrittenFile } from '../../formats/writing/format-writer.ts'
import { dirname } from 'node:path'
import { makeFolders } from '../../stores/sqlite/store-file.ts'
import { spawn } from 'node:child_process'

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

/**
 * Where a new session goes: an absolute path below the harness's own folder, whatever its
 * directory is called; `undefined` where the harness takes sessions from any file.
 * @throws InstallError if it is not known where the harness keeps its sessions.
 */
export function pathFor(
  harness: Harness,
  surroundings: Surroundings,
  placed: PlacedSession,
): string | undefined {
  const relative = harness.placeFor(placed)
  if (relative === undefined) return undefined
  const [root] = harness.roots(surroundings)
  const { path } = surroundings
  if (root === undefined) throw new InstallError({ harness: harness.name, failure: 'no-home' })
  const whole = path.join(root, ...relative.split('/'))
  const below = path.relative(root, whole)
  const escapes = below === '' || below.startsWith('..') || path.isAbsolute(below)
  // On Windows a colon behind the drive names a stream of a file, not a file.
  const names = path.sep === '\\' ? /[\0:]/ : /\0/
  if (escapes || names.test(below)) {
    throw new InstallError({ harness: harness.name, failure: 'outside', file: relative })
  }
  return whole
}

/**
 * A program by the folders of `PATH`. Those that are not absolute are passed over: whatever
 * directory one stands in may hold anything. On Windows only what needs no shell to be run.
 */
async function findProgram(
  name: string,
  { variables, path }: Surroundings,
): Promise<string | undefined> {
  const isWindows = path.sep === '\\'
  const folders = (variables[isWindows ? 'Path' : 'PATH'] ?? variables['PATH'] ?? '').split(
    path.delimiter,
  )
  for (const folder of folders.filter((each) => path.isAbsolute(each))) {
    const file = path.join(folder, isWindows ? `${name}.exe` : name)
    if (await isProgram(file)) return file
  }
  return undefined
}

async function isProgram(file: string): Promise<boolean> {
  try {
    await access(file, constants.X_OK)
    return (await stat(file)).isFile()
  } catch {
    return false
  }
}

/**
 * Writes a file that is not there yet, with the folders on the way to it: all of it or nothing.
 * What people work on stands in a session: it is theirs alone.
 * @throws InstallError
 */
async function newFile(file: string, text: string, harness: string): Promise<void> {
  let made = false
  try {
    makeFolders(dirname(file))
    const handle = await open(file, 'wx', 0o600)
    made = true
    try {
      await handle.writeFile(text)
      await handle.sync()
    } finally {
      await handle.close()
    }
  } catch (cause) {
    if (made) await unlink(file).catch(() => undefined)
    const reason = codeOf(cause)
    const failure = failures.get(reason) ?? 'not-written'
    throw new InstallError({ harness, failure, file, reason, cause })
  }
}

const failures = new Map<string, InstallFailure>([
  ['EEXIST', 'exists'],
  ['ENAMETOOLONG', 'too-long'],
])

interface Run {
  program: string
  arguments: readonly string[]
  /** Where it runs. */
  directory: string
  variables: Readonly<Record<string, string | undefined>>
  signal?: AbortSignal | undefined
}

interface Ran {
  /** `null` if it was ended by a signal. */
  exitCode: number | null
  /** The last that it printed. */
  printed: string
}

const mostKept = 4000

/**
 * Runs a program to its end, without a shell.
 * @throws what the system says if it cannot be run; the reason of `signal` if it is aborted.
 */
async function runProgram(run: Run): Promise<Ran> {
  const { program, directory, variables, signal } = run
  return new Promise((resolve, reject) => {
    const child = spawn(program, run.arguments, {
      cwd: directory,
      env: variables,
      stdio: ['ignore', 'pipe', 'pipe'],
      ...(signal && { signal }),
    })
    let printed = ''
    const keep = (chunk: Buffer): void => {
      printed = (printed + chunk.toString()).slice(-mostKept)
    }
    child.stdout.on('data', keep)
    child.stderr.on('data', keep)
    child.on('error', (error) => reject(signal?.aborted ? signal.reason : error))
    child.on('close', (exitCode) => resolve({ exitCode, printed }))
  })
}
