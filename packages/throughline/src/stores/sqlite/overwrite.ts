import { encodeEntry } from './payload.ts'
import { entryOf } from './select-entries.ts'
import type { Seq } from '../../log/entry.ts'
import type { Rewriting } from '../../session/store.ts'
import type { Connection } from './connection.ts'

// So many entries are in memory at once.
const batch = 200

/** Puts what `change` makes of them in the place of entries; says which it did change. */
export function overwriteEntries(
  connection: Connection,
  id: number,
  change: Rewriting['change'],
): Seq[] {
  const changed: Seq[] = []
  for (let after = 0; ;) {
    const rows = connection.all(
      'SELECT id, seq, entry FROM entries WHERE session = ? AND seq > ? ORDER BY seq LIMIT ?',
      id,
      after,
      batch,
    )
    if (rows.length === 0) return changed
    for (const row of rows) {
      const entry = entryOf(row)
      after = entry.seq
      const other = change(entry)
      if (!other) continue
      connection.run(
        'UPDATE entries SET entry = ? WHERE id = ?',
        encodeEntry(other),
        Number(row['id']),
      )
      changed.push(entry.seq)
    }
  }
}
