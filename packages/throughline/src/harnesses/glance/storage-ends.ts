import { readSession } from '../../formats/reading/read-session.ts'
import {
  storageDocument,
  storedBytes,
  storedMessages,
  type StoredMessage,
} from '../opencode/storage-document.ts'
import type { StorageSession } from '../found-session.ts'
import type { SessionEnds, Stretch } from './session-ends.ts'

const atFirst = 4
const atLast = 8

/** Reads the first and the newest messages of a session that opencode kept in files. */
export async function storageEnds(found: StorageSession): Promise<SessionEnds> {
  const messages = await storedMessages(found)
  const bytes = await storedBytes(found.root, messages)
  const stretchOf = (some: readonly StoredMessage[]): Promise<Stretch> =>
    readSession(storageDocument(found, some), { formats: [found.harness.format] })
  if (messages.length <= atFirst + atLast) {
    return { first: await stretchOf(messages), scale: 1, bytes }
  }
  const newest = messages.slice(-atLast)
  const first = await stretchOf(messages.slice(0, atFirst))
  const last = await stretchOf(newest)
  return { first, last, scale: bytes / Math.max(1, await storedBytes(found.root, newest)), bytes }
}
