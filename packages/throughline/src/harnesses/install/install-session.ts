import { randomUUID } from 'node:crypto'
import { appendFile, link, lstat, open, readFile, rename, rm } from 'node:fs/promises'
import { codeOf } from '../errors.ts'
import type { Harness, Surroundings, PlacedSession } from '../../formats/writing/harness.ts'
import type { WrittenFile } from '../../formats/writing/format-writer.ts'
import { findProgram } from '../find-program.ts'
import { dirname, join } from 'node:path'
import { makeFolders } from '../../stores/sqlite/connection/store-file.ts'
import { spawn } from 'node:child_process'
import { ThroughlineError } from '../../log/throughline-error.ts'

/** Where a session is installed, and under which id. */
export interface InstallOptions {
  surroundings: Surroundings
  /** The absolute path of the folder in which the session continues. It must exist. */
  directory: string
  /**
   * Who named the directory. A program runs only where the user wants it to: a directory named by a
   * session could contain anything, including plugins for that program.
   */
  directoryFrom: 'user' | 'session'
  /**
   * The absolute path of a folder for a file that the harness accepts from anywhere; created if
   * missing.
   */
  folder: string
  /** Milliseconds since 1970. */
  now: number
  signal?: AbortSignal
}

/** What was done with a session, and the commands that resume it in its directory. */
export interface InstalledSession {
  /**
   * `placed`: the file is where the harness finds it, or the harness is told where it is.
   * `imported`: the harness's own program imported it. `waiting`: that program is not on the PATH,
   * or must not run in a directory that only the session names, so the first commands still have to
   * be run.
   */
  how: 'placed' | 'imported' | 'waiting'
  /** The file that was written; `undefined` if it was removed after the import. */
  file: string | undefined
  resume: readonly (readonly string[])[]
}

/**
 * Puts a written session where its harness finds it, never over an existing file.
 * @throws InstallError, and the reason of `signal` if it is aborted
 * @example
 * const { resume } = await installSession(harness, harness.writer.write(session, identity), options)
 */
export async function installSession(
  harness: Harness,
  { session, text, beside, listed }: WrittenFile,
  options: InstallOptions,
): Promise<InstalledSession> {
  const { surroundings, directory, now } = options
  const file = pathFor(harness, surroundings, { session, directory, now })
  if (file === undefined) return handSession(harness, { session, text }, options)
  await newFile(file, text, harness.name)
  // These last: it is by them that a harness finds the session.
  for (const other of beside?.(file) ?? []) {
    await newFile(join(dirname(file), ...other.path.split('/')), other.text, harness.name)
  }
  if (listed) await addLine(join(dirname(file), ...listed.path.split('/')), listed.line)
  return { how: 'placed', file, resume: harness.resume({ session, file }) }
}

/** At the end of a list that its harness only adds to, too. Without it, a session is only not named. */
async function addLine(list: string, line: string): Promise<void> {
  const before = await readFile(list, 'utf8').catch(() => '')
  const end = before === '' || before.endsWith('\n') ? '' : '\n'
  await appendFile(list, `${end}${line}\n`, { mode: 0o600 }).catch(() => undefined)
}

/** All commands except the last import the session into the harness. */
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
 * The path of a new session: absolute and below the harness's own folder, whatever its directory is
 * called; `undefined` if the harness accepts sessions from any file.
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
  // On Windows, a colon after the drive means a stream of a file, not a file.
  const names = path.sep === '\\' ? /[\0:]/ : /\0/
  if (escapes || names.test(below)) {
    throw new InstallError({ harness: harness.name, failure: 'outside', file: relative })
  }
  return whole
}

/**
 * Writes a new file, with any missing folders: all of it or nothing. It is written beside and then
 * given its name, so that a harness that looks meanwhile finds no part of it. A session contains
 * private work, so only its owner may access it, from its first byte.
 * @throws InstallError
 */
async function newFile(file: string, text: string, harness: string): Promise<void> {
  const beside = join(dirname(file), `.throughline-${randomUUID()}.tmp`)
  try {
    makeFolders(dirname(file))
    const handle = await open(beside, 'wx', 0o600)
    try {
      await handle.writeFile(text)
      await handle.sync()
    } finally {
      await handle.close()
    }
    await nameNew(beside, file)
  } catch (cause) {
    const reason = codeOf(cause)
    const failure = failures.get(reason) ?? 'not-written'
    throw new InstallError({ harness, failure, file, reason, cause })
  } finally {
    await rm(beside, { force: true }).catch(() => undefined)
  }
}

// What file systems without links answer.
const withoutLinks = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EINVAL', 'EMLINK'])

/** Gives a file a name that nothing has, as a second one; the first is removed afterwards. */
async function nameNew(beside: string, file: string): Promise<void> {
  try {
    await link(beside, file)
  } catch (error) {
    if (!withoutLinks.has(codeOf(error))) throw error
    // Without a link, only a look can tell whether the name is free.
    if (await lstat(file).catch(() => undefined)) {
      throw Object.assign(new Error('it exists'), { code: 'EEXIST' })
    }
    await rename(beside, file)
  }
}

const failures = new Map<string, InstallFailure>([
  ['EEXIST', 'exists'],
  ['ENAMETOOLONG', 'too-long'],
])

interface Run {
  program: string
  arguments: readonly string[]
  directory: string
  variables: Readonly<Record<string, string | undefined>>
  signal?: AbortSignal | undefined
}

interface Ran {
  /** `null` if it was ended by a signal. */
  exitCode: number | null
  /** The last part of its output. */
  printed: string
}

const mostKept = 4000

/**
 * Runs a program to its end, without a shell.
 * @throws the system's error if it can't be run; the reason of `signal` if it is aborted.
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

/** Why a session could not be installed. */
type InstallFailure = 'no-home' | 'outside' | 'exists' | 'too-long' | 'not-written' | 'refused'

interface InstallErrorOptions {
  harness: string
  failure: InstallFailure
  file?: string
  /** The message of the system or of the harness's own program. */
  reason?: string
  cause?: unknown
}

/**
 * A session could not be installed in its harness. Nothing that existed has changed.
 * @public its code tells it apart across installs
 */
export class InstallError extends ThroughlineError<'INSTALL'> {
  static override readonly code = 'INSTALL'

  readonly harness: string
  readonly failure: InstallFailure

  constructor({ harness, failure, file = '', reason = '', cause }: InstallErrorOptions) {
    super(InstallError.code, messages[failure]({ harness, file, reason }), { cause })
    this.harness = harness
    this.failure = failure
  }
}

interface Told {
  harness: string
  file: string
  reason: string
}

const messages: Readonly<Record<InstallFailure, (told: Told) => string>> = {
  'no-home': ({ harness }) =>
    `it is not known where ${harness} keeps its sessions, because no home directory is set. Set HOME, or write the session to a file.`,
  outside: ({ harness, file }) =>
    `${harness} would keep the session outside its own folder (${file}). Name another directory.`,
  exists: ({ file }) => `${file} already exists and was not changed. Try again.`,
  'too-long': ({ harness }) =>
    `${harness} names a session’s folder after the path of its directory, and this path is too long: ${harness} itself could not keep a session there. Name another directory.`,
  'not-written': ({ file, reason }) =>
    `${file} cannot be written (${reason}), and nothing was left there. Check the permissions and the free space of its folder.`,
  refused: ({ harness, reason }) =>
    `${harness} did not accept the session: ${reason}. Parts of it may remain; delete them in ${harness}.`,
}
