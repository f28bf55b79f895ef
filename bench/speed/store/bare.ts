import { DatabaseSync } from 'node:sqlite'
import type { EntryDraft, Message, Part } from 'throughline'

/**
 * Bare `node:sqlite` with one session's entries: the baseline for the store's own work. Its tables,
 * index and settings are the store's.
 */
export function bareDatabase(file: string): DatabaseSync {
  const database = new DatabaseSync(file)
  database.exec(`PRAGMA auto_vacuum = INCREMENTAL; PRAGMA journal_mode = WAL;
    PRAGMA synchronous = NORMAL; PRAGMA secure_delete = ON; PRAGMA temp_store = MEMORY;
    CREATE TABLE entries (
      seq INTEGER PRIMARY KEY,
      kind TEXT NOT NULL,
      at REAL NOT NULL,
      entry TEXT NOT NULL
    ) STRICT;
    CREATE INDEX kinds ON entries (kind, seq) WHERE kind <> 'message'`)
  return database
}

/** Appends drafts in one transaction, with statements that are prepared once. */
export function bareAppend(database: DatabaseSync): (drafts: readonly EntryDraft[]) => void {
  const [begin, commit] = [database.prepare('BEGIN IMMEDIATE'), database.prepare('COMMIT')]
  const insert = database.prepare('INSERT INTO entries (seq, kind, at, entry) VALUES (?, ?, ?, ?)')
  let seq = 0
  return (drafts) => {
    begin.run()
    for (const draft of drafts) {
      seq += 1
      insert.run(seq, draft.kind, draft.at, JSON.stringify(draft))
    }
    commit.run()
  }
}

/**
 * The same in the store's own two tables (the texts of all sessions one behind the other, and where
 * each entry is, so that a text can be removed and leaves no copy), with a log of the same length.
 */
export function bareSplitAppend(database: DatabaseSync): (drafts: readonly EntryDraft[]) => void {
  database.exec(`PRAGMA wal_autocheckpoint = 512;
    CREATE TABLE segment (
      place INTEGER PRIMARY KEY,
      session INTEGER NOT NULL,
      seq INTEGER NOT NULL,
      entry TEXT NOT NULL
    ) STRICT;
    CREATE TABLE places (
      session INTEGER NOT NULL,
      seq INTEGER NOT NULL,
      kind TEXT NOT NULL,
      at REAL NOT NULL,
      place INTEGER NOT NULL,
      PRIMARY KEY (session, seq)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX kinds_of_places ON places (session, kind, seq) WHERE kind <> 'message'`)
  const [begin, commit] = [database.prepare('BEGIN IMMEDIATE'), database.prepare('COMMIT')]
  const text = database.prepare('INSERT INTO segment (session, seq, entry) VALUES (1, ?, ?)')
  const place = database.prepare(
    'INSERT INTO places (session, seq, kind, at, place) VALUES (1, ?, ?, ?, ?)',
  )
  let seq = 0
  return (drafts) => {
    begin.run()
    for (const draft of drafts) {
      seq += 1
      const { lastInsertRowid } = text.run(seq, JSON.stringify(draft))
      place.run(seq, draft.kind, draft.at, lastInsertRowid)
    }
    commit.run()
  }
}

/** Reads and parses the newest entries, with its own connection. */
export function bareNewest(file: string, count: number): unknown[] {
  const database = new DatabaseSync(file)
  const rows = database
    .prepare('SELECT seq, entry FROM entries ORDER BY seq DESC LIMIT ?')
    .all(count)
  const entries = rows.map(({ entry }): unknown => JSON.parse(String(entry)))
  database.close()
  return entries
}

// About as many entries as the store indexes at once.
const batch = 1_000

/** Brings a full-text table like the store's up to date with the rows that were appended. */
export function bareIndexing(database: DatabaseSync): () => void {
  database.exec(`CREATE VIRTUAL TABLE recall USING fts5 (words, content = '', tokenize = 'ascii');
    INSERT INTO recall (recall, rank) VALUES ('hashsize', 16777216), ('automerge', 8)`)
  const [begin, commit] = [database.prepare('BEGIN IMMEDIATE'), database.prepare('COMMIT')]
  const select = database.prepare(
    'SELECT seq, entry FROM entries WHERE seq > ? ORDER BY seq LIMIT ?',
  )
  const insert = database.prepare('INSERT INTO recall (rowid, words) VALUES (?, ?)')
  let searched = 0
  return () => {
    for (;;) {
      const rows = select.all(searched, batch)
      if (rows.length === 0) return
      begin.run()
      for (const { seq, entry } of rows) {
        const { message } = JSON.parse(String(entry)) as { message: Message }
        insert.run(Number(seq), textIn(message))
        searched = Number(seq)
      }
      commit.run()
    }
  }
}

/** Searches it, in the words of SQLite. */
export function bareSearch(database: DatabaseSync): (match: string, limit: number) => number[] {
  const select = database.prepare(
    'SELECT rowid FROM recall WHERE words MATCH ? ORDER BY rank, rowid DESC LIMIT ?',
  )
  return (match, limit) => select.all(match, limit).map(({ rowid }) => Number(rowid))
}

function textIn({ content }: Message): string {
  return typeof content === 'string' ? content : content.map(textOfPart).join('\n')
}

function textOfPart(part: Part): string {
  if (part.type === 'text') return part.text
  if (part.type === 'tool-call') return `${part.toolName}\n${JSON.stringify(part.input)}`
  if (part.type !== 'tool-result' || part.output.type !== 'text') return ''
  return `${part.toolName}\n${part.output.value}`
}
