import { columns, placedOf, rowOfPlaced, type Turn } from './entries.ts'
import { damagedEntry, entryOf } from './entry-rows.ts'
import { findSession } from './sessions.ts'
import type { Entry } from '../../log/entry.ts'
import type { Selection } from '../../session/store.ts'
import type { Statements } from './statements.ts'

/** Reads the selected entries of a session, in order of seq. */
export async function selectEntries(
  statements: Statements,
  session: string,
  { after = 0, upTo = Number.MAX_SAFE_INTEGER, kinds, seqs, newest }: Selection,
  turn: Turn,
): Promise<Entry[]> {
  const found = findSession(statements, session)
  if (!found) return []
  // SQLite cannot know how few there are that are not messages.
  const few = kinds && !kinds.includes('message')
  const sql = [
    `SELECT ${columns} FROM places ${few ? 'INDEXED BY kinds' : ''}`,
    'WHERE session = ? AND seq > ? AND seq <= ?',
    ...(seqs ? ['AND seq IN (SELECT value FROM json_each(?))'] : []),
    ...(kinds ? ['AND kind IN (SELECT value FROM json_each(?))'] : []),
    // The same condition as in the index of all other entries.
    ...(few ? ["AND kind <> 'message'"] : []),
    newest === undefined ? 'ORDER BY seq' : 'ORDER BY seq DESC LIMIT ?',
  ].join(' ')
  const values = [
    found.number,
    after,
    upTo,
    ...(seqs ? [JSON.stringify(seqs.filter(Number.isSafeInteger))] : []),
    ...(kinds ? [JSON.stringify(kinds)] : []),
    ...(newest === undefined ? [] : [asLimit(newest)]),
  ]
  const { file } = statements
  const entries: Entry[] = []
  for (const row of statements.each(sql, ...values)) {
    entries.push(entryOf(rowOfPlaced(statements, found.number, placedOf(row)), file))
    await turn()
  }
  if (newest !== undefined) entries.reverse()
  if (!kinds && !seqs && newest === undefined) {
    checkComplete(entries, Math.max(0, Math.floor(after)) + 1, Math.min(upTo, found.newest), file)
  }
  return entries
}

/** Entries are counted without a gap. */
function checkComplete(entries: readonly Entry[], first: number, last: number, file: string): void {
  for (let index = 0; first + index <= last; index++) {
    if (entries[index]?.seq !== first + index) {
      throw damagedEntry(file, first + index, 'is missing')
    }
  }
}

/** To SQLite, a negative limit means no limit, and a fractional one is an error. */
export function asLimit(count: number): number {
  return Math.max(0, Math.min(Math.floor(count), Number.MAX_SAFE_INTEGER)) || 0
}
