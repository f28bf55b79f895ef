import { readSession } from '../../formats/reading/read-session.ts'
import { exportDocument, messagesBy, messageTable } from '../opencode/export-document.ts'
import { readDatabase, type Row, type Rows } from '../opencode/database-sessions.ts'
import type { DatabaseSession } from '../found-session.ts'
import type { SessionEnds, Stretch } from './session-ends.ts'

// An opencode message is a step, and nearly every one has usage.
const atFirst = 4
const atLast = 8
// The same amount as is read of a file.
const wholeUpTo = 256 * 1024

/** Reads the first and the newest messages of a session in opencode's database. */
export async function databaseEnds({ file, id, harness }: DatabaseSession): Promise<SessionEnds> {
  const isV2 = harness.name === 'opencode-v2'
  const table = messageTable(isV2)
  const { bytes, oldest, newest } = readDatabase(file, (rows) => {
    const bytes = bytesOf(rows, id, table.weight)
    const document = (messages: readonly Row[]): string =>
      [...exportDocument(rows, id, messages, isV2)].join('')
    const ask = (order: string): Row[] => rows.all(messagesBy(table, order), id)
    if (bytes <= wholeUpTo) return { bytes, oldest: document(ask(table.oldestFirst)) }
    const oldest = document(ask(`${table.oldestFirst} LIMIT ${atFirst}`))
    const newest = ask(`${table.newestFirst} LIMIT ${atLast}`).toReversed()
    return { bytes, oldest, newest: document(newest) }
  })
  const stretchOf = (document: string): Promise<Stretch> =>
    readSession([document], { formats: [harness.format] })
  const first = await stretchOf(oldest)
  if (newest === undefined) return { first, scale: 1, bytes }
  return { first, last: await stretchOf(newest), scale: bytes / newest.length, bytes }
}

/** Reads the first and the newest entries of a session whose database holds them as lines. */
export async function lineEnds(
  { file, id, harness }: DatabaseSession,
  linesIn: (rows: Rows, id: string) => Iterable<string>,
): Promise<SessionEnds> {
  const lines = readDatabase(file, (rows) => [...linesIn(rows, id)])
  const bytes = lines.reduce((sum, line) => sum + line.length, 0)
  const stretchOf = (some: readonly string[]): Promise<Stretch> =>
    readSession(some, { formats: [harness.format] })
  if (bytes <= wholeUpTo) return { first: await stretchOf(lines), scale: 1, bytes }
  const newest = lines.slice(-entriesAtLast)
  const read = newest.reduce((sum, line) => sum + line.length, 0)
  const first = await stretchOf(lines.slice(0, entriesAtFirst))
  return { first, last: await stretchOf(newest), scale: bytes / read, bytes }
}

// Beside what is said, it keeps entries of its own.
const entriesAtFirst = 20
const entriesAtLast = 60

function bytesOf({ all }: Rows, id: string, weight: string): number {
  const [sum] = all(
    `SELECT sum(octet_length(data)) AS bytes FROM ${weight} WHERE session_id = ?`,
    id,
  )
  return Number(sum?.['bytes'] ?? 0)
}
