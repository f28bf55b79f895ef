import { decodeEntry } from './payload.ts'
import type { Entry } from '../../log/entry.ts'
import type { Selection } from '../../session/store.ts'
import type { Connection } from './connection.ts'

/** Reads the selected entries of a session, in order of seq. */
export function selectEntries(
  connection: Connection,
  session: string,
  { after = 0, upTo = Number.MAX_SAFE_INTEGER, kinds, seqs, newest }: Selection,
): Entry[] {
  const sql = [
    `SELECT seq, entry FROM entries
     WHERE session = (SELECT id FROM sessions WHERE name = ?) AND seq > ? AND seq <= ?`,
    ...(seqs ? ['AND seq IN (SELECT value FROM json_each(?))'] : []),
    ...(kinds ? [`AND kind IN (SELECT value FROM json_each(?))`] : []),
    // In the words of the index of all that is no message, so that SQLite uses it.
    ...(kinds && !kinds.includes('message') ? [`AND kind <> 'message'`] : []),
    newest === undefined ? 'ORDER BY seq' : 'ORDER BY seq DESC LIMIT ?',
  ].join(' ')
  const values = [
    JSON.stringify(session),
    after,
    upTo,
    ...(seqs ? [JSON.stringify(seqs.filter(Number.isSafeInteger))] : []),
    ...(kinds ? [JSON.stringify(kinds)] : []),
    ...(newest === undefined ? [] : [newest]),
  ]
  const entries = connection.all(sql, ...values).map(entryOf)
  return newest === undefined ? entries : entries.toReversed()
}

/** The entry in a row with its `seq` and `entry`. */
export function entryOf(row: Record<string, unknown>): Entry {
  return decodeEntry(String(row['entry']), Number(row['seq']))
}
