import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { full } from '../testing/generate/runs.ts'
import { jsonLinesStore } from './json-lines/json-lines-store.ts'
import { memoryStore } from './memory.ts'
import { scratchFolder } from './sqlite/testing/scratch.ts'
import { sqliteStore } from './sqlite/sqlite-store.ts'
import {
  storeDamageConformance,
  type StoredBytes,
} from '../testing/conformance/store-conformance/damage.ts'
import type { Store } from '../session/store.ts'

/** The bytes of a store in a folder. */
function inFolder(open: (folder: string) => Store): StoredBytes {
  const folder = scratchFolder()
  return {
    open: () => open(folder),
    close: (store) => (store as Partial<Disposable>)[Symbol.dispose]?.(),
    read: () =>
      new Map(
        readdirSync(folder, { recursive: true, withFileTypes: true })
          .filter((each) => each.isFile())
          .map((each) => join(each.parentPath, each.name))
          .map((path) => [path, readFileSync(path)]),
      ),
    write(all) {
      rmSync(folder, { recursive: true })
      mkdirSync(folder)
      for (const [path, bytes] of all) writeFileSync(path, bytes)
    },
  }
}

const stores: [string, (folder: string) => Store][] = [
  ['SQLite', (folder) => sqliteStore({ file: join(folder, 'a.db') })],
  ['JSON lines', (folder) => jsonLinesStore({ directory: folder })],
]

// A failure names its seed's place here; each full run takes others.
const seeds = full ? Array.from({ length: 20 }, () => Date.now() + Math.random() * 1e6) : [1]

describe.each(stores)('%s', (_, open) => {
  describe.each(seeds)('seed %i', (seed) => {
    test.each(storeDamageConformance)('$name', async ({ run }) => {
      await expect(run(() => inFolder(open), Math.trunc(seed))).resolves.toBeUndefined()
    })
  })
})

/** A store of one JSON text, which notices only what is no JSON. */
function trusting(): StoredBytes {
  let bytes: ReadonlyMap<string, Uint8Array> = new Map()
  return {
    async open() {
      const store = memoryStore()
      const kept = bytes.get('all')
      if (!kept) return store
      for (const [id, drafts] of JSON.parse(new TextDecoder().decode(kept))) {
        await store.append(id, drafts)
      }
      return store
    },
    async close(store) {
      if (bytes.size > 0) return
      const all: unknown[] = []
      for (const { id } of await store.sessions()) all.push([id, await store.read(id)])
      bytes = new Map([['all', new TextEncoder().encode(JSON.stringify(all))]])
    },
    read: () => bytes,
    write: (given) => void (bytes = given),
  }
}

test.each(storeDamageConformance)('a store that trusts its bytes fails: $name', async ({ run }) => {
  await expect(run(trusting)).rejects.toThrow()
})
