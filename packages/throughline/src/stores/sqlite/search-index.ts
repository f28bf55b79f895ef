import { searchText, searchWords } from '../../session/search-words.ts'
import { matchingSeqs } from '../matches.ts'
import { entryOf } from './entry-row.ts'
import { rowsOf } from './places.ts'
import { asLimit, selectEntries } from './select-entries.ts'
import { findSession, noteSearched } from './sessions.ts'
import type { Seq } from '../../log/entry.ts'
import type { Search } from '../../session/store.ts'
import type { Connection } from './connection.ts'
import type { Statements } from './statements.ts'

// So much is indexed at once, so that nobody who writes waits for long: entries, characters.
const batch = { entries: 500, characters: 4_000_000 }

/**
 * Searches a session in a full-text index of its own, which is brought up to date first: what
 * nobody searches costs nothing.
 */
export function searchIndex(connection: Connection, session: string, search: Search): Seq[] {
  if (search.phrases.length === 0) return []
  if (!connection.isWritable) return connection.read((all) => scan(all, session, search))
  for (;;) {
    const found = connection.read((statements) => searchUpToDate(statements, session, search))
    if (found) return found
    connection.write((statements) => indexBatch(statements, session))
  }
}

/** Where nothing may be written there may be no index. */
function scan(statements: Statements, session: string, search: Search): Seq[] {
  return matchingSeqs(selectEntries(statements, session, { kinds: ['message'] }), search)
}

function searchUpToDate(
  statements: Statements,
  session: string,
  search: Search,
): Seq[] | undefined {
  const found = findSession(statements, session)
  if (!found) return []
  if (found.searched < found.newest) return undefined
  const rows = statements.all(
    `SELECT rowid FROM search_${found.place} WHERE words MATCH ? ORDER BY rank, rowid DESC LIMIT ?`,
    expression(search),
    asLimit(search.limit),
  )
  return rows.map(({ rowid }) => Number(rowid))
}

function expression({ phrases, match }: Search): string {
  return phrases.map((phrase) => `"${phrase.join(' ')}" *`).join(match === 'all' ? ' AND ' : ' OR ')
}

function indexBatch(statements: Statements, session: string): void {
  const found = findSession(statements, session)
  if (!found) return
  const { place } = found
  // Only our own words come in, and nothing but seqs is to come out: no text is stored again.
  statements.exec(
    `CREATE VIRTUAL TABLE IF NOT EXISTS search_${place}
     USING fts5 (words, content = '', tokenize = 'ascii')`,
  )
  let { searched } = found
  let [entries, characters] = [0, 0]
  for (const row of rowsOf(statements, place, searched)) {
    addWords(statements, place, searchWords(searchText(entryOf(row, statements.file))), row.seq)
    searched = row.seq
    entries += 1
    characters += row.text.length
    if (entries >= batch.entries || characters >= batch.characters) break
  }
  noteSearched(statements, place, searched)
}

function addWords(statements: Statements, place: number, words: string[], seq: Seq): void {
  if (words.length === 0) return
  statements.run(`INSERT INTO search_${place} (rowid, words) VALUES (?, ?)`, seq, words.join(' '))
}
