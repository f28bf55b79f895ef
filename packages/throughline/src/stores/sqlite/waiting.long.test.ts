import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { redactText } from '../../log/redaction/redaction.ts'
import { rewritingOf } from '../../session/operations/redaction.ts'
import { draft } from '../../testing/conformance/store-drafts.ts'
import { nodeSqlite } from './connection/node-sqlite.ts'
import { sqliteStore, type SqliteStore } from './sqlite-store.ts'
import { scratchFolder } from './testing/scratch.ts'

const root = scratchFolder()
// Milliseconds, of a busy machine: whoever waits here is let on, or told to stop.
const busyTimeout = 300_000
const many = Array.from({ length: 4_000 }, (_, n) =>
  draft(`${n} hunter2hunter2 ${'word '.repeat(400)}`),
)

/** Somebody else who writes, until told to stop. */
function writerOf(file: string): { stop: () => void } {
  const database = new (nodeSqlite().DatabaseSync)(file)
  database.exec('BEGIN IMMEDIATE')
  return {
    stop: () => {
      database.exec('COMMIT')
      database.close()
    },
  }
}

/** How often the event loop turns while work goes on. */
async function turnsDuring(work: Promise<unknown>): Promise<number> {
  let turns = 0
  let isDone = false
  const turn = (): void => {
    turns += 1
    if (!isDone) setImmediate(turn)
  }
  setImmediate(turn)
  await work.finally(() => (isDone = true))
  return turns
}

const writes: Record<string, (store: SqliteStore, signal?: AbortSignal) => Promise<unknown>> = {
  append: (store, signal) => store.append('a', [draft('2')], undefined, { signal }),
  redact: (store, signal) =>
    store.redact('a', rewritingOf(redactText('hunter2hunter2'), 0), { signal }),
  search: (store, signal) =>
    store.search('a', { phrases: [['one']], match: 'all', limit: 1 }, { signal }),
}

describe.each(Object.entries(writes))('while somebody else writes, %s', (name, write) => {
  it('waits without stopping its process, and is done then', async () => {
    using store = sqliteStore({ file: join(root, `${name}.db`), busyTimeout })
    await store.append('a', [draft('one hunter2hunter2')])
    const other = writerOf(store.file)
    const written = write(store)
    let others = 0
    for (; others < 5; others++) await new Promise((resolve) => setTimeout(resolve, 3))
    other.stop()
    await written
    expect(others).toBe(5)
    expect((await store.read('a')).length).toBe(name === 'search' ? 1 : 2)
  })

  it('stops waiting when it is told to, and has written nothing', async () => {
    using store = sqliteStore({ file: join(root, `${name}-aborted.db`), busyTimeout })
    await store.append('a', [draft('one hunter2hunter2')])
    const before = await store.read('a')
    const other = writerOf(store.file)
    const controller = new AbortController()
    const written = write(store, controller.signal)
    setTimeout(() => controller.abort(new Error('enough')), 5)
    await expect(written).rejects.toThrow(/enough|aborted/)
    other.stop()
    expect(await store.read('a')).toEqual(before)
  })

  it('says so when it has waited too long', async () => {
    using store = sqliteStore({ file: join(root, `${name}-busy.db`), busyTimeout: 20 })
    await store.append('a', [draft('one hunter2hunter2')])
    const other = writerOf(store.file)
    await expect(write(store)).rejects.toMatchObject({ code: 'STORE_FAILED', failure: 'busy' })
    other.stop()
  })
})

it('a store that somebody is just making is opened when it is made', async () => {
  const file = join(root, 'made.db')
  sqliteStore({ file }).close()
  const other = new (nodeSqlite().DatabaseSync)(file)
  other.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN IMMEDIATE; COMMIT; BEGIN EXCLUSIVE')
  using store = sqliteStore({ file, busyTimeout })
  const written = store.append('a', [draft('1')])
  await new Promise((resolve) => setTimeout(resolve, 10))
  other.close()
  await expect(written).resolves.toHaveLength(1)
})

it('long work lets its process do everything else', async () => {
  using store = sqliteStore({ file: join(root, 'long.db') })
  const works: Record<string, () => Promise<unknown>> = {
    append: () => store.append('a', many),
    read: () => store.read('a'),
    redact: () => store.redact('a', rewritingOf(redactText('hunter2hunter2'), 0)),
    remove: () => store.remove('a'),
  }
  for (const [name, work] of Object.entries(works)) {
    expect(await turnsDuring(work()), name).toBeGreaterThan(2)
  }
})

it.skipIf(!existsSync('/proc/self/io'))(
  'a commit of many entries, which nobody can interrupt, reads none of them again',
  () => {
    const program = join(import.meta.dirname, 'testing/append-much.ts')
    const argv = ['--no-warnings', program, join(root, 'commit.db')]
    const { stdout, stderr } = spawnSync(process.execPath, argv, { encoding: 'utf8' })
    expect(stderr).toBe('')
    expect(Number(stdout)).toBeLessThan(20_000)
  },
)
