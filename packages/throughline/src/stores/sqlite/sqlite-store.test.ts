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
})
