import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { jsonLinesStore } from '../../stores/json-lines/json-lines-store.ts'
import { memoryStore } from '../../stores/memory.ts'
import { sqliteStore } from '../../stores/sqlite/index.ts'
import { assistant, human, step } from '../../testing/generate/build.ts'
import { openSession, type Session } from '../session.ts'
import { forkSession } from './fork.ts'
import type { Store } from '../store.ts'

const folder = mkdtempSync(join(tmpdir(), 'throughline-at-once-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const open = (store: Store): Promise<Session> =>
  openSession({ store, id: 'shared', window: { context: 32_000 } })

/** A session with two compactions, as several processes see it. */
async function compactedTwice(stores: readonly Store[]): Promise<Session[]> {
  const first = await open(stores[0] as Store)
  for (const round of [1, 2]) {
    const steps = Array.from({ length: 12 }, (_, at) =>
      step(`${round}-${at}`, 'read', { path: `${at}.ts` }, 'line of code\n'.repeat(200)),
    )
    await first.append(human(`Round ${round}.`), ...steps.flat(), assistant('Done.'))
    await first.compact()
  }
  return Promise.all(stores.map(open))
}

const kinds: [string, (name: string) => readonly Store[]][] = [
  ['in memory', () => Array<Store>(4).fill(memoryStore())],
  ['on one file', (name) => [1, 2, 3, 4].map(() => sqliteStore({ file: join(folder, name) }))],
  [
    'in a folder of JSON lines',
    (name) => [1, 2, 3, 4].map(() => jsonLinesStore({ directory: join(folder, name) })),
  ],
]

describe.each(kinds)('several processes at once, %s', (kind, stores) => {
  const name = (test: string): string => `${kind.replaceAll(' ', '-')}-${test}`

  it('undo one compaction each, and know which; none is undone twice', async () => {
    const sessions = await compactedTwice(stores(name('undo')))
    const done = await Promise.allSettled(sessions.map((session) => session.undo()))
    const undone = done.flatMap((each) => (each.status === 'fulfilled' ? [each.value.seq] : []))
    expect(new Set(undone).size).toBe(2)
    expect(undone).toHaveLength(2)
    for (const each of done) {
      if (each.status === 'rejected') expect(String(each.reason)).toContain('nothing to undo')
    }
  })

  it('pin no more together than fits', async () => {
    const sessions = await compactedTwice(stores(name('pin')))
    const text = (at: number): string => `Pin ${at}: ${'never push to main '.repeat(900)}`
    const done = await Promise.allSettled(sessions.map((session, at) => session.pin(text(at))))
    const pinned = done.filter(({ status }) => status === 'fulfilled').length
    expect(pinned).toBeGreaterThan(0)
    expect(pinned).toBeLessThan(sessions.length)
    await sessions[0]?.sync()
    expect(sessions[0]?.context().pins.size).toBe(pinned)
  })

  it('unpin a text once', async () => {
    const sessions = await compactedTwice(stores(name('unpin')))
    const pin = (await sessions[0]?.pin('Never push.')) ?? 0
    await Promise.all(sessions.map((session) => session.sync()))
    const done = await Promise.allSettled(sessions.map((session) => session.unpin(pin)))
    expect(done.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })

  it('unpin what others redact: the pin is out of force, and its text is gone', async () => {
    const sessions = await compactedTwice(stores(name('redacted-pin')))
    const pin = (await sessions[0]?.pin('Call it with sk-secret-1234567890.')) ?? 0
    await Promise.all(sessions.map((session) => session.sync()))
    const done = await Promise.allSettled(
      sessions.map((session, at) =>
        at % 2 === 0 ? session.unpin(pin) : session.redact({ text: 'sk-secret-1234567890' }),
      ),
    )
    expect(done.filter(({ status }) => status === 'rejected')).toHaveLength(1)
    for (const session of sessions) {
      await session.sync()
      expect(session.context().pins.size).toBe(0)
      expect(JSON.stringify(await session.log())).not.toContain('sk-secret')
    }
  })

  it('fork no secret that another one redacts meanwhile', async () => {
    const [one, two] = stores(name('fork')) as [Store, Store]
    const [session] = await compactedTwice([one])
    await session?.append(human('The key is sk-secret-1234567890.'))
    // The redaction comes between reading and writing.
    const slow: Store = {
      ...one,
      read: async (id, selection, request) => {
        const entries = await one.read(id, selection, request)
        if (selection?.upTo !== undefined && id === 'shared' && waits) {
          waits = false
          await (await open(two)).redact({ text: 'sk-secret-1234567890' })
        }
        return entries
      },
    }
    let waits = true
    await forkSession(slow, 'shared', 'copy')
    expect(JSON.stringify(await one.read('copy'))).not.toContain('sk-secret')
    expect((await one.read('copy')).length).toBeGreaterThan(20)
  })
})
