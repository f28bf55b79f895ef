import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { storeConformance } from '../../testing/conformance/store-conformance.ts'
import { sqliteStore, type SqliteStore } from './sqlite-store.ts'

const folder = mkdtempSync(join(tmpdir(), 'throughline-store-'))
const opened: SqliteStore[] = []

function newStore(): SqliteStore {
  const store = sqliteStore({ file: join(folder, `${opened.length}.db`) })
  opened.push(store)
  return store
}

afterAll(() => opened.forEach((store) => store.close()))

describe('sqliteStore', () => {
  for (const { name, run } of storeConformance) {
    test(name, async () => {
      await expect(run(newStore)).resolves.toBeUndefined()
    })
  }

  test('returns what it stores, whatever becomes of a draft meanwhile', async () => {
    const store = newStore()
    const part = { type: 'text' as const, text: 'As it was.' }
    const message = { role: 'user' as const, content: [part] }
    const appended = store.append('a', [{ kind: 'message', at: 1, origin: 'human', message }])
    part.text = 'Changed.'
    const entries = await appended
    expect(entries).toEqual(await store.read('a'))
    expect(JSON.stringify(entries)).toContain('As it was.')
  })
})
