import { setImmediate } from 'node:timers/promises'
import { plainText, searchText } from '../../session/recall/search-words.ts'
import { matchingSeqs } from '../matches.ts'
import { placesOf, rowOfPlaced, type Turn } from './entries.ts'
import { entryOf, type EntryRow } from './entry-rows.ts'
import { timeSlices } from '../../session/loop/pause.ts'
import { StoreFailedError } from './errors.ts'
import { understood } from './explain.ts'
import { asLimit, selectEntries } from './select-entries.ts'
import { findSession } from './sessions.ts'
import type { Seq } from '../../log/entry.ts'
import type { Search } from '../../session/store.ts'
import type { Connection } from './connection/reading-connection.ts'
import type { Statements } from './statements.ts'
import { createHash } from 'node:crypto'

// How many characters are indexed at once, so that neither writers nor this process wait long.
const batch = 200_000

// How many sessions have an index: those that were indexed last. SQLite reads the names of all
// tables when a file is opened, and an index consists of five.
const mostIndexes = 16

/**
 * Searches a session in its own full-text index, which is brought up to date first. Sessions that
 * nobody searches cost nothing.
 */
export async function searchIndex(
  connection: Connection,
  session: string,
  search: Search,
  signal?: AbortSignal,
): Promise<Seq[]> {
  if (search.phrases.length === 0) return []
  if (!connection.isWritable) {
    return connection.read((all) => scan(all, session, search, timeSlices(signal)), signal)
  }
  const known = knownOf(connection)
  for (;;) {
    const found = await connection.read(async (all) => {
      const isWhole = await isIndexWhole(all, session, { known, turn: timeSlices(signal) })
      return isWhole ? searchUpToDate(all, session, search) : 'damaged'
    }, signal)
    if (found === 'damaged') {
      await connection.write((all) => dropIndexOf(all, session), signal)
      continue
    }
    if (found) return found
    await connection.write((all) => indexBatch(all, session, timeSlices(signal)), signal)
    await setImmediate()
  }
}

/** The sums with which this process has found indexes whole, by the number of the session. */
type KnownSums = Map<number, string>

const knownSums = new WeakMap<Connection, KnownSums>()

function knownOf(connection: Connection): KnownSums {
  const known = knownSums.get(connection) ?? new Map<number, string>()
  knownSums.set(connection, known)
  return known
}

/**
 * Whether an index is as it was written. It is looked into once in a process, and again when another
 * one has written it. One that goes on behind its sum is not known, and is taken for whole.
 */
async function isIndexWhole(
  statements: Statements,
  session: string,
  { known, turn }: { known: KnownSums; turn: Turn },
): Promise<boolean> {
  const found = findSession(statements, session)
  const kept = found && keptSum(statements, found.number)
  if (!kept || known.get(found.number) === kept.sum) return true
  const searched = searchedOf(statements, found.number)
  if (kept.searched < searched && searched <= found.newest) return true
  if (kept.searched !== searched) return false
  if ((await sumOf(statements, found.number, turn)) !== kept.sum) return false
  known.set(found.number, kept.sum)
  return true
}

function dropIndexOf(statements: Statements, session: string): void {
  const found = findSession(statements, session)
  if (found) dropIndex(statements, found.number)
}

/** A read-only store may not have an index. */
async function scan(
  statements: Statements,
  session: string,
  search: Search,
  turn: Turn,
): Promise<Seq[]> {
  return matchingSeqs(
    await selectEntries(statements, session, { kinds: ['message'] }, turn),
    search,
  )
}

function searchUpToDate(
  statements: Statements,
  session: string,
  search: Search,
): Seq[] | undefined {
  const found = findSession(statements, session)
  if (!found) return []
  if (searchedOf(statements, found.number) < found.newest) return undefined
  const rows = statements.all(
    `SELECT rowid FROM search_${found.number} WHERE words MATCH ? ORDER BY rank, rowid DESC LIMIT ?`,
    expression(search),
    asLimit(search.limit),
  )
  return rows.map(({ rowid }) => Number(rowid))
}

function expression({ phrases, match }: Search): string {
  return phrases.map((phrase) => `"${phrase.join(' ')}" *`).join(match === 'all' ? ' AND ' : ' OR ')
}

async function indexBatch(statements: Statements, session: string, turn: Turn): Promise<void> {
  const found = findSession(statements, session)
  if (!found) return
  const { number, newest } = found
  const before = searchedOf(statements, number)
  if (before >= newest) return
  if (before === 0) makeIndex(statements, number)
  let searched = before
  let characters = 0
  for (const placed of placesOf(statements, number, before)) {
    const row = rowOfPlaced(statements, number, placed)
    addWords(statements, number, row)
    searched = row.seq
    characters += row.text.length
    if (characters >= batch) break
    await turn()
  }
  // Its newest entry isn't indexed yet.
  if (searched === before) {
    throw new StoreFailedError({ file: statements.file, failure: 'damaged' })
  }
  statements.run(
    `INSERT OR REPLACE INTO searches (session, searched, turn)
     VALUES (?, ?, (SELECT coalesce(max(turn), 0) + 1 FROM searches))`,
    number,
    searched,
  )
  if (searched === newest && isDue(searched, keptSum(statements, number)?.searched ?? 0)) {
    // What is indexed is written to the tables before it is summed.
    statements.exec('SAVEPOINT indexed; RELEASE indexed')
    keepSum(statements, number, { searched, sum: await sumOf(statements, number, turn) })
  }
}

