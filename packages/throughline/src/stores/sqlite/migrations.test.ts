import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { awkwardDrafts, draft } from '../../testing/store-drafts.ts'
import { nodeSqlite } from './node-sqlite.ts'
import { sqliteStore } from './sqlite-store.ts'
import { currentVersion } from './store-version.ts'
import { writeOlderStore, type Sessions } from './testing/older-store.ts'
import { scratchFolder } from './testing/scratch.ts'

const root = scratchFolder()
const { DatabaseSync } = nodeSqlite()

const sessions: Sessions = {
  first: [draft('an indexed pear', 10), draft('an apple', 11)],
  'odd \ud800 "name"\0': awkwardDrafts().map(({ draft }) => draft),
  long: Array.from({ length: 700 }, (_, n) => draft(`entry ${n} ${'words '.repeat(n)}`, n)),
}

function query(file: string, sql: string): unknown[] {
  const database = new DatabaseSync(file)
  try {
    return database
      .prepare(sql)
      .all()
      .map((row) => Object.values(row)[0])
  } finally {
    database.close()
  }
}

describe.each([1, 2, 3] as const)('a store of version %i', (version) => {
  const file = join(root, `${version}.db`)
  writeOlderStore(file, version, sessions)

  it('comes out complete, in its order', async () => {
    using store = sqliteStore({ file })
    for (const [name, drafts] of Object.entries(sessions)) {
      expect(await store.read(name)).toEqual(drafts.map((each, n) => ({ ...each, seq: n + 1 })))
    }
    expect(await store.sessions()).toEqual([
      { id: 'long', newest: 700, at: 699 },
      { id: 'odd \ud800 "name"\0', newest: awkwardDrafts().length, at: 8 },
      { id: 'first', newest: 2, at: 11 },
    ])
  })

  it('is searched and written like a new one', async () => {
    using store = sqliteStore({ file })
    const find = (word: string) =>
      store.search('first', { phrases: [[word]], match: 'all', limit: 9 })
    expect(await find('apple')).toEqual([2])
    expect(await find('indexed')).toEqual([1])
    const [entry] = await store.append('first', [draft('a plum')], { newest: 2 })
    expect(entry?.seq).toBe(3)
    expect(await find('plum')).toEqual([3])
    await store.remove('long')
    expect((await store.sessions()).map(({ id }) => id)).toEqual(['first', 'odd \ud800 "name"\0'])
  })

  it('has the tables and the version of a new one', async () => {
    const [created, schema] = [join(root, `new-${version}.db`), 'SELECT sql FROM sqlite_schema']
    using store = sqliteStore({ file: created })
    await store.append('a', [draft('1')])
    const shape = (path: string): unknown[] => {
      const made = query(path, `${schema} WHERE name NOT LIKE 'search%' AND sql IS NOT NULL`)
      return [
        ...new Set(
          made.map((sql) =>
            String(sql)
              .replaceAll(/\d+|"|\s+/g, ' ')
              .trim(),
          ),
        ),
      ].sort()
    }
    expect(shape(file).map((sql) => String(sql).replace('placed', 'sessions'))).toEqual(
      shape(created),
    )
    expect(query(file, 'PRAGMA user_version')).toEqual([currentVersion])
    expect(query(file, 'PRAGMA integrity_check')).toEqual(['ok'])
  })
})

it('a store whose upgrade fails stays what it was', () => {
  const file = join(root, 'failing.db')
  writeOlderStore(file, 1, { a: [draft('1')] })
  const database = new DatabaseSync(file)
  database.exec('CREATE TABLE placed (mine)')
  database.close()
  const before = query(file, 'SELECT sql FROM sqlite_schema')
  expect(() => sqliteStore({ file })).toThrow(/placed already exists/)
  expect(query(file, 'SELECT sql FROM sqlite_schema')).toEqual(before)
  expect(query(file, 'PRAGMA user_version')).toEqual([1])
})
