import { entryOf } from './session-tables.ts'
import { findSession } from './sessions.ts'
import type { Entry } from '../../log/entry.ts'
import type { Selection } from '../../session/store.ts'
import type { Statements } from './statements.ts'

/** Reads the selected entries of a session, in order of seq. */
export function selectEntries(
  statements: Statements,
  session: string,
  { after = 0, upTo = Number.MAX_SAFE_INTEGER, kinds, seqs, newest }: Selection,
): Entry[] {
  const found = findSession(statements, session)
  if (!found) return []
  const sql = [
    `SELECT seq, entry FROM entries_${found.number} WHERE seq > ? AND seq <= ?`,
    ...(seqs ? ['AND seq IN (SELECT value FROM json_each(?))'] : []),
    ...(kinds ? ['AND kind IN (SELECT value FROM json_each(?))'] : []),
    // The same condition as in the index of all non-message entries, so that SQLite uses the index.
    ...(kinds && !kinds.includes('message') ? ["AND kind <> 'message'"] : []),
    newest === undefined ? 'ORDER BY seq' : 'ORDER BY seq DESC LIMIT ?',
  ].join(' ')
  const values = [
    after,
    upTo,
    ...(seqs ? [JSON.stringify(seqs.filter(Number.isSafeInteger))] : []),
    ...(kinds ? [JSON.stringify(kinds)] : []),
    ...(newest === undefined ? [] : [asLimit(newest)]),
  ]
  const entries = statements
    .all(sql, ...values)
    .map(({ seq, entry }) => entryOf({ seq: Number(seq), text: String(entry) }, statements.file))
  return newest === undefined ? entries : entries.toReversed()
}

/** To SQLite, a negative limit means no limit, and a fractional one is an error. */
export function asLimit(count: number): number {
  return Math.max(0, Math.min(Math.floor(count), Number.MAX_SAFE_INTEGER)) || 0
}
