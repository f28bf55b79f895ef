import { statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { draft } from '../../testing/conformance/store-drafts.ts'
import { connect } from './connection/connection.ts'
import type { Connection } from './connection/reading-connection.ts'
import { storeOver, type SqliteStore } from './sqlite-store.ts'
import { rawBytes, textsFound } from './testing/raw-bytes.ts'
import { scratchFolder } from './testing/scratch.ts'
import type { EntryDraft } from '../../log/entry.ts'

const root = scratchFolder()
const patience = 120_000
let files = 0

function opened(): { file: string; connection: Connection; store: SqliteStore } {
  const file = join(root, `${files++}.db`)
  const connection = connect(file, { synchronous: 'normal', busyTimeout: 5_000 })
  return { file, connection, store: storeOver(connection, file) }
}

/** The names of all tables and indexes: SQLite reads them whenever a file is opened. */
async function namesIn(connection: Connection): Promise<string[]> {
  const rows = await connection.read((all) => all.all('SELECT name FROM sqlite_schema'))
  return rows.map(({ name }) => String(name))
}

async function contentsOf(store: SqliteStore): Promise<Map<string, unknown>> {
  const contents = new Map<string, unknown>()
  for (const { id } of await store.sessions()) contents.set(id, await store.read(id))
  return contents
}

/** Entries of many sizes, so that some fill a page, and some need more than one. */
const someDrafts = (count: number): EntryDraft[] =>
  Array.from({ length: count }, (_, n) => draft(`${n} ${'word '.repeat((n * 37) % 1_200)}`))

it(
  'opening a file does not depend on how many sessions it has, or how many were searched',
  async () => {
    const { connection, store } = opened()
    for (let n = 0; n < 40; n++) await store.append(`s${n}`, [draft(`word${n}`)])
    const few = await namesIn(connection)
    for (let n = 40; n < 400; n++) await store.append(`s${n}`, [draft(`word${n}`)])
    expect(await namesIn(connection)).toEqual(few)

    const found = async (n: number): Promise<unknown> =>
      store.search(`s${n}`, { phrases: [[`word${n}`]], match: 'all', limit: 3 })
    for (let n = 0; n < 20; n++) expect(await found(n)).toEqual([1])
    const searched = await namesIn(connection)
    for (let n = 20; n < 40; n++) expect(await found(n)).toEqual([1])
    expect(await namesIn(connection)).toHaveLength(searched.length)
    // The first index was dropped to make room, and is made anew.
    expect(await found(0)).toEqual([1])
    store.close()
  },
  patience,
)

it(
  'a session that is longer than a segment is one session',
  async () => {
    const { connection, store } = opened()
    const count = 65_536 + 20
    await store.append('before', [draft('first')])
    await store.append(
      'a',
      Array.from({ length: count }, (_, n) => draft(`${n}`)),
    )
    await store.append('after', [draft('last')])
    expect((await namesIn(connection)).filter((name) => name.startsWith('segment_'))).toEqual([
      'segment_1',
      'segment_2',
    ])
    const read = await store.read('a', { after: 65_500 })
    expect(read.map(({ seq }) => seq)).toEqual(
      Array.from({ length: count - 65_500 }, (_, n) => 65_501 + n),
    )
    await store.remove('a')
    expect((await store.sessions()).map(({ id }) => id)).toEqual(['after', 'before'])
    expect(await store.read('before')).toMatchObject([{ message: { content: 'first' } }])
    expect(await store.read('after')).toMatchObject([{ message: { content: 'last' } }])
    store.close()
  },
  patience,
)

describe('what was removed', () => {
  it(
    'gives its room back to the disk, and all other sessions stay as they are',
    async () => {
      const { file, store } = opened()
      for (let round = 0; round < 12; round++) {
        for (const name of ['a', 'b', 'c', 'd']) await store.append(name, someDrafts(25))
      }
      const before = await contentsOf(store)
      await store.remove('nobody')
      const size = statSync(file).size
      for (const name of ['b', 'd', 'a']) {
        await store.remove(name)
        before.delete(name)
        expect(await contentsOf(store)).toEqual(before)
      }
      expect(statSync(file).size).toBeLessThan(size * 0.4)
      await store.append('b', [draft('anew')])
      expect(await store.read('b')).toMatchObject([{ seq: 1, message: { content: 'anew' } }])
      await store.remove('b')
      await store.remove('c')
      expect(statSync(file).size).toBeLessThan(100_000)
      store.close()
    },
    patience,
  )

  it(
    'gives its room back later if that was interrupted',
    async () => {
      const { file, connection, store } = opened()
      for (const name of ['a', 'b', 'a', 'b']) await store.append(name, someDrafts(120))
      const kept = await store.read('b')
      let writes = 0
      const dying: Connection = {
        file,
        isWritable: true,
        read: (work, signal) => connection.read(work, signal),
        look: (work) => connection.look(work),
        writeMuch: (work, signal) => connection.writeMuch(work, signal),
        leaveNoTrace: () => connection.leaveNoTrace(),
        evenIfFull: (work) => connection.evenIfFull(work),
        close: () => connection.close(),
        write: async (work, signal) => {
          if (writes++ === 2) throw new Error('killed')
          return connection.write(work, signal)
        },
      }
      await expect(storeOver(dying, file).remove('a')).rejects.toThrow('killed')
      const moved = await connection.read((all) => all.all('SELECT DISTINCT segment FROM places'))
      expect(moved).toHaveLength(2)
      expect(await store.read('b')).toEqual(kept)
      await store.append('c', someDrafts(3))
      const size = statSync(file).size
      await store.remove('nobody')
      expect(statSync(file).size).toBeLessThan(size * 0.7)
      expect(await store.read('b')).toEqual(kept)
      expect(await store.read('c')).toHaveLength(3)
      expect(await connection.read((all) => all.get('PRAGMA integrity_check'))).toEqual({
        integrity_check: 'ok',
      })
      store.close()
    },
    patience,
  )
})

it('a redaction that makes entries longer leaves nothing of them, keeps their order, and all others', async () => {
  const { file, connection, store } = opened()
  const secret = (n: number): string => `Zq${n}xK9wLmP${n}vB4`
  await store.append(
    'a',
    someDrafts(60).map((each, n) =>
      draft(`${secret(n + 1)} ${JSON.stringify(each)} ${secret(n + 1)}`),
    ),
  )
  await store.append('b', someDrafts(10))
  const before = await store.read('a')
  const longer = (seq: number): EntryDraft => draft(`${seq} ${'much longer '.repeat(seq * 40)}`)
  await store.redact('a', {
    change: ({ seq }) => (seq % 7 === 0 ? { ...longer(seq), seq } : undefined),
    note: (seqs) => draft(`changed ${seqs.join()}`),
  })
  const left = Array.from({ length: 60 }, (_, n) => n + 1).filter(
    (n) => textsFound(rawBytes(file), [secret(n)]).length > 0,
  )
  expect(left).toEqual(Array.from({ length: 60 }, (_, n) => n + 1).filter((n) => n % 7 !== 0))
  const after = await store.read('a')
  const expected = before.map((entry) =>
    entry.seq % 7 === 0 ? { ...longer(entry.seq), seq: entry.seq } : entry,
  )
  expect(after.slice(0, 60)).toEqual(expected)
  expect(after[60]).toMatchObject({ message: { content: 'changed 7,14,21,28,35,42,49,56' } })
  expect(await store.read('b')).toHaveLength(10)
  const at = await connection.read((all) =>
    all.all('SELECT place FROM places WHERE session = 1 AND seq % 7 = 0 ORDER BY seq'),
  )
  expect(at.every(({ place }) => Number(place) > 70)).toBe(true)
  store.close()
})
