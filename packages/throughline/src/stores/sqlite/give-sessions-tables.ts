import type { DatabaseSync } from 'node:sqlite'

/**
 * Moves the entries of each session to a table of its own. Where sessions shared one, SQLite moved
 * rows between pages when others were deleted, and left copies of them behind.
 */
export function giveSessionsTables(database: DatabaseSync): void {
  database.exec(
    `CREATE TABLE placed (
       place INTEGER PRIMARY KEY,
       name TEXT NOT NULL UNIQUE,
       written INTEGER NOT NULL,
       searched INTEGER NOT NULL
     ) STRICT;
     INSERT INTO placed SELECT sessions.id, name, entries.id, searched
       FROM sessions JOIN entries ON entries.id = (
         SELECT id FROM entries WHERE session = sessions.id ORDER BY seq DESC LIMIT 1
       ) ORDER BY sessions.id;
     DROP TABLE sessions;
     ALTER TABLE placed RENAME TO sessions;
     CREATE INDEX sessions_by_writing ON sessions (written);`,
  )
  for (const { place } of database.prepare('SELECT place FROM sessions ORDER BY place').all()) {
    database.exec(
      `CREATE TABLE entries_${place} (
         seq INTEGER PRIMARY KEY,
         kind TEXT NOT NULL,
         at REAL NOT NULL,
         entry TEXT NOT NULL
       ) STRICT;
       INSERT INTO entries_${place}
         SELECT seq, kind, coalesce(at, 0), entry FROM entries WHERE session = ${place} ORDER BY seq;
       CREATE INDEX kinds_${place} ON entries_${place} (kind, seq) WHERE kind <> 'message';`,
    )
  }
  database.exec('DROP TABLE entries')
}