// Larger indexes are summed again when they have grown by an eighth: summing reads all of them.
const small = 4_000

function isDue(searched: Seq, summed: Seq): boolean {
  return searched <= small || searched - summed >= searched / 8
}

/** The newest seq of a session whose words are in its index; 0 if it has none. */
function searchedOf(statements: Statements, number: number): Seq {
  const row = statements.get('SELECT searched FROM searches WHERE session = ?', number)
  return Number(row?.['searched'] ?? 0)
}

/** Drops what searches made of a session. */
export function dropIndex(statements: Statements, number: number): void {
  if (statements.run('DELETE FROM searches WHERE session = ?', number) === 0) return
  statements.exec(`DROP TABLE search_${number}`)
  dropSum(statements, number)
}

/** Another search makes it anew. */
function dropOldIndexes(statements: Statements): void {
  const old = statements.all(
    `SELECT session FROM searches ORDER BY turn DESC LIMIT -1 OFFSET ${mostIndexes - 1}`,
  )
  for (const row of old) dropIndex(statements, Number(row['session']))
}

/**
 * The index only returns seqs, so the text isn't stored again. Batches are sorted as a whole, and
 * older parts are merged rarely; that saves a third of the time.
 */
function makeIndex(statements: Statements, number: number): void {
  dropOldIndexes(statements)
  statements.exec(
    `CREATE VIRTUAL TABLE search_${number} USING fts5 (words, content = '', tokenize = 'ascii');
     INSERT INTO search_${number} (search_${number}, rank)
       VALUES ('hashsize', 16777216), ('automerge', 8);`,
  )
}

function addWords(statements: Statements, number: number, row: EntryRow): void {
  // A damaged row may look like an entry but have no message.
  const { file } = statements
  const text = understood(file, () => searchText(entryOf(row, file)))
  if (text === '') return
  statements.run(
    `INSERT INTO search_${number} (rowid, words) VALUES (?, ?)`,
    row.seq,
    plainText(text),
  )
}

// SQLite notices no wrong byte within a page. An index that has one finds less, and nobody sees it:
// so what SQLite keeps of an index has a sum of its own.

/** Up to which entry an index goes, and what all of it summed up to then. */
interface IndexSum {
  searched: Seq
  sum: string
}

const kept: readonly { table: string; fields: string; order: string }[] = [
  { table: 'data', fields: 'id, block', order: 'id' },
  { table: 'idx', fields: 'segid, term, pgno', order: 'segid, term' },
]

// As many sizes of entries as are read at once.
const sizesAtOnce = 2_000

/** What tells an index from any other, and from itself with one wrong byte. */
async function sumOf(statements: Statements, number: number, turn: Turn): Promise<string> {
  const hash = createHash('sha256')
  for (const { table, fields, order } of kept) {
    const sql = `SELECT ${fields} FROM search_${number}_${table} ORDER BY ${order}`
    for (const row of statements.each(sql)) {
      for (const value of Object.values(row)) {
        hash.update(value instanceof Uint8Array ? value : String(value))
      }
      await turn()
    }
  }
  for (let last = 0; ;) {
    const row = statements.get(
      `SELECT max(id) AS last, group_concat(id || hex(sz)) AS sizes
       FROM (SELECT id, sz FROM search_${number}_docsize WHERE id > ? ORDER BY id LIMIT ${sizesAtOnce})`,
      last,
    )
    if (typeof row?.['last'] !== 'number') return hash.digest('base64')
    last = row['last']
    hash.update(String(row['sizes']))
    await turn()
  }
}

/** A store of an older version has no table for this until an index is written again. */
function keptSum(statements: Statements, number: number): IndexSum | undefined {
  const isThere = statements.get("SELECT 1 FROM sqlite_schema WHERE name = 'search_sums'")
  const row = isThere && statements.get('SELECT * FROM search_sums WHERE session = ?', number)
  return row && { searched: Number(row['searched']), sum: String(row['sum']) }
}

function keepSum(statements: Statements, number: number, { searched, sum }: IndexSum): void {
  statements.exec(
    `CREATE TABLE IF NOT EXISTS search_sums (
       session INTEGER PRIMARY KEY,
       searched INTEGER NOT NULL,
       sum TEXT NOT NULL
     ) STRICT`,
  )
  statements.run('INSERT OR REPLACE INTO search_sums VALUES (?, ?, ?)', number, searched, sum)
}

function dropSum(statements: Statements, number: number): void {
  if (keptSum(statements, number)) {
    statements.run('DELETE FROM search_sums WHERE session = ?', number)
  }
}
