import { draft } from '../testing/conformance/store-drafts.ts'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { contextOf } from '../log/context/context.ts'
import { chronological } from '../log/order.ts'
import { openSession } from '../session/session.ts'
import { nodeSqlite } from '../stores/sqlite/connection/node-sqlite.ts'
import { connect } from '../stores/sqlite/connection/connection.ts'
import { redactText } from '../log/redaction/redaction.ts'
import { rewritingOf } from '../session/operations/redaction.ts'
import { sqliteStore, storeOver, type SqliteStore } from '../stores/sqlite/sqlite-store.ts'
import { rawBytes } from '../stores/sqlite/testing/raw-bytes.ts'
import { scratchFolder } from '../stores/sqlite/testing/scratch.ts'
import { full } from '../testing/generate/runs.ts'
import { recordFigure } from '../testing/record-figure.ts'
import { illegalities } from '../testing/legal.ts'
import { killWriter, type Instant, type Killed } from './killed/kill-writer.ts'
import { digestOf, secret, works, type Work } from './killed/work.ts'
import type { Entry } from '../log/entry.ts'

const root = scratchFolder()
const kills = full ? 200 : 20

/** How many entries a piece of work may have added that was not acknowledged. */
const mayAdd: Record<Work, readonly number[]> = {
  open: [0],
  append: [0, 3],
  fit: [0, 1],
  compact: [0, 1],
  search: [0],
  fork: [0],
  remove: [0],
  redact: [0, 1],
}

/** Everything that must be true of a store after one of its writers was killed. */
async function expectWhole(file: string, id: string, killed: Killed): Promise<void> {
  const { last, begun, stderr, acknowledged } = killed
  expect(stderr).toBe('')
  using store = sqliteStore({ file })
  const entries = await store.read(id)
  expect(entries.map(({ seq }) => seq)).toEqual(entries.map((_, index) => index + 1))
  expect(begun ? mayAdd[begun] : [0]).toContain(entries.length - last.newest)
  const redacting = begun === 'redact' && entries.length > last.newest
  if (redacting) expect(JSON.stringify(entries)).not.toContain(secret)
  else expect(digestOf(entries.slice(0, last.newest))).toBe(last.digest)
  await expectForks(store, id, killed)
  if (last.did === 'redact' && begun === undefined) expect(rawBytes(file)).not.toContain(secret)
  await expectUsable(store, file, id, entries)
  recordFigure({ what: 'kills', count: 1 })
  recordFigure({ what: 'acknowledged writes', count: acknowledged })
}

/** A fork is there whole or not at all; so is one that was being removed. */
async function expectForks(store: SqliteStore, id: string, { last, begun }: Killed): Promise<void> {
  const own = (await store.sessions()).filter((each) => each.id.startsWith(`${id} fork `))
  const now = Object.fromEntries(own.map((each) => [each.id, each.newest]))
  const gone = Object.keys(last.forks).filter((name) => now[name] !== last.forks[name])
  const added = Object.keys(now).filter((name) => last.forks[name] === undefined)
  expect(gone).toHaveLength(begun === 'remove' ? gone.length && 1 : 0)
  expect(added).toHaveLength(begun === 'fork' ? added.length && 1 : 0)
  for (const name of added) expect(now[name]).toBe(last.newest)
}

async function expectUsable(
  store: SqliteStore,
  file: string,
  id: string,
  entries: readonly Entry[],
): Promise<void> {
  const { DatabaseSync } = nodeSqlite()
  const database = new DatabaseSync(file, { readOnly: true })
  expect(database.prepare('PRAGMA integrity_check').all()).toEqual([{ integrity_check: 'ok' }])
  database.close()
  const session = await openSession({ store, id, window: { context: 12_000 } })
  expect(session.context()).toEqual(contextOf(chronological(entries)))
  expect(illegalities(session.messages())).toEqual([])
  const said = entries.filter((entry) => JSON.stringify(entry).includes('Request'))
  const search = { phrases: [['request']], match: 'all', limit: entries.length + 1 } as const
  expect((await store.search(id, search)).length).toBeLessThanOrEqual(said.length)
  const [added] = await session.say('Request after the kill')
  expect(added?.seq).toBe(entries.length + 1)
}

const seed = Math.floor(Math.random() * 2 ** 31)

/** Every kind of work in turn, each at another moment of its second or third time; and more of them, where a busy machine was too late. */
const instants: Instant[] = fc
  .sample(fc.tuple(fc.integer({ min: 2, max: 3 }), fc.double({ min: 0, max: 1.2, noNaN: true })), {
    numRuns: 5 * kills,
    seed,
  })
  .map(([round, share], index) => ({ work: works[index % works.length] ?? 'append', round, share }))

describe('G11: a killed process loses nothing', () => {
  it(`whatever it was doing, ${kills} times, 20 on a file (seed ${seed})`, async () => {
    const hit = new Set<Work>()
    // Some pieces of work are over before the signal comes; most must have been hit.
    const enough = full ? works.length : 4
    for (const [number, instant] of instants.entries()) {
      if (number >= kills && hit.size >= enough) break
      const file = join(root, `killed-${Math.floor(number / 20)}.db`)
      const killed = await killWriter(file, 'a', instant)
      if (killed.begun) hit.add(killed.begun)
      await expectWhole(file, 'a', killed)
    }
    expect(hit.size).toBeGreaterThanOrEqual(enough)
  }, 3_600_000)

  it.each(['append', 'redact'] as const)(
    'nor in the middle of its %s, wherever that ends',
    async (work) => {
      const file = join(root, `room-for-${work}.db`)
      const connection = connect(file, { synchronous: 'normal', busyTimeout: 5_000 })
      using store = storeOver(connection, file)
      const many = Array.from({ length: 40 }, (_, n) =>
        draft(`${n} the-secret ${'word '.repeat(300)}`),
      )
      await store.append('a', many)
      const before = await store.read('a')
      const counted = await connection.read((all) => all.get('PRAGMA page_count'))
      const pages = Number(counted?.['page_count'])
      let failures = 0
      for (let more = 0, done = false; !done; more++) {
        await connection.read((all) => all.exec(`PRAGMA max_page_count = ${pages + more}`))
        const works = {
          append: () => store.append('a', many),
          redact: () => store.redact('a', rewritingOf(redactText('the-secret'), 0)),
        }
        done = await works[work]().then(
          () => true,
          () => false,
        )
        if (done) continue
        failures += 1
        expect(await store.read('a')).toEqual(before)
      }
      // A redaction writes over what is there.
      expect(failures).toBeGreaterThan(work === 'append' ? 5 : -1)
    },
  )

  it('while the store is made', async () => {
    for (let kill = 0; kill < kills / 10; kill++) {
      const file = join(root, `made-${kill}.db`)
      const killed = await killWriter(file, 'a', { work: 'open', round: 1, share: 2 * kill })
      await expectWhole(file, 'a', killed)
    }
  })

  it('nor does another one that writes to the same file', async () => {
    const file = join(root, 'two.db')
    for (let kill = 0; kill < kills / 10; kill++) {
      const [early, late] = await Promise.all([
        killWriter(file, 'a', { work: 'redact', round: 1, share: 0.5 }),
        killWriter(file, 'b', { work: 'fork', round: 3, share: 0.5 }),
      ])
      await expectWhole(file, 'a', early)
      await expectWhole(file, 'b', late)
    }
  })
})
