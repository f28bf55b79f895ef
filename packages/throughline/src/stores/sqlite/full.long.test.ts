import { execFileSync } from 'node:child_process'
import { closeSync, mkdirSync, openSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { redactText } from '../../log/redaction/redaction.ts'
import { rewritingOf } from '../../session/operations/redaction.ts'
import { draft } from '../../testing/conformance/store-drafts.ts'
import { connect } from './connection/connection.ts'
import type { Connection } from './connection/reading-connection.ts'
import { sqliteStore, storeOver } from './sqlite-store.ts'
import { rawBytes } from './testing/raw-bytes.ts'
import { scratchFolder } from './testing/scratch.ts'

const root = scratchFolder()
const rewriting = rewritingOf(redactText('the-secret'), 0)
const many = Array.from({ length: 60 }, (_, n) => draft(`${n} the-secret ${'word '.repeat(300)}`))

// So many words that their index is large.
const wordy = Array.from({ length: 60 }, (_, n) =>
  draft(Array.from({ length: 900 }, (_, m) => `w${n}x${m}`).join(' ')),
)

/** The store may have no more pages than it has, or as many as it needs. */
async function allow(connection: Connection, pages: 1 | 1_000_000): Promise<void> {
  await connection.read((statements) => statements.exec(`PRAGMA max_page_count = ${pages}`))
}

describe('a store without room', () => {
  it.each([
    ['an append', 'append'],
    ['the first entry of a session', 'begin'],
    ['a search that has to index', 'search'],
  ] as const)('loses nothing by %s, and goes on when there is room', async (_, work) => {
    const file = join(root, `${work}.db`)
    const connection = connect(file, { synchronous: 'normal', busyTimeout: 100 })
    using store = storeOver(connection, file)
    const works = {
      append: () => store.append('a', many),
      begin: () => store.append('b', [draft('x'.repeat(50_000))]),
      search: () => store.search('a', { phrases: [['word']], match: 'all', limit: 9 }),
    }
    await store.append('a', many)
    const before = [await store.read('a'), await store.sessions()]
    await allow(connection, 1)
    const failed = works[work]()
    await expect(failed).rejects.toMatchObject({ code: 'STORE_FAILED', failure: 'full' })
    await expect(failed).rejects.toThrow(
      /the disk or a quota is full.*Make room and run the same command again/,
    )
    expect([await store.read('a'), await store.sessions()]).toEqual(before)
    await allow(connection, 1_000_000)
    await expect(works[work]()).resolves.toBeDefined()
    expect(await connection.read((all) => all.get('PRAGMA integrity_check'))).toEqual({
      integrity_check: 'ok',
    })
  })
})

it('a redaction whose note finds no room changes nothing', async () => {
  const file = join(root, 'no-note.db')
  const connection = connect(file, { synchronous: 'normal', busyTimeout: 100 })
  using store = storeOver(connection, file)
  await store.append('a', many)
  const before = await store.read('a')
  await allow(connection, 1)
  const large = { ...rewriting, note: () => draft('x'.repeat(50_000)) }
  await expect(store.redact('a', large)).rejects.toMatchObject({ failure: 'full' })
  expect(await store.read('a')).toEqual(before)
  await expect(store.redact('a', rewriting)).resolves.toBeDefined()
})

interface Outcome {
  work?: string
  code?: string
  failure?: string
  acknowledged?: number
}

/** Lets a process that may write so many kilobytes into a file do pieces of work. */
function workWithin(kilobytes: number, works: readonly (readonly [string, string])[]): Outcome[] {
  const script = join(import.meta.dirname, 'testing/work-without-room.ts')
  const argv = ['-c', `ulimit -f ${kilobytes}; exec "$@"`, 'bash', process.execPath, script]
  return execFileSync('bash', [...argv, ...works.flat()], { encoding: 'utf8' })
    .trim()
    .split('\n')
    .map((line): Outcome => JSON.parse(line))
}

describe.skipIf(process.platform === 'win32')('under a limit on files', () => {
  it('nothing is lost of what was acknowledged, by whatever was done', async () => {
    const files = { append: 'a.db', search: 's.db', redact: 'r.db' }
    const path = (work: keyof typeof files): string => join(root, `limit-${files[work]}`)
    for (const work of ['search', 'redact'] as const) {
      using store = sqliteStore({ file: path(work) })
      // Beyond the limit in the file itself; the log has room for what is small.
      await store.append('large', [draft('z'.repeat(600_000))])
      await store.append('a', work === 'search' ? wordy : many.slice(0, 3))
    }

    const works = ['append', 'search', 'redact'] as const
    const outcomes = workWithin(
      256,
      works.map((work) => [work, path(work)] as const),
    )
    const failures = outcomes.filter(({ work }) => work)
    const full = { code: 'STORE_FAILED', failure: 'full' }
    expect(failures).toEqual(works.map((work) => ({ work, ...full })))

    using appended = sqliteStore({ file: path('append') })
    const acknowledged = Math.max(...outcomes.map((outcome) => outcome.acknowledged ?? 0))
    expect(acknowledged).toBeGreaterThan(4)
    expect(await appended.read('a')).toHaveLength(acknowledged)
    await appended.append('a', [draft('more')], { newest: acknowledged })

    using searched = sqliteStore({ file: path('search') })
    expect(await searched.read('a')).toHaveLength(60)
    const search = { phrases: [['w7x899']], match: 'all', limit: 9 } as const
    expect(await searched.search('a', search)).toEqual([8])

    // It was done, and left a trace in the log: to run it again takes that away.
    using redacted = sqliteStore({ file: path('redact') })
    expect(JSON.stringify(await redacted.read('a'))).not.toContain('the-secret')
    expect(await redacted.redact('a', rewriting)).toBeUndefined()
    expect(rawBytes(path('redact'))).not.toContain('the-secret')
  })

  it('a store that cannot be made says why, and is made when there is room', async () => {
    const file = join(root, 'new.db')
    expect(workWithin(0, [['open', file]])).toEqual([
      { work: 'open', code: 'STORE_FAILED', failure: 'full' },
    ])
    using store = sqliteStore({ file })
    await expect(store.append('a', many)).resolves.toHaveLength(60)
  })
})

/** A small disk of its own, as far as this process may have one. */
function smallDisk(megabytes: number): string | undefined {
  const folder = join(root, `disk-${megabytes}`)
  mkdirSync(folder)
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', folder], {
      stdio: 'ignore',
    })
    onTestFinished(() => void execFileSync('umount', [folder]))
    return folder
  } catch {
    return undefined
  }
}

