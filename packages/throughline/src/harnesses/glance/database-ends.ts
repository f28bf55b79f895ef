import { readSession } from '../../formats/read-session.ts'
import { exportDocument } from '../opencode/export-document.ts'
import { readDatabase, type Row } from '../opencode/read-database.ts'
import type { DatabaseSession } from '../found-session.ts'
import type { SessionEnds, Stretch } from './session-ends.ts'

// A message of opencode is a step: usage stands in nearly every one.
const atFirst = 4
const atLast = 8

/** Reads the first and the newest messages of a session in opencode's database. */
export async function databaseEnds({ file, id, harness }: DatabaseSession): Promise<SessionEnds> {
  const { first, last, count, bytes } = readDatabase(file, (rows) => {
    const ask = (order: string, most: number): Row[] =>
      rows.all(`SELECT id, data FROM message WHERE session_id = ? ${order} LIMIT ${most}`, id)
    const oldest = ask('ORDER BY time_created, id', atFirst)
    const newest = ask('ORDER BY time_created DESC, id DESC', atLast).toReversed()
    const [counted] = rows.all('SELECT count(*) AS count FROM message WHERE session_id = ?', id)
    const [sum] = rows.all(
      'SELECT sum(octet_length(data)) AS bytes FROM part WHERE session_id = ?',
      id,
    )
    return {
      first: [...exportDocument(rows, id, oldest)],
      last: [...exportDocument(rows, id, newest)],
      count: Number(counted?.['count'] ?? 0),
      bytes: Number(sum?.['bytes'] ?? 0),
    }
  })
  const stretch = async (document: string[]): Promise<Stretch> =>
    readSession([document.join('')], { formats: [harness.format] })
  const end = await stretch(last)
  if (count <= atLast) return { first: end, scale: 1, bytes }
  return { first: await stretch(first), last: end, scale: count / atLast, bytes }
}
