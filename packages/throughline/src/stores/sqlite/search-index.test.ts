import { setImmediate } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { draft } from '../../testing/conformance/store-drafts.ts'
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