/** Not a byte more can be written. */
function fillUp(folder: string): void {
  const file = openSync(join(folder, 'filler'), 'w')
  try {
    for (const size of [65_536, 4_096, 1]) writeUntilFull(file, Buffer.alloc(size, 1))
  } finally {
    closeSync(file)
  }
  expect(() => writeFileSync(join(folder, 'more'), 'x'.repeat(4_096))).toThrow('ENOSPC')
}

function writeUntilFull(file: number, bytes: Buffer): void {
  try {
    for (;;) if (writeSync(file, bytes) < bytes.length) return
  } catch (error) {
    expect(String(error)).toContain('ENOSPC')
  }
}

describe('on a full disk', () => {
  it.for(['open', 'closed'] as const)(
    'a secret and a session can be removed from a store that is %s, and nothing else is lost',
    async (state, { skip }) => {
      const folder = smallDisk(state === 'open' ? 24 : 25)
      if (folder === undefined) return skip('no disk can be mounted here')
      const file = join(folder, 'a.db')
      let store = sqliteStore({ file })
      await store.append('large', wordy)
      await store.append('a', many)
      await store.append('kept', many.slice(0, 9))
      await store.append('a', wordy)
      for (const id of ['a', 'large']) {
        await store.search(id, { phrases: [['w7x899']], match: 'all', limit: 9 })
      }
      const kept = await store.read('kept')
      if (state === 'closed') store.close()
      fillUp(folder)
      if (state === 'closed') store = sqliteStore({ file })

      await store.redact('a', rewriting)
      expect(JSON.stringify(await store.read('a'))).not.toContain('the-secret')
      fillUp(folder)
      await store.remove('large')
      expect(await store.read('large')).toEqual([])
      await store.redact('kept', rewriting)
      expect(rawBytes(file)).not.toContain('the-secret')
      expect(rawBytes(file)).not.toContain('w7x899 w7x900')
      expect((await store.read('kept')).slice(0, 9).map(({ seq }) => seq)).toEqual(
        kept.map(({ seq }) => seq),
      )
      expect(await store.read('a')).toHaveLength(121)
      store.close()
    },
  )

  it('what is too large to be removed leaves the room in which a secret can be', async ({
    skip,
  }) => {
    const folder = smallDisk(40)
    if (folder === undefined) return skip('no disk can be mounted here')
    const file = join(folder, 'a.db')
    using store = sqliteStore({ file })
    await store.append('kept', many.slice(0, 9))
    const large = [draft('x'.repeat(6_000)), draft('y'.repeat(6_000))]
    const isTaken = (): Promise<boolean> =>
      store.append('large', large).then(
        () => true,
        () => false,
      )
    while (await isTaken());
    await store.remove('large').catch((error: unknown) => {
      expect(error).toMatchObject({ failure: 'full' })
    })
    await store.redact('kept', rewriting)
    expect(rawBytes(file)).not.toContain('the-secret')
  })
})
