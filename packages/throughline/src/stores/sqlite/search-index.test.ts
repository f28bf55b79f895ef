import { DatabaseSync } from 'node:sqlite'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { draft } from '../../testing/conformance/store-drafts.ts'
import { scratchFolder } from './testing/scratch.ts'
import { sqliteStore, type SqliteStore } from './sqlite-store.ts'
import type { Seq } from '../../log/entry.ts'

/** A store with a session that takes several batches to index. */
async function longSession(): Promise<SqliteStore> {
  const store = sqliteStore({ file: ':memory:' })
  for (let seq = 1; seq <= 4; seq++) await store.append('a', [draft('word '.repeat(400_000))])
  return store
}

async function find(store: SqliteStore, word: string): Promise<Seq[]> {
  return store.search('a', { phrases: [[word]], match: 'all', limit: 9 })
}

describe('while a long session is indexed', () => {
  test('others go on with their work', async () => {
    using store = await longSession()
    const done: string[] = []
    const searching = find(store, 'word').then((seqs) => {
      done.push('search')
      return seqs
    })
    await setImmediate()
    done.push('work')
    expect((await searching).toSorted()).toEqual([1, 2, 3, 4])
    expect(done).toEqual(['work', 'search'])
  })

  test('what is appended is found', async () => {
    using store = await longSession()
    const searching = find(store, 'apple')
    await store.append('a', [draft('an apple')])
    expect(await searching).toEqual([5])
  })

  test('it can be removed', async () => {
    using store = await longSession()
    const searching = find(store, 'word')
    await store.remove('a')
    expect(await searching).toEqual([])
  })

  test('two may search, and both find', async () => {
    using store = await longSession()
    const found = await Promise.all([find(store, 'word'), find(store, 'word')])
    expect(found.map((seqs) => seqs.length)).toEqual([4, 4])
  })

  test('the store can be closed: the search says so', async () => {
    const store = await longSession()
    const searching = find(store, 'word')
    store.close()
    await expect(searching).rejects.toMatchObject({ code: 'STORE_FAILED', failure: 'closed' })
  })
})

test('a name of a tool with a NUL hides no words', async () => {
  using store = sqliteStore({ file: ':memory:' })
  const call = {
    type: 'tool-call',
    toolCallId: 'c',
    toolName: 'read\0file',
    input: 'apple',
  } as const
  await store.append('a', [
    { kind: 'message', at: 0, origin: 'model', message: { role: 'assistant', content: [call] } },
  ])
  expect(await find(store, 'file')).toEqual([1])
  expect(await find(store, 'apple')).toEqual([1])
})

describe('an index of which one byte is wrong', () => {
  const store = async (file: string): Promise<void> => {
    using made = sqliteStore({ file })
    for (let seq = 1; seq <= 300; seq++) await made.append('a', [draft(`word${seq}x needle`)])
    await find(made, 'needle')
  }
  const wrongByte = (file: string, table: string, at: number): void => {
    const database = new DatabaseSync(file)
    const field = table === 'data' ? 'block' : 'sz'
    const rows = database
      .prepare(`SELECT id, ${field} AS bytes FROM search_1_${table} ORDER BY length(${field}) DESC`)
      .all()
    const { id = null, bytes } = rows[at % rows.length] ?? {}
    const changed = new Uint8Array(bytes as unknown as Uint8Array)
    const place = Math.floor(changed.length * 0.7)
    changed[place] = (changed[place] ?? 0) ^ 1
    database.prepare(`UPDATE search_1_${table} SET ${field} = ? WHERE id = ?`).run(changed, id)
    database.close()
  }

  test.each([
    ['data', 0],
    ['docsize', 7],
  ])('is made anew, and finds all: %s', async (table, at) => {
    const file = join(scratchFolder(), 'a.db')
    await store(file)
    wrongByte(file, table, at)
    using again = sqliteStore({ file })
    const all = await Promise.all(
      Array.from({ length: 300 }, (_, index) => find(again, `word${index + 1}x`)),
    )
    expect(all.filter((seqs, index) => !seqs.includes(index + 1))).toEqual([])
    using third = sqliteStore({ file })
    expect(await find(third, 'word299x')).toEqual([299])
  })

  test('is made anew where it says that it goes further than it does', async () => {
    const file = join(scratchFolder(), 'a.db')
    await store(file)
    {
      using more = sqliteStore({ file })
      await more.append('a', [draft('an apple')])
    }
    const database = new DatabaseSync(file)
    database.exec('UPDATE searches SET searched = 100000')
    database.close()
    using again = sqliteStore({ file })
    expect(await find(again, 'apple')).toEqual([301])
  })
})
