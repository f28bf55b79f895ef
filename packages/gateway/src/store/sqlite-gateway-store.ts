import { randomBytes } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { sqliteStore, StoreVersionError } from 'throughline/sqlite'
import {
  mostHidden,
  rememberedRequests,
  tellingOfRedactions,
  twoDaysAgo,
  type GatewayStore,
  type Mark,
  type Request,
  rowOf,
} from './gateway-store.ts'
import type { DatabaseSync } from 'node:sqlite'
import type { Exchange } from '../tools/tool-wire.ts'

const schema = `
CREATE TABLE IF NOT EXISTS secret (one INTEGER PRIMARY KEY CHECK (one = 1), bytes BLOB NOT NULL) STRICT;
CREATE TABLE IF NOT EXISTS sessions (
  id TEXT PRIMARY KEY,
  world TEXT NOT NULL,
  instructions TEXT NOT NULL,
  model TEXT NOT NULL,
  created INTEGER NOT NULL,
  used INTEGER NOT NULL,
  request INTEGER NOT NULL
) STRICT;
CREATE INDEX IF NOT EXISTS sessions_by_use ON sessions (used);
CREATE TABLE IF NOT EXISTS marks (
  world TEXT NOT NULL,
  mark TEXT NOT NULL,
  session TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
  request INTEGER NOT NULL,
  kept INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (world, mark, session)
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS marks_by_session ON marks (session, request);
-- Tables that were not there in the first version: whoever has that makes them here, and older code
-- lives without them.
CREATE TABLE IF NOT EXISTS hidden (
  number INTEGER PRIMARY KEY,
  session TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
  after TEXT NOT NULL,
  exchange TEXT NOT NULL,
  UNIQUE (session, after)
) STRICT;
CREATE TABLE IF NOT EXISTS spending (
  key TEXT NOT NULL,
  day TEXT NOT NULL,
  tokens INTEGER NOT NULL,
  PRIMARY KEY (key, day)
) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS windows (
  world TEXT NOT NULL,
  base TEXT NOT NULL,
  model TEXT NOT NULL,
  context INTEGER NOT NULL,
  named INTEGER NOT NULL,
  at INTEGER NOT NULL,
  PRIMARY KEY (world, base, model)
) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS links (
  hash TEXT PRIMARY KEY,
  session TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
  until INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS links_by_session ON links (session);
`

/**
 * What the file states as the lowest version that may use it. Only a change that older code cannot live
 * with gets the next number.
 */
const lowestVersion = 2

type Row = Record<string, unknown>

const firstFew = 8

/** What whoever starts a gateway is told of its folder. */
export const folderIsPlain =
  'sessions in a folder are not encrypted, so that the commands on this machine can read and search them: only its user can open it; keep it on an encrypted disk, or name a Postgres, in which they are encrypted'

/**
 * A gateway's store for one machine: two SQLite files in a folder, one with the logs, which every
 * command of Throughline reads with `--store`, and one that says which session a request belongs to.
 * Any number of processes may use it at the same time.
 */
