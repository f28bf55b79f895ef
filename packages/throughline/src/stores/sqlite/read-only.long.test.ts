import { execFileSync } from 'node:child_process'
import { chmodSync, copyFileSync, existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { draft } from '../../testing/conformance/store-drafts.ts'
import { ReadingConnection } from './connection/reading-connection.ts'
import { sqliteStore, storeOver } from './sqlite-store.ts'
import { folderDigest } from './testing/folder-digest.ts'
import { scratchFolder } from './testing/scratch.ts'

const root = scratchFolder()
const locked: string[] = []
let folders = 0

afterEach(() => {
  for (const path of locked.splice(0)) if (existsSync(path)) chmodSync(path, 0o700)
})

/** Changes who may do what, until the end of the test. */
function lock(path: string, mode: number): void {
  chmodSync(path, mode)
  locked.push(path)
}

function newFolder(): string {
  chmodSync(root, 0o755)
  const folder = join(root, `${folders++}`)
  mkdirSync(folder)
  return folder
}

async function fill(file: string): Promise<void> {
  using store = sqliteStore({ file })
  await store.append('a', [draft('an apple'), draft('a pear')])
  await store.append('b', [draft('another pear')])
}

/** A store whose process was killed: its newest entries are in the log alone. */
async function fillAndKill(file: string): Promise<void> {
  const alive = join(newFolder(), 'alive.db')
  using store = sqliteStore({ file: alive })
  await store.append('a', [draft('an apple'), draft('a pear')])
  await store.append('b', [draft('another pear')])
  for (const end of ['', '-wal', '-shm']) copyFileSync(`${alive}${end}`, `${file}${end}`)
}

function workOn(file: string): unknown {
  const script = join(import.meta.dirname, 'testing/work-read-only.ts')
  const told = execFileSync(process.execPath, [script, file], { encoding: 'utf8' })
  return JSON.parse(told)
}

const asExpected = {
  entries: 2,
  sessions: ['b', 'a'],
  found: [2],
  append: 'read-only',
  redact: 'read-only',
  remove: 'read-only',
  closed: 'closed',
}

describe('a store that may only be read', () => {
  it.each([
    ['its file may not be written', 0o444, 0o777, fill],
    ['its folder may not be written', 0o666, 0o555, fill],
    ['neither may be written', 0o444, 0o555, fill],
    ['its file may not be written, and its log is there', 0o444, 0o777, fillAndKill],
    ['its folder may not be written, and its log is there', 0o666, 0o555, fillAndKill],
    ['neither may be written, and its log is there', 0o444, 0o555, fillAndKill],
  ])('is read, listed and searched, and stays as it is: %s', async (_, mode, folderMode, make) => {
    const file = join(newFolder(), 'a.db')
    await make(file)
    for (const end of ['', '-wal', '-shm']) {
      if (existsSync(`${file}${end}`)) lock(`${file}${end}`, mode)
    }
    lock(dirname(file), folderMode)
    const before = folderDigest(dirname(file))
    expect(workOn(file)).toEqual(asExpected)
    expect(folderDigest(dirname(file))).toEqual(before)
  })

  it.runIf(process.getuid?.() === 0)('says so where it cannot be reached at all', async () => {
    const file = join(newFolder(), 'a.db')
    await fill(file)
    lock(dirname(file), 0o700)
    expect(workOn(file)).toEqual({ opening: 'unreachable' })
  })

  it('of which nothing was written yet cannot be used', () => {
    const file = join(newFolder(), 'a.db')
    writeFileSync(file, '')
    expect(() => new ReadingConnection(file, 100)).toThrow(/is read-only/)
  })

  it('gives what others have written meanwhile', async () => {
    const file = join(newFolder(), 'a.db')
    await fill(file)
    using reading = storeOver(new ReadingConnection(file, 100), file)
    expect(await reading.read('a')).toHaveLength(2)
    const writing = sqliteStore({ file })
    await writing.append('a', [draft('3')])
    expect(await reading.read('a')).toHaveLength(3)
    await writing.append(
      'a',
      Array.from({ length: 900 }, () => draft('x'.repeat(6_000))),
    )
    expect(await reading.read('a')).toHaveLength(903)
    writing.close()
    expect(existsSync(`${file}-wal`)).toBe(false)
    expect(await reading.read('a')).toHaveLength(903)
  })

  it('is read again where it is changed while it is read', async () => {
    const file = join(newFolder(), 'a.db')
    await fill(file)
    const connection = new ReadingConnection(file, 100)
    let looks = 0
    const counts = await connection.read((statements) => {
      const count = statements.get('SELECT count(*) AS count FROM sessions')?.['count']
      looks += 1
      if (looks === 1) replaceWithOther(file)
      return [count, statements.get('SELECT count(*) AS count FROM sessions')?.['count']]
    })
    expect(looks).toBe(2)
    expect(counts).toEqual([1, 1])
  })
})

/** As another process would that writes, and empties the log. */
function replaceWithOther(file: string): void {
  const script = `
    import { sqliteStore } from ${JSON.stringify(join(import.meta.dirname, 'sqlite-store.ts'))}
    const store = sqliteStore({ file: ${JSON.stringify(file)} })
    await store.remove('a')
    store.close()`
  execFileSync(process.execPath, ['--input-type=module', '-e', script])
}
