import { messageText } from '../../log/message-text.ts'
import { UnreadableSessionError } from '../errors.ts'
import { databaseEnds } from './database-ends.ts'
import { fileEnds } from './file-ends.ts'
import { previewTokens, type PreviewTokens } from './preview-tokens.ts'
import type { Chronological } from '../../log/order.ts'
import type { FoundSession, StorageSession } from '../found-session.ts'
import type { SessionEnds, Stretch } from './session-ends.ts'
import { readSession } from '../../formats/reading/read-session.ts'
import {
  storageDocument,
  storedBytes,
  storedMessages,
  type StoredMessage,
} from '../opencode/storage-document.ts'

/** What a short look at a session shows. Others wrote all of it: print it with care. */
export interface SessionPreview {
  /** The whole id, if the session contains it. */
  id: string
  /** The human's first message, if it is near the beginning. */
  title: string | undefined
  directory: string | undefined
  model: string | undefined
  /** The model's window in tokens, if the harness recorded it. */
  window: number | undefined
  tokens: PreviewTokens | undefined
  /** The size of its file, or of its parts in a database. */
  bytes: number
  /** How many entries it has, if it is short enough that all of it was read. */
  entries: number | undefined
}

/**
 * Looks at the beginning and the end of a session, at a cost that hardly grows with its length: it
 * reads a few hundred kilobytes.
 * @throws UnreadableSessionError
 */
export async function previewSession(found: FoundSession): Promise<SessionPreview> {
  const ends = await endsOf(found).catch((cause: unknown) => {
    throw new UnreadableSessionError({ file: found.file, cause })
  })
  const { first, last } = ends
  const facts = { ...first.facts, ...last?.facts }
  const { id } = first.facts
  return {
    id: id?.startsWith(found.id) ? id : found.id,
    title: firstWords(first.log) ?? (last && firstWords(last.log)),
    directory: facts.directory,
    model: facts.model,
    window: facts.window,
    tokens: previewTokens(ends, facts.model),
    bytes: ends.bytes,
    entries: last ? undefined : first.log.length,
  }
}

async function endsOf(found: FoundSession): Promise<SessionEnds> {
  switch (found.type) {
    case 'file':
      return fileEnds(found)
    case 'database':
      return databaseEnds(found)
    case 'storage':
      return storageEnds(found)
  }
}

function firstWords(log: Chronological): string | undefined {
  for (const entry of log) {
    if (entry.kind !== 'message' || entry.origin !== 'human') continue
    const text = messageText(entry.message)
    if (text.trim() !== '') return text
  }
  return undefined
}

const atFirst = 4
const atLast = 8

/** Reads the first and the newest messages of a session that opencode kept in files. */
async function storageEnds(found: StorageSession): Promise<SessionEnds> {
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
