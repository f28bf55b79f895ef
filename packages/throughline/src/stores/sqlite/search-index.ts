import { searchText, searchWords } from '../../session/search-words.ts'
import { matchingSeqs } from '../matches.ts'
import { entryOf, selectEntries } from './select-entries.ts'
import type { Seq } from '../../log/entry.ts'
import type { Search } from '../../session/store.ts'
import type { Connection } from './connection.ts'

// So many entries are indexed at once, so that nobody who writes waits for long.
const batch = 500

/**
 * Searches a session in a full-text index of its own, which is brought up to date first: what
 * nobody searches costs nothing. A table for each session can be dropped as a whole, and with
 * it every word that it held.
 */
export function searchIndex(connection: Connection, session: string, search: Search): Seq[] {
  if (search.phrases.length === 0) return []
  if (!connection.isWritable) return scan(connection, session, search)
  const id = catchUp(connection, session)
  if (id === undefined) return []
  const rows = connection.all(
    `SELECT rowid FROM search_${id} WHERE words MATCH ? ORDER BY rank, rowid DESC LIMIT ?`,
    expression(search),
    search.limit,
  )
  return rows.map(({ rowid }) => Number(rowid))
}

/** Where nothing may be written there may be no index. */
function scan(connection: Connection, session: string, search: Search): Seq[] {
  return matchingSeqs(selectEntries(connection, session, { kinds: ['message'] }), search)
}

function expression({ phrases, match }: Search): string {
  return phrases.map((phrase) => `"${phrase.join(' ')}" *`).join(match === 'all' ? ' AND ' : ' OR ')
}

function catchUp(connection: Connection, session: string): number | undefined {
  for (;;) {
    const behind = connection.get(
      `SELECT id, searched, EXISTS (
         SELECT 1 FROM entries WHERE session = sessions.id AND seq > searched
       ) AS more FROM sessions WHERE name = ?`,
      JSON.stringify(session),
    )
    if (!behind) return undefined
    if (!behind['more']) return Number(behind['id'])
    connection.write(() => indexBatch(connection, session))
  }
}

function indexBatch(connection: Connection, session: string): void {
  const state = connection.get(
    'SELECT id, searched FROM sessions WHERE name = ?',
    JSON.stringify(session),
  )
  if (!state) return
  const [id, searched] = [Number(state['id']), Number(state['searched'])]
  // Only our own words come in, and nothing but seqs is to come out: no text is stored again.
  connection.exec(
    `CREATE VIRTUAL TABLE IF NOT EXISTS search_${id}
     USING fts5 (words, content = '', tokenize = 'ascii')`,
  )
  const rows = connection.all(
    'SELECT seq, entry FROM entries WHERE session = ? AND seq > ? ORDER BY seq LIMIT ?',
    id,
    searched,
    batch,
  )
  for (const entry of rows.map(entryOf)) {
    const words = searchWords(searchText(entry)).join(' ')
    if (words === '') continue
    connection.run(`INSERT INTO search_${id} (rowid, words) VALUES (?, ?)`, entry.seq, words)
  }
  connection.run('UPDATE sessions SET searched = ? WHERE id = ?', Number(rows.at(-1)?.['seq']), id)
}

/** Forgets every word of a session; the next search makes its index anew. */
export function dropIndex(connection: Connection, id: number): void {
  connection.exec(`DROP TABLE IF EXISTS search_${id}`)
  connection.run('UPDATE sessions SET searched = 0 WHERE id = ?', id)
}
