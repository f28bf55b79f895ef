import { createReadStream } from 'node:fs'
import { linesOf } from './database-lines.ts'
import { UnreadableSessionError } from './errors.ts'
import { exportDocument, messagesBy, messageTable } from './opencode/export-document.ts'
import { openDatabase, rowsOf } from './opencode/database-sessions.ts'
import { storageDocument, storedMessages } from './opencode/storage-document.ts'
import type { DatabaseSession, FoundSession, StorageSession } from './found-session.ts'

/**
 * A found session as bytes for `readSession`: its file, or the document that opencode would export.
 * @throws UnreadableSessionError while reading
 * @example
 * const { log } = await readSession(readFound(session))
 */
export async function* readFound(found: FoundSession): AsyncGenerator<Uint8Array> {
  const { file } = found
  try {
    if (found.type === 'file') yield* createReadStream(file) as AsyncIterable<Uint8Array>
    else if (found.type === 'database') yield* databaseBytes(found)
    else yield* storageBytes(found)
  } catch (cause) {
    throw new UnreadableSessionError({ file, cause })
  }
}

function* databaseBytes({ file, id, harness }: DatabaseSession): Generator<Uint8Array> {
  const database = openDatabase(file)
  try {
    // All of it is read from one state, whatever opencode writes in the meantime.
    database.exec('BEGIN')
    const rows = rowsOf(database)
    const encoder = new TextEncoder()
    const lines = linesOf(harness)
    if (lines) {
      for (const entry of lines(rows, id)) yield encoder.encode(entry)
      return
    }
    const isV2 = harness.name === 'opencode-v2'
    const table = messageTable(isV2)
    const messages = rows.each(messagesBy(table, table.oldestFirst), id)
    for (const piece of exportDocument(rows, id, messages, isV2)) {
      yield encoder.encode(piece)
    }
  } finally {
    database.close()
  }
}

async function* storageBytes(found: StorageSession): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder()
  for await (const piece of storageDocument(found, await storedMessages(found))) {
    yield encoder.encode(piece)
  }
}
