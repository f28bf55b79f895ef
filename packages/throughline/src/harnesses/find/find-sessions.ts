import { harnesses as allHarnesses } from '../../formats/harnesses.ts'
import { databaseSessions } from '../opencode/database-sessions.ts'
import { storageSessions } from '../opencode/storage-sessions.ts'
import { sessionFiles } from './session-files.ts'
import type { Harness, Surroundings } from '../../formats/writing/harness.ts'
import type { FoundSession, Unreadable } from '../found-session.ts'

export interface FindOptions {
  /** The harnesses to look at; all by default. */
  harnesses?: readonly Harness[]
  /** Told how many have been found so far. */
  onProgress?: (found: number) => void | Promise<void>
  signal?: AbortSignal
}

export interface FoundSessions {
  /** The newest first. */
  sessions: FoundSession[]
  unreadable: Unreadable[]
}

/**
 * Finds the sessions of every harness on this machine. No session is opened: what is told is what
 * names, times and the tables of a database tell.
 * @throws the reason of `signal` if it is aborted
 * @example
 * const { sessions } = await findSessions(surroundingsOf(process.env))
 */
export async function findSessions(
  surroundings: Surroundings,
  { harnesses = allHarnesses, onProgress, signal }: FindOptions = {},
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
  if (harness.name === 'opencode') yield* opencodeSessions(harness, surroundings, onUnreadable)
}

/** Newer versions take the sessions of older ones into their database, and leave their files. */
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
