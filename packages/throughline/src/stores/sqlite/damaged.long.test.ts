import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { beforeAll, expect, it } from 'vitest'
import { redactText } from '../../log/redaction/redaction.ts'
import { ThroughlineError } from '../../log/throughline-error.ts'
import { rewritingOf } from '../../session/operations/redaction.ts'
import { full, runs } from '../../testing/generate/runs.ts'
import { draft } from '../../testing/conformance/store-drafts.ts'
import type { Entry } from '../../log/entry.ts'
import { StoreFailedError } from './errors.ts'
import { sqliteStore, type SqliteStore } from './sqlite-store.ts'
import { scratchFolder } from './testing/scratch.ts'

const page = 4_096
const root = scratchFolder()
const patience = full ? 300_000 : 30_000
const [whole, file] = [join(root, 'whole.db'), join(root, 'damaged.db')]
let bytes = Buffer.alloc(0)
const stored = new Map<string, Entry[]>()

beforeAll(async () => {
  using store = sqliteStore({ file: whole })
  for (let n = 0; n < 60; n++) {
    await store.append(`s${n % 3}`, [draft(`word${n} needle ${'lorem ipsum '.repeat(n * 9)}`)])
  }
  for (const name of ['s0', 's1', 's2']) stored.set(name, await store.read(name))
  await store.search('s1', { phrases: [['needle']], match: 'all', limit: 9 })
  store.close()
  bytes = readFileSync(whole)
})

type Damage =
  | { how: 'cut'; at: number }
  | { how: 'flip'; at: number; bit: number }
  | { how: 'fill'; at: number; byte: number }
  | { how: 'copy'; at: number; from: number }

/** `at` and `from` are shares of the file. */
const share = fc.nat(999_999).map((share) => share / 1_000_000)

const arbitraryDamage: fc.Arbitrary<Damage> = fc.oneof(
  fc.record({ how: fc.constant('cut' as const), at: share }),
  fc.record({ how: fc.constant('flip' as const), at: share, bit: fc.nat(7) }),
  fc.record({ how: fc.constant('fill' as const), at: share, byte: fc.constantFrom(0, 0xff) }),
  fc.record({ how: fc.constant('copy' as const), at: share, from: share }),
)

function damaged(original: Buffer, damage: Damage): Buffer {
  const at = Math.floor(damage.at * original.length)
  const start = Math.floor(at / page) * page
  const result = Buffer.from(original)
  switch (damage.how) {
    case 'cut':
      return result.subarray(0, at)
    case 'flip':
      if (at < result.length) result[at] = (result[at] ?? 0) ^ (1 << damage.bit)
      return result
    case 'fill':
      result.subarray(start, start + page).fill(damage.byte)
      return result
    case 'copy': {
      const from = Math.floor((damage.from * original.length) / page) * page
      original.copy(result, start, from, from + page)
      return result
    }
  }
}

function write(content: Buffer): void {
  for (const end of ['', '-wal', '-shm']) rmSync(`${file}${end}`, { force: true })
  writeFileSync(file, content)
}

/** Everything that can be asked of a store; says what came of each. */
async function useAll(store: SqliteStore): Promise<unknown[]> {
  const needle = { phrases: [['needle']], match: 'all', limit: 9 } as const
  const outcomes: unknown[] = []
  for (const ask of [
    () => store.sessions(),
    () => store.read('s0'),
    () => store.read('s1', { kinds: ['checkpoint'] }),
    () => store.search('s1', needle),
    () => store.search('s2', needle),
    () => store.append('s1', [draft('more')]),
    () => store.append('new', [draft('more')]),
    () => store.redact('s1', rewritingOf(redactText('needle'), 1)),
    () => store.remove('s0'),
  ]) {
    outcomes.push(await ask().catch((error: unknown) => error))
  }
  return outcomes
}

it(
  'a damaged store says so, or answers: no other error, no crash, no endless search',
  async () => {
    const said = { damaged: 0, all: 0 }
    await fc.assert(
      fc.asyncProperty(
        fc.array(arbitraryDamage, { minLength: 1, maxLength: 3 }),
        async (damages) => {
          write(damages.reduce(damaged, bytes))
          const outcomes: unknown[] = []
          try {
            using store = sqliteStore({ file })
            outcomes.push(...(await useAll(store)))
          } catch (error) {
            outcomes.push(error)
          }
          const errors = outcomes.filter((outcome) => outcome instanceof Error)
          for (const error of errors) {
            expect(error).toBeInstanceOf(ThroughlineError)
            expect((error as { failure?: string }).failure, String(error)).not.toBe('failed')
          }
          // What is read is what was stored, whatever came over the file.
          if (Array.isArray(outcomes[1])) expectStored('s0', outcomes[1] as Entry[])
          said.all += 1
          if (errors.some(isDamage)) said.damaged += 1
        },
      ),
      runs(40),
    )
    // Within a text SQLite cannot tell what it was.
    expect(said.damaged).toBeGreaterThan(said.all / 4)
  },
  patience,
)

/** Entries may be missing at the end: then nobody can tell that they were there. */
function expectStored(name: string, read: readonly Entry[]): void {
  expect(read).toEqual(stored.get(name)?.slice(0, read.length))
}

function isDamage(error: unknown): boolean {
  return error instanceof StoreFailedError && error.failure === 'damaged'
}

it('an entry whose text was damaged is not given as another', async () => {
  const content = Buffer.from(bytes)
  const at = content.indexOf('"kind":"message"')
  content.write('#', at)
  write(content)
  using store = sqliteStore({ file })
  const outcomes = await Promise.allSettled(['s0', 's1', 's2'].map((name) => store.read(name)))
  const [error] = outcomes.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []))
  expect(error).toMatchObject({ code: 'STORE_FAILED', failure: 'damaged' })
  expect(String(error)).toMatch(/the file is damaged\. Restore it from a backup/)
})

it('a single bit of an entry that changed is said, and not read', async () => {
  const text = 'lorem ipsum lorem ipsum'
  const places: number[] = []
  for (let at = bytes.indexOf(text); at !== -1; at = bytes.indexOf(text, at + 400)) places.push(at)
  expect(places.length).toBeGreaterThan(20)
  for (const at of places) {
    const content = Buffer.from(bytes)
    content[at + 2] = (content[at + 2] ?? 0) ^ 1
    write(content)
    using store = sqliteStore({ file })
    const outcomes = await Promise.allSettled([...stored.keys()].map((name) => store.read(name)))
    const failed = outcomes.filter(({ status }) => status === 'rejected')
    expect(failed).toMatchObject([{ reason: { failure: 'damaged' } }])
    expect(String((failed[0] as PromiseRejectedResult).reason)).toMatch(
      /entry \d+ is not what was stored/,
    )
  }
})

it('a session that is listed is found, or the file is said to be damaged', async () => {
  const name = Buffer.from('"s1"')
  const places: number[] = []
  for (let at = bytes.indexOf(name); at >= 0; at = bytes.indexOf(name, at + 1)) places.push(at)
  let silent = 0
  for (const place of places) {
    for (let at = place - 6; at < place + name.length; at++) {
      const content = Buffer.from(bytes)
      content[at] = (content[at] ?? 0) ^ 2
      write(content)
      try {
        using store = sqliteStore({ file })
        const read = await store.read('s1')
        const listed = (await store.sessions()).find(({ id }) => id === 's1')
        if (read.length !== (listed?.newest ?? 0)) silent += 1
      } catch (error) {
        expect(error).toBeInstanceOf(ThroughlineError)
      }
    }
  }
  expect(places.length).toBeGreaterThan(1)
  expect(silent).toBe(0)
})
