import { sources } from '../../formats/harnesses.ts'
import { databaseSessions } from '../opencode/database-sessions.ts'
import { losslessSessions } from '../lossless-claw-sessions.ts'
import { openclawSessions } from '../openclaw-sessions.ts'
import { storageSessions } from '../opencode/storage-sessions.ts'
import type { Harness, Surroundings } from '../../formats/writing/harness.ts'
import type { FoundSession, Unreadable, FileSession } from '../found-session.ts'
import { lstatSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { codeOf } from '../errors.ts'
import type { Dirent } from 'node:fs'

/** Which sessions to look for. */
export interface FindOptions {
  /** The harnesses to search; all by default. */
  harnesses?: readonly Harness[]
  /** Called with the number of sessions found so far. */
  onProgress?: (found: number) => void | Promise<void>
  signal?: AbortSignal
}

/** The sessions that were found, and what could not be read. */
export interface FoundSessions {
  /** Newest first. */
  sessions: FoundSession[]
  unreadable: Unreadable[]
}

/**
 * Finds the sessions of every harness on this machine. It opens no session: everything comes from
 * file names, times and database tables.
 * @throws the reason of `signal` if it is aborted
 * @example
 * const { sessions } = await findSessions(surroundingsOf(process.env))
 */
export async function findSessions(
  surroundings: Surroundings,
  { harnesses = sources, onProgress, signal }: FindOptions = {},
): Promise<FoundSessions> {
  const sessions: FoundSession[] = []
  const unreadable: Unreadable[] = []
  const onUnreadable = (found: Unreadable): void => void unreadable.push(found)
  for (const harness of harnesses) {
    for await (const found of sessionsOf(harness, surroundings, onUnreadable)) {
      signal?.throwIfAborted()
      sessions.push(...found)
      await onProgress?.(sessions.length)
    }
  }
  return { sessions: sessions.sort((one, other) => other.at - one.at), unreadable }
}

async function* sessionsOf(
  harness: Harness,
  surroundings: Surroundings,
  onUnreadable: (found: Unreadable) => void,
): AsyncGenerator<FoundSession[]> {
  for (const root of harness.roots(surroundings)) yield* sessionFiles(harness, root, onUnreadable)
  if (harness.name === 'lossless-claw') yield* losslessSessions(harness, surroundings, onUnreadable)
  if (harness.name === 'openclaw') yield* openclawSessions(harness, surroundings, onUnreadable)
  if (harness.name === 'opencode') yield* opencodeSessions(harness, surroundings, onUnreadable)
}

/** Newer versions copy the sessions of older ones into their database and leave the files. */
async function* opencodeSessions(
  ...given: Parameters<typeof databaseSessions>
): AsyncGenerator<FoundSession[]> {
  const taken = new Set<string>()
  for await (const found of databaseSessions(...given)) {
    for (const { id } of found) taken.add(id)
    yield found
  }
  for await (const found of storageSessions(...given))
    yield found.filter(({ id }) => !taken.has(id))
}

// The deepest folder in which any harness keeps sessions: Codex has folders for year, month and
// day.
const deepest = 4

/**
 * The sessions that a harness keeps in files below a folder. Links are skipped, and so is
 * everything that isn't a plain file, because a pipe would never end.
 */
async function* sessionFiles(
  harness: Harness,
  root: string,
  onUnreadable: (found: Unreadable) => void,
): AsyncGenerator<FileSession[]> {
  const folders: { path: string; names: readonly string[] }[] = [{ path: root, names: [] }]
  for (let folder = folders.pop(); folder; folder = folders.pop()) {
    const { path, names } = folder
    const entries = await entriesOf(path, onUnreadable)
    if (names.length < deepest) {
      for (const { name } of entries.filter((entry) => entry.isDirectory())) {
        folders.push({ path: join(path, name), names: [...names, name] })
      }
    }
    const looks = entries.flatMap((entry) => {
      const id = entry.isFile() ? harness.sessionIn([...names, entry.name].join('/')) : undefined
      return id === undefined
        ? []
        : [fileSession(harness, id, join(path, entry.name), onUnreadable)]
    })
    yield looks.flat()
  }
}

// At once: thousands of them take a tenth of the time that they would by promises.
function fileSession(
  harness: Harness,
  id: string,
  file: string,
  onUnreadable: (found: Unreadable) => void,
): FileSession[] {
  try {
    const { mtimeMs: at, size: bytes } = lstatSync(file)
    return [{ type: 'file', harness, id, at, file, bytes }]
  } catch (error) {
    onUnreadable({ file, reason: codeOf(error) })
    return []
  }
}

async function entriesOf(
  path: string,
  onUnreadable: (found: Unreadable) => void,
): Promise<Dirent[]> {
  try {
    return await readdir(path, { withFileTypes: true })
  } catch (error) {
    // A harness that was never used here has no folder.
    if (codeOf(error) !== 'ENOENT') onUnreadable({ file: path, reason: codeOf(error) })
    return []
  }
}
