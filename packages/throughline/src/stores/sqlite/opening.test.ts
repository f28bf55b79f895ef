import {
  copyFileSync,
  existsSync,
  mkdirSync,
  realpathSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { describe, expect, it } from 'vitest'
import { draft } from '../../testing/conformance/store-drafts.ts'
import { connect } from './connection/connection.ts'
import { ReadingConnection } from './connection/reading-connection.ts'
import { NotAStoreError, StoreFailedError, StoreVersionError } from './errors.ts'
import { nodeSqlite } from './connection/node-sqlite.ts'
import { sqliteStore } from './sqlite-store.ts'
import { folderDigest } from './testing/folder-digest.ts'
import { scratchFolder } from './testing/scratch.ts'

const { DatabaseSync } = nodeSqlite()
const root = scratchFolder()
let folders = 0

function newFolder(): string {
  const folder = join(root, `${folders++}`)
  mkdirSync(folder)
  return folder
}

async function useStore(file: string): Promise<void> {
  using store = sqliteStore({ file })
  const { length } = await store.read('a')
  await store.append('a', [draft('hello')])
  expect(await store.read('a')).toHaveLength(length + 1)
}

/** Leaves a database as a killed process would: its newest pages are in the log alone. */
function killedAt(folder: string, name: string, sql: string): string {
  const [alive, killed] = [join(newFolder(), 'alive.db'), join(folder, name)]
  const database = new DatabaseSync(alive)
  database.exec(`PRAGMA journal_mode = WAL; CREATE TABLE others (x); ${sql}`)
  for (const end of ['', '-wal']) copyFileSync(`${alive}${end}`, `${killed}${end}`)
  database.close()
  return killed
}

/** Opening fails with an error of the type, and nothing in the folder is another than before. */
function leavesAlone(file: string, type: new (...given: never[]) => Error): void {
  const before = folderDigest(dirname(file))
  expect(() => sqliteStore({ file })).toThrow(type)
  expect(folderDigest(dirname(file))).toEqual(before)
}

describe('opening a store', () => {
  it.each([
    'plain.db',
    'with spaces and  more.db',
    'a?mode=ro#fragment.db',
    '100%41%zz.db',
    'ünï-漢字-🎉.db',
    'file:a.db',
    'it\'s "quoted".db',
    '-dash',
    '.hidden',
    'no-wal-wal',
    'missing/folders/in between/a.db',
  ])('makes the file %s, and finds it again', async (name) => {
    const file = join(newFolder(), name)
    await useStore(file)
    await useStore(file)
    expect(statSync(file).size).toBeGreaterThan(0)
    expect(existsSync(`${file}-wal`)).toBe(false)
  })

  it('takes a relative path that looks like a URL for a path', async () => {
    const file = join(newFolder(), 'file:b.db')
    await useStore(relative(process.cwd(), file))
    expect(statSync(file).size).toBeGreaterThan(0)
  })

  it('makes files that are for their owner alone', async () => {
    const file = join(newFolder(), 'mine', 'a.db')
    using store = sqliteStore({ file })
    await store.append('a', [draft('hello')])
    for (const end of ['', '-wal', '-shm']) expect(statSync(`${file}${end}`).mode & 0o77).toBe(0)
    expect(statSync(dirname(file)).mode & 0o77).toBe(0)
  })

  it.skipIf(process.platform !== 'linux')('ends where no folder can be made', () => {
    expect(() => sqliteStore({ file: '/proc/nowhere/below/a.db' })).toThrow(StoreFailedError)
  })

  it('makes a store of an empty file', async () => {
    const file = join(newFolder(), 'empty.db')
    writeFileSync(file, '')
    await useStore(file)
  })

  it('makes a store of version 2', async () => {
    const file = join(newFolder(), 'first.db')
    await useStore(file)
    const database = new DatabaseSync(file)
    expect(database.prepare('PRAGMA user_version').get()).toEqual({ user_version: 2 })
    database.close()
  })

  it('makes a store of a database with nothing in it', async () => {
    const file = join(newFolder(), 'nothing.db')
    new DatabaseSync(file).exec('CREATE TABLE a (b); DROP TABLE a')
    await useStore(file)
  })

  it('keeps a store in memory apart from every other', async () => {
    using one = sqliteStore({ file: ':memory:' })
    using other = sqliteStore({ file: ':memory:' })
    await one.append('a', [draft('hello')])
    expect(await other.sessions()).toEqual([])
    await one.remove('a')
    expect(await one.sessions()).toEqual([])
    expect(existsSync(':memory:')).toBe(false)
  })

  it('follows symbolic links, so that everyone uses the same log', async () => {
    const folder = newFolder()
    const [real, link, dangling] = ['real/a.db', 'link.db', 'dangling.db'].map((name) =>
      join(folder, name),
    ) as [string, string, string]
    mkdirSync(dirname(real))
    symlinkSync(real, link)
    symlinkSync(join(folder, 'real/b.db'), dangling)
    using byLink = sqliteStore({ file: link })
    using byPath = sqliteStore({ file: real })
    await byLink.append('a', [draft('1')])
    await byPath.append('a', [draft('2')])
    expect(await byLink.read('a')).toHaveLength(2)
    expect(existsSync(`${realpathSync(link)}-wal`)).toBe(true)
    expect(existsSync(`${link}-wal`)).toBe(false)
    await useStore(dangling)
    expect(statSync(join(folder, 'real/b.db')).size).toBeGreaterThan(0)
  })

  it.each([
    ['a directory', (folder: string) => folder],
    ['no name', () => ''],
    ['a name with NUL', (folder: string) => join(folder, 'a\0b')],
    ['a file in a file', (folder: string) => join(folder, 'file', 'a.db')],
    ['a name that is too long', (folder: string) => join(folder, 'a'.repeat(300))],
    ['a device', () => '/dev/null'],
    ['a link to itself', (folder: string) => join(folder, 'circle')],
  ])('says that %s cannot be opened', (_, fileIn) => {
    const folder = newFolder()
    writeFileSync(join(folder, 'file'), '')
    symlinkSync(join(folder, 'circle'), join(folder, 'circle'))
    const file = fileIn(folder)
    expect(() => sqliteStore({ file })).toThrow(StoreFailedError)
    expect(() => sqliteStore({ file })).toThrow(/the store cannot be opened/)
  })
})

describe('a file that is no store of ours', () => {
  it.each([
    ['a text', 'These are notes, and no database.\n'.repeat(100)],
    ['a short text', 'no'],
    ['a single byte', 'x'],
    ['a line', `${'x'.repeat(510)}\n`],
    ['zeros', '\0'.repeat(8_192)],
    ['the first words of a database', 'SQLite format 3\0'],
  ])('is left as it is: %s', (_, content) => {
    const file = join(newFolder(), 'file')
    writeFileSync(file, content)
    leavesAlone(file, NotAStoreError)
  })

  it.each([
    ['with tables', 'CREATE TABLE a (b)'],
    ['with a number of its own', 'PRAGMA application_id = 7'],
    ['with a version', 'PRAGMA user_version = 3'],
    ['with a log', 'PRAGMA journal_mode = WAL; CREATE TABLE a (b)'],
  ])('is left as it is: a database of another program, %s', (_, sql) => {
    const file = join(newFolder(), 'other.db')
    const database = new DatabaseSync(file)
    database.exec(sql)
    database.close()
    leavesAlone(file, NotAStoreError)
  })

  it('is left as it is: a database whose program was killed', () => {
    const folder = newFolder()
    leavesAlone(killedAt(folder, 'a.db', 'PRAGMA application_id = 7'), NotAStoreError)
    leavesAlone(killedAt(folder, 'b.db', ''), NotAStoreError)
  })

  it('is left as it is: a store of a newer Throughline', async () => {
    const file = join(newFolder(), 'newer.db')
    await useStore(file)
    const database = new DatabaseSync(file)
    database.exec('PRAGMA user_version = 99')
    database.close()
    leavesAlone(file, StoreVersionError)
    expect(() => sqliteStore({ file })).toThrow(/version 99.*Update Throughline/)
  })

  it('is left as it is: a store from before the first release', async () => {
    const file = join(newFolder(), 'older.db')
    await useStore(file)
    const database = new DatabaseSync(file)
    database.exec('PRAGMA user_version = 1')
    database.close()
    leavesAlone(file, StoreVersionError)
    expect(() => sqliteStore({ file })).toThrow(
      /from before the first release.*version 1, this Throughline reads 2.*Move the file away/,
    )
  })

  it('is left as it is: a store of a newer Throughline, where it may only be read', async () => {
    const file = join(newFolder(), 'newer.db')
    await useStore(file)
    const database = new DatabaseSync(file)
    database.exec('PRAGMA user_version = 3')
    database.close()
    expect(() => new ReadingConnection(file, 100)).toThrow(StoreVersionError)
  })

  it('is left as it is: a store of a newer Throughline that was killed', () => {
    const mark = `PRAGMA application_id = ${0x54686c6e}; PRAGMA user_version = 99`
    leavesAlone(killedAt(newFolder(), 'newer.db', mark), StoreVersionError)
  })

  it('is written no more once a newer Throughline has changed it', async () => {
    const file = join(newFolder(), 'changed.db')
    using store = sqliteStore({ file })
    await store.append('a', [draft('1')])
    const newer = new DatabaseSync(file)
    newer.exec('PRAGMA user_version = 99')
    newer.close()
    await expect(store.append('a', [draft('2')])).rejects.toThrow(StoreVersionError)
    expect(await store.read('a')).toHaveLength(1)
  })
})

describe('the settings of a store', () => {
  it('are in force', async () => {
    for (const synchronous of ['normal', 'full'] as const) {
      const path = join(newFolder(), 'a.db')
      const connection = connect(path, { synchronous, busyTimeout: 1_234 })
      const set = await connection.read((statements) =>
        [
          'synchronous',
          'journal_mode',
          'busy_timeout',
          'secure_delete',
          'temp_store',
          'auto_vacuum',
        ].map((name) => Object.values(statements.get(`PRAGMA ${name}`) ?? {})[0]),
      )
      connection.close()
      expect(set).toEqual([synchronous === 'full' ? 2 : 1, 'wal', 0, 1, 2, 2])
    }
  })
})
