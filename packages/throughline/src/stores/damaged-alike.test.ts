import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { draft } from '../testing/conformance/store-drafts.ts'
import { jsonLinesStore } from './json-lines/json-lines-store.ts'
import { runs } from '../testing/generate/runs.ts'
import { scratchFolder } from './sqlite/testing/scratch.ts'
import { sqliteStore } from './sqlite/sqlite-store.ts'
import { ThroughlineError } from '../log/throughline-error.ts'
import type { Entry } from '../log/entry.ts'
import type { Store } from '../session/store.ts'

type Opened = Store & Disposable

/** Both stores that keep their entries in files. */
const stores: [string, (folder: string) => Opened][] = [
  ['SQLite', (folder) => sqliteStore({ file: join(folder, 'a.db') })],
  [
    'JSON lines',
    (folder) => Object.assign(jsonLinesStore({ directory: folder }), { [Symbol.dispose]() {} }),
  ],
]

const names = ['s0', 's1', 's2']
const markOf = (n: number): string => `mark${String(n).padStart(4, '0')}`
const count = 60

interface Kept {
  folder: string
  files: { path: string; bytes: Buffer }[]
  stored: Map<string, readonly Entry[]>
}

async function kept(open: (folder: string) => Opened): Promise<Kept> {
  const folder = scratchFolder()
  const stored = new Map<string, readonly Entry[]>()
  {
    using store = open(folder)
    for (let n = 0; n < count; n++) {
      await store.append(names[n % 3] ?? '', [draft(`${markOf(n)} ${'lorem '.repeat(20)}`)])
    }
    for (const name of names) stored.set(name, await store.read(name))
  }
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile())
    .map((path) => ({ path, bytes: readFileSync(path) }))
  return { folder, files, stored }
}

/** Every session, or what it said of it; anything that is neither fails. */
async function readAll(
  open: (folder: string) => Opened,
  { folder, stored }: Kept,
): Promise<number> {
  let refused = 0
  for (const name of names) {
    try {
      using store = open(folder)
      const read = await store.read(name)
      // Entries may be missing at the end: then nobody can tell that they were there.
      expect(read).toEqual(stored.get(name)?.slice(0, read.length))
    } catch (error) {
      if (!ThroughlineError.isInstance(error)) throw error
      expect(error).toMatchObject({
        code: expect.stringMatching(/^(?:STORE_FAILED|NOT_A_STORE|STORE_VERSION)$/),
      })
      refused += 1
    }
  }
  return refused
}

/** What may happen to the bytes of files: blocks of any size change places, come twice, go or rot. */
type Fault = (bytes: Buffer, at: number, from: number, size: number) => Buffer

const faults: Record<string, Fault> = {
  'blocks that changed places': (bytes, at, from, size) => {
    const changed = Buffer.from(bytes)
    bytes.copy(changed, at, from, from + size)
    bytes.copy(changed, from, at, at + size)
    return changed
  },
  'a block in the place of another': (bytes, at, from, size) => {
    const changed = Buffer.from(bytes)
    bytes.copy(changed, at, from, from + size)
    return changed
  },
  'a block that came twice': (bytes, at, _, size) =>
    Buffer.concat([bytes.subarray(0, at + size), bytes.subarray(at)]),
  'a block that went': (bytes, at, _, size) =>
    Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + size)]),
  zeros: (bytes, at, _, size) => Buffer.from(bytes).fill(0, at, Math.min(at + size, bytes.length)),
  'a wrong bit': (bytes, at, from) => {
    const changed = Buffer.from(bytes)
    changed[at] = (changed[at] ?? 0) ^ (1 << (from % 8))
    return changed
  },
  'an end that was torn off': (bytes, at) => bytes.subarray(0, at),
}

describe.each(stores)('%s', (_, open) => {
  test.each(Object.entries(faults))(
    'says so, or gives what was stored: %s',
    async (_fault, fault) => {
      const all = await kept(open)
      const size = all.files.reduce((sum, { bytes }) => sum + bytes.length, 0)
      await fc.assert(
        fc.asyncProperty(
          fc.nat(size - 1),
          fc.nat(1_000_000),
          fc.constantFrom(40, 512, 4_096),
          async (place, from, block) => {
            let at = place
            for (const { path, bytes } of all.files) {
              const isHere = at >= 0 && at < bytes.length
              const whole = Math.max(
                0,
                Math.min(bytes.length - block, Math.floor(at / block) * block),
              )
              const other = Math.floor((from % bytes.length) / block) * block
              writeFileSync(path, isHere ? fault(bytes, whole, other, block) : bytes)
              at -= bytes.length
            }
            for (const end of ['-wal', '-shm'])
              rmSync(join(all.folder, `a.db${end}`), { force: true })
            await readAll(open, all)
          },
        ),
        runs(25),
      )
    },
  )

  it('says so wherever the words of two entries changed places, or stand twice', async () => {
    const all = await kept(open)
    for (let n = 0; n + 4 < count; n += 5) {
      for (const [one, other] of [
        [n, n + 3],
        [n, n + 1],
      ] as const) {
        for (const isSwap of [true, false]) {
          for (const { path, bytes } of all.files) {
            const changed = Buffer.from(bytes)
            for (const [from, to] of [
              [one, other],
              ...(isSwap ? [[other, one] as const] : []),
            ] as const) {
              for (
                let at = bytes.indexOf(markOf(from));
                at >= 0;
                at = bytes.indexOf(markOf(from), at + 1)
              ) {
                changed.write(markOf(to), at)
              }
            }
            writeFileSync(path, changed)
          }
          expect(await readAll(open, all)).toBeGreaterThan(0)
        }
      }
    }
  })
})
