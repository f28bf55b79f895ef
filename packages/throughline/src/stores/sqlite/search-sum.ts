import { createHash } from 'node:crypto'
import type { Seq } from '../../log/entry.ts'
import type { Turn } from './entries.ts'
import type { Statements } from './statements.ts'

// SQLite notices no wrong byte within a page. An index that has one finds less, and nobody sees it:
// so what SQLite keeps of an index has a sum of its own.

/** Up to which entry an index goes, and what all of it summed up to then. */
export interface IndexSum {
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
export async function sumOf(statements: Statements, number: number, turn: Turn): Promise<string> {
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
export function keptSum(statements: Statements, number: number): IndexSum | undefined {
  const isThere = statements.get("SELECT 1 FROM sqlite_schema WHERE name = 'search_sums'")
  const row = isThere && statements.get('SELECT * FROM search_sums WHERE session = ?', number)
  return row && { searched: Number(row['searched']), sum: String(row['sum']) }
}

export function keepSum(statements: Statements, number: number, { searched, sum }: IndexSum): void {
  statements.exec(
    `CREATE TABLE IF NOT EXISTS search_sums (
       session INTEGER PRIMARY KEY,
       searched INTEGER NOT NULL,
       sum TEXT NOT NULL
     ) STRICT`,
  )
  statements.run('INSERT OR REPLACE INTO search_sums VALUES (?, ?, ?)', number, searched, sum)
}

export function dropSum(statements: Statements, number: number): void {
  if (keptSum(statements, number)) {
    statements.run('DELETE FROM search_sums WHERE session = ?', number)
  }
}
