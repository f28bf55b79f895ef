import { nodeSqlite } from '../node-sqlite.ts'
import { migrations } from '../migrations.ts'
import { encodeEntry } from '../payload.ts'
import { applicationId } from '../store-version.ts'
import type { EntryDraft } from '../../../log/entry.ts'

/** Sessions by name. */
export type Sessions = Readonly<Record<string, readonly EntryDraft[]>>

/** Writes a store as an older Throughline did: one of the versions before each session had tables. */
export function writeOlderStore(file: string, version: 1 | 2 | 3, sessions: Sessions): void {
  const { DatabaseSync } = nodeSqlite()
  const database = new DatabaseSync(file)
  database.exec(`PRAGMA auto_vacuum = INCREMENTAL; PRAGMA journal_mode = WAL;
    PRAGMA secure_delete = ON`)
  for (const migrate of migrations.slice(0, version)) migrate(database)
  database.exec(`PRAGMA application_id = ${applicationId}; PRAGMA user_version = ${version}; BEGIN`)
  const addSession = database.prepare('INSERT INTO sessions (id, name) VALUES (?, ?)')
  const addEntry = database.prepare(
    'INSERT INTO entries (session, seq, kind, at, entry) VALUES (?, ?, ?, ?, ?)',
  )
  for (const [index, [name, drafts]] of Object.entries(sessions).entries()) {
    const id = 2 * index + 3
    addSession.run(id, JSON.stringify(name))
    for (const [before, draft] of drafts.entries()) {
      addEntry.run(id, before + 1, draft.kind, draft.at, encodeEntry(draft))
    }
    if (version < 3 || index > 0) continue
    // One was searched.
    database.exec(`CREATE VIRTUAL TABLE search_${id}
      USING fts5 (words, content = '', tokenize = 'ascii');
      INSERT INTO search_${id} (rowid, words) VALUES (1, 'indexed');
      UPDATE sessions SET searched = 1 WHERE id = ${id}`)
  }
  database.exec('COMMIT')
  database.close()
}
