import { giveSessionsTables } from './give-sessions-tables.ts'
import type { DatabaseSync } from 'node:sqlite'

/**
 * How a store becomes one of the next version, from an empty file on. A step that was released
 * is never changed: a new one is added.
 */
export const migrations: readonly ((database: DatabaseSync) => void)[] = [
  (database) =>
    database.exec(
      `CREATE TABLE sessions (
         id INTEGER PRIMARY KEY,
         name TEXT NOT NULL UNIQUE
       ) STRICT;
       CREATE TABLE entries (
         id INTEGER PRIMARY KEY,
         session INTEGER NOT NULL,
         seq INTEGER NOT NULL,
         kind TEXT NOT NULL,
         at REAL,
         entry TEXT NOT NULL
       ) STRICT;
       CREATE UNIQUE INDEX entries_in_order ON entries (session, seq);`,
    ),
  // What a context depends on from any distance is found without reading the messages.
  (database) =>
    database.exec(
      `CREATE INDEX entries_by_kind ON entries (session, kind, seq) WHERE kind <> 'message'`,
    ),
  // Up to which seq the words of a session are in its search table.
  (database) =>
    database.exec(`ALTER TABLE sessions ADD COLUMN searched INTEGER NOT NULL DEFAULT 0`),
  giveSessionsTables,
]