export function sqliteGatewayStore({ folder }: { folder: string }): GatewayStore {
  if (folder !== ':memory:') mkdirSync(folder, { recursive: true, mode: 0o700 })
  const inFolder = (name: string) => (folder === ':memory:' ? folder : join(folder, name))
  const sqlite = sqliteStore({ file: inFolder('sessions.db') })
  const database = openDatabase(inFolder('gateway.db'))
  const logs = tellingOfRedactions(sqlite, (session) => void statement.shown.run(session))

  function write<Result>(work: () => Result): Result {
    database.exec('BEGIN IMMEDIATE')
    try {
      const result = work()
      database.exec('COMMIT')
      return result
    } catch (error) {
      if (database.isTransaction) database.exec('ROLLBACK')
      throw error
    }
  }

  const statement = {
    mark: database.prepare(
      'INSERT INTO marks (world, mark, session, request) VALUES (?, ?, ?, ?) ON CONFLICT (world, mark, session) DO UPDATE SET request = excluded.request',
    ),
    found: database.prepare(
      `SELECT s.*, m.mark, m.request = s.request AS newest
       FROM json_each(?2) AS asked
       CROSS JOIN marks AS m ON m.world = ?1 AND m.mark = asked.value
       JOIN sessions AS s ON s.id = m.session
       ORDER BY asked.key, newest DESC, s.used DESC LIMIT 1`,
    ),
    row: database.prepare('SELECT * FROM sessions WHERE id = ?'),
    known: database.prepare('SELECT 1 FROM marks WHERE session = ? AND mark = ? AND request = ?'),
    moved: database.prepare('UPDATE sessions SET request = ?, used = ? WHERE id = ?'),
    hide: database.prepare(
      'INSERT OR REPLACE INTO hidden (session, after, exchange) SELECT id, ?, ? FROM sessions WHERE id = ?',
    ),
    hidden: database.prepare('SELECT * FROM hidden WHERE session = ? ORDER BY number'),
    fewer: database.prepare(
      'DELETE FROM hidden WHERE session = ? AND number NOT IN (SELECT number FROM hidden WHERE session = ? ORDER BY number DESC LIMIT ?)',
    ),
    copied: database.prepare(
      'INSERT OR IGNORE INTO hidden (session, after, exchange) SELECT ?, after, exchange FROM hidden WHERE session = ? ORDER BY number',
    ),
    shown: database.prepare('DELETE FROM hidden WHERE session = ?'),
    learn: database.prepare('INSERT OR REPLACE INTO windows VALUES (?, ?, ?, ?, ?, ?)'),
    unlearn: database.prepare('DELETE FROM windows WHERE world = ? AND base = ? AND model = ?'),
    learned: database.prepare('SELECT * FROM windows WHERE world = ? ORDER BY at DESC LIMIT 200'),
    unbelieved: database.prepare('DELETE FROM windows WHERE at < ?'),
    spent: database.prepare('DELETE FROM spending WHERE day < ?'),
    forgotWindows: database.prepare(
      'DELETE FROM windows WHERE ?1 IS NULL OR world IN (SELECT value FROM json_each(?1))',
    ),
    forgotSpent: database.prepare(
      'DELETE FROM spending WHERE day < ?1 AND substr(key, 1, length(?2)) = ?2',
    ),
    forgotten: database.prepare(
      'DELETE FROM marks WHERE session = ? AND kept = 0 AND request <= ?',
    ),
  }

  function addMarks(world: unknown, id: string, number: number, { marks }: Request): void {
    for (const mark of marks) statement.mark.run(String(world), mark, id, number)
  }

  async function remove(id: string): Promise<void> {
    write(() => database.prepare('DELETE FROM sessions WHERE id = ?').run(id))
    await logs.remove(id)
  }

  return {
    logs,
    ...(folder !== ':memory:' && { folder }),
    async secret() {
      const insert = 'INSERT INTO secret (one, bytes) VALUES (1, ?) ON CONFLICT DO NOTHING'
      write(() => database.prepare(insert).run(randomBytes(32)))
      const { bytes } = database.prepare('SELECT bytes FROM secret').get() as { bytes: Uint8Array }
      return bytes
    },
    async find(world, marks) {
      // Nearly always it is one of the first few.
      for (const some of [marks.slice(0, firstFew), marks.slice(firstFew)]) {
        const row = statement.found.get(world, JSON.stringify(some)) as Row | undefined
        if (row)
          return { session: rowOf(row), mark: row['mark'] as Mark, newest: row['newest'] === 1 }
      }
      return undefined
    },
    async begin(session, request) {
      const { id, world, instructions, model, created, used } = session
      write(() => {
        const { changes } = database
          .prepare(
            'INSERT INTO sessions (id, world, instructions, model, created, used, request) VALUES (?, ?, ?, ?, ?, ?, 1) ON CONFLICT DO NOTHING',
          )
          .run(id, world, instructions, model, created, used)
        if (changes === 1) addMarks(world, id, 1, request)
      })
    },
    move: async (id, from, request) =>
      write(() => {
        const row = statement.row.get(id) as Row | undefined
        if (!row) return false
        const newest = Number(row['request'])
        if (!statement.known.get(id, from, newest)) return false
        const next = newest + 1
        addMarks(row['world'], id, next, request)
        statement.moved.run(next, request.at, id)
        statement.forgotten.run(id, next - rememberedRequests)
        return true
      }),
    async keep(id, marks) {
      const keep = database.prepare('UPDATE marks SET kept = 1 WHERE session = ? AND mark = ?')
      write(() => {
        for (const mark of marks) keep.run(id, mark)
      })
    },
    async hide(id, { after, exchange }) {
      write(() => {
        statement.hide.run(after, JSON.stringify(exchange), id)
        statement.fewer.run(id, id, mostHidden)
      })
    },
    hidden: async (id) =>
      (statement.hidden.all(id) as Row[]).map(({ after, exchange }) => ({
        after: after as Mark,
        exchange: JSON.parse(String(exchange)) as Exchange,
      })),
    async copyHidden(from, as) {
      write(() => statement.copied.run(as, from))
    },
    async link(id, { hash, until }) {
      const add =
        'INSERT INTO links (hash, session, until) SELECT ?, id, ? FROM sessions WHERE id = ?'
      database.prepare(add).run(hash, until, id)
    },
    async linked(hash, now) {
      database.prepare('DELETE FROM links WHERE until <= ?').run(now)
      const row = database.prepare('SELECT session FROM links WHERE hash = ?').get(hash)
      return row && String(row['session'])
    },
    async unlink(id) {
      database.prepare('DELETE FROM links WHERE session = ?').run(id)
    },
    async spend(budget, period, amount) {
      const add =
        'INSERT INTO spending AS s (key, day, tokens) VALUES (?, ?, ?) ON CONFLICT (key, day) DO UPDATE SET tokens = s.tokens + excluded.tokens RETURNING tokens'
      return write(() => Number(database.prepare(add).get(budget, period, amount)?.['tokens']))
    },
    async learn(world, { base, model }, learned) {
      write(() => {
        if (!learned) return statement.unlearn.run(world, base, model)
        const { context, isNamed, at } = learned
        return statement.learn.run(world, base, model, context, Number(isNamed), at)
      })
    },
    learned: async (world) =>
      (statement.learned.all(world) as Row[]).map(({ base, model, context, named, at }) => ({
        base: String(base),
        model: String(model),
        context: Number(context),
        isNamed: named === 1,
        at: Number(at),
      })),
    async forgetCaller({ worlds, budgets, today }) {
      write(() => {
        statement.forgotWindows.run(worlds ? JSON.stringify(worlds) : null)
        statement.forgotSpent.run(today, budgets)
      })
    },
    newest: (id) => sqlite.newest(id),
    async session(id) {
      const row = statement.row.get(id) as Row | undefined
      return row && rowOf(row)
    },
    async sessions(worlds, { most, after } = { most: -1 }) {
      const rows = database
        .prepare(
          `SELECT * FROM sessions
           WHERE (?1 IS NULL OR world IN (SELECT value FROM json_each(?1)))
             AND (?2 IS NULL OR (used, id) < (?2, ?3))
           ORDER BY used DESC, id DESC LIMIT ?4`,
        )
        .all(worlds ? JSON.stringify(worlds) : null, after?.used ?? null, after?.id ?? null, most)
      return rows.map((row) => rowOf(row as Row))
    },
    remove,
    async removeUnused(before) {
      write(() => {
        statement.spent.run(twoDaysAgo(Date.now()))
        statement.unbelieved.run(before)
      })
      const rows = database.prepare('SELECT id FROM sessions WHERE used < ?').all(before)
      for (const row of rows) await remove(String(row['id']))
      return rows.length
    },
    async ping() {
      database.prepare('SELECT 1').get()
    },
    async close() {
      database.close()
      sqlite.close()
    },
  }
}

/** A store that lives as long as the process. */
export const memoryGatewayStore = (): GatewayStore => sqliteGatewayStore({ folder: ':memory:' })

/** The store of the logs has asked for SQLite before, and kept its warning from the user. */
function openDatabase(file: string): DatabaseSync {
  const { DatabaseSync: Database } = process.getBuiltinModule('node:sqlite')
  const database = new Database(file, { timeout: 5_000 })
  // A killed process loses nothing; after a power cut the newest marks may be gone, and a session is
  // found by older ones.
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON;')
  try {
    prepare(database, file)
    return database
  } catch (error) {
    database.close()
    throw error
  }
}

/** @throws StoreVersionError where a newer version has made of it what this one cannot use. */
function prepare(database: DatabaseSync, file: string): void {
  const version = Number(database.prepare('PRAGMA user_version').get()?.['user_version'])
  if (version > lowestVersion) {
    throw new StoreVersionError({ file, version, supported: lowestVersion })
  }
  database.exec(schema)
  if (version < lowestVersion) database.exec(`PRAGMA user_version = ${lowestVersion}`)
}
