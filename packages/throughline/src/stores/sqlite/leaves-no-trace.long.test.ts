import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import { redactText } from '../../log/redaction/redaction.ts'
import { rewritingOf } from '../../session/operations/redaction.ts'
import { searchPhrases } from '../../session/recall/search-words.ts'
import { openSession, type Session } from '../../session/session.ts'
import { human, placed } from '../../testing/generate/build.ts'
import { full, runs } from '../../testing/generate/runs.ts'
import { arbitrarySession } from '../../testing/generate/session.ts'
import { draft } from '../../testing/conformance/store-drafts.ts'
import { nodeSqlite } from './connection/node-sqlite.ts'
import { sqliteStore, type SqliteStore } from './sqlite-store.ts'
import { rawBytes, textsFound } from './testing/raw-bytes.ts'
import { scratchFolder } from './testing/scratch.ts'
import type { Entry, EntryDraft } from '../../log/entry.ts'

const root = scratchFolder()
const patience = full ? 600_000 : 120_000
// Where SQLite would put its temporary files: nothing is to come there.
const temporary = join(root, 'temporary')
mkdirSync(temporary)
const before = process.env['SQLITE_TMPDIR']
process.env['SQLITE_TMPDIR'] = temporary
afterAll(() => {
  if (before === undefined) delete process.env['SQLITE_TMPDIR']
  else process.env['SQLITE_TMPDIR'] = before
})

function newFile(): string {
  const file = join(root, 'a.db')
  for (const end of ['', '-wal', '-shm']) rmSync(`${file}${end}`, { force: true })
  return file
}

const letters = fc.array(
  fc.constantFrom(...'abcdefghjkmnpqrstuvwxyzABCDEFGHJKMNPQRSTUVWXYZ23456789'),
  {
    minLength: 9,
    maxLength: 24,
  },
)

/** A secret and the words by which it would be known. */
const arbitrarySecret = fc
  .tuple(
    fc.uniqueArray(
      letters.map((all) => all.join('')),
      { minLength: 2, maxLength: 4 },
    ),
    fc.constantFrom('-', '_.', '\n', '"\\', ' é/'),
  )
  .map(([words, between]) => ({ text: words.join(between), words }))

type Secret = typeof arbitrarySecret extends fc.Arbitrary<infer Type> ? Type : never

/** Where a secret comes into a session. */
const places: readonly ((secret: string) => EntryDraft)[] = [
  (secret) => human(`the key is ${secret}.`),
  (secret) =>
    human([
      { type: 'text', text: secret },
      { type: 'file', data: new TextEncoder().encode(`x${secret}`), mediaType: 'text/plain' },
    ]),
  (secret) => draft(`${'long text before it '.repeat(800)}${secret}${' and after it'.repeat(900)}`),
  (secret) => human(`as JSON: ${JSON.stringify({ secret: JSON.stringify(secret) })}`),
  (secret) => human(`as a header: ${Buffer.from(`Bearer ${secret}`).toString('base64')}`),
  (secret) => human(`as a link: https://example.com/?key=${encodeURIComponent(secret)}&x=1`),
  (secret) => ({
    kind: 'observation',
    at: 0,
    observation: { type: 'note', name: 'n', data: { [secret]: [secret] } },
  }),
]

/** Lets a session live: appends with the secret in them, searches, pins, prunes, compactions. */
async function live(
  session: Session,
  store: SqliteStore,
  drafts: readonly EntryDraft[],
  secret: string,
): Promise<void> {
  for (const [index, each] of drafts.entries()) {
    await session.append(placed(each, session.context().seq))
    const place = places[index % (2 * places.length)]
    if (place) await session.append(place(secret))
    if (index % 9 === 5) await session.fit().catch(() => undefined)
    if (index % 11 === 7) await session.compact().catch(() => undefined)
    if (index % 13 === 1) {
      const phrases = searchPhrases(secret)
      expect(await store.search(session.id, { phrases, match: 'any', limit: 3 })).not.toEqual([])
    }
  }
  await session.pin(`Use ${secret}`).catch(() => undefined)
}

function forms({ text, words }: Secret): string[] {
  const encoded = Buffer.from(text).toString('base64').replaceAll('=', '')
  return [
    text,
    JSON.stringify(text).slice(1, -1),
    encodeURIComponent(text),
    encoded.slice(0, -2),
    ...words,
  ]
}

describe('what was taken out of a store is nowhere in its files', () => {
  it(
    'after a redaction, and after the removal of a session',
    async () => {
      await fc.assert(
        fc.asyncProperty(
          arbitrarySession({ maxSteps: 25 }),
          arbitrarySecret,
          async (drafts, secret) => {
            const file = newFile()
            using store = sqliteStore({ file })
            const options = { store, window: { context: 12_000 }, now: () => 0 }
            const redacted = await openSession({ ...options, id: 'redacted' })
            await live(redacted, store, drafts, secret.text)
            expect(textsFound(rawBytes(file), secret.words)).toEqual(secret.words)
            expect((await redacted.redact({ text: secret.text })).seqs).not.toEqual([])
            expect(textsFound(rawBytes(file), forms(secret))).toEqual([])

            const removed = await openSession({ ...options, id: `removed ${secret.words[0]}` })
            await live(removed, store, drafts, secret.text)
            expect(textsFound(rawBytes(file), secret.words)).toEqual(secret.words)
            await store.remove(removed.id)
            expect(textsFound(rawBytes(file), forms(secret))).toEqual([])
            expect(readdirSync(temporary)).toEqual([])
          },
        ),
        { ...runs(4), endOnFailure: true },
      )
    },
    patience,
  )

  it(
    'after many redactions and removals, whatever SQLite moved between its pages',
    async () => {
      await fc.assert(
        fc.asyncProperty(fc.infiniteStream(fc.nat(2 ** 20)), async (random) => {
          const any = (below: number): number => Number(random.next().value) % below
          const file = newFile()
          using store = sqliteStore({ file })
          const held = await scatterSecrets(store, any)
          for (let round = 0; round < 40; round++) {
            const [gone] = held.splice(any(held.length), 1) as [Held]
            const all =
              round % 10 < 9
                ? [gone]
                : [gone, ...held.filter((one) => one.session === gone.session)]
            if (round % 10 < 9)
              await store.redact(gone.session, rewritingOf(redactText(gone.secret), 0))
            else await store.remove(gone.session)
            const secrets = all.map(({ secret }) => secret)
            if (round % 10 === 9) secrets.push(gone.session)
            expect(textsFound(rawBytes(file), secrets)).toEqual([])
            for (const one of all.slice(1)) held.splice(held.indexOf(one), 1)
          }
        }),
        { ...runs(2), endOnFailure: true },
      )
    },
    patience,
  )
})

interface Held {
  session: string
  secret: string
}

/** Many entries of many sizes in a few sessions, each with a secret of its own. */
async function scatterSecrets(store: SqliteStore, any: (below: number) => number): Promise<Held[]> {
  const held: Held[] = []
  for (let n = 0; n < 160; n++) {
    const session = `session-${any(6)}-with-a-name-that-is-found-in-a-file`
    const secret = `k${(n + 1_000 * any(400)).toString(36)}Zq`.padEnd(6, 'W')
    const text = `${'a'.repeat(any(any(9) === 0 ? 3_000 : 90))}${secret}${'b'.repeat(any(60))}`
    await store.append(session, [draft(text)])
    if (any(40) === 0) {
      await store.search(session, { phrases: [['k1']], match: 'all', limit: 3 })
    }
    held.push({ session, secret })
  }
  return held
}

it.each([1, 30, 4_000, 60_000])(
  'a rewriting that makes an entry %d bytes longer leaves nothing of what was there',
  async (more) => {
    const secret = 'Zq7xK9wLmP2vB4'
    const file = newFile()
    using store = sqliteStore({ file })
    await store.append('a', [draft('before'), draft(`it is ${secret}.`), draft('after')])
    await store.append('b', [draft('another')])
    const note = rewritingOf(redactText(secret), 0).note
    const text = `it was here.${'x'.repeat(secret.length + more)}`
    const change = (entry: Entry): Entry | undefined =>
      entry.seq === 2 ? { ...entry, ...human(text) } : undefined
    await store.redact('a', { change, note })
    expect(textsFound(rawBytes(file), [secret])).toEqual([])
    expect((await store.read('a')).slice(0, 3)).toMatchObject([
      { seq: 1 },
      { seq: 2, message: { content: text } },
      { seq: 3 },
    ])
    expect(await store.read('b')).toHaveLength(1)
  },
)

describe('while somebody reads', () => {
  const secret = 'Zq7xK9wLmP2vB4'
  const rewriting = rewritingOf(redactText(secret), 0)

  it('a redaction says that a trace is left, and leaves none when it is run again', async () => {
    const file = newFile()
    using store = sqliteStore({ file, busyTimeout: 50 })
    await store.append('a', [draft(secret), draft('other')])
    const { DatabaseSync } = nodeSqlite()
    const reader = new DatabaseSync(file)
    reader.exec('BEGIN; SELECT count(*) FROM sessions')
    const outcome = store.redact('a', rewriting)
    await expect(outcome).rejects.toMatchObject({ failure: 'log-in-use' })
    await expect(outcome).rejects.toThrow(/the text was removed from the store/)
    expect(JSON.stringify(await store.read('a'))).not.toContain(secret)
    await expect(store.remove('nobody')).rejects.toMatchObject({ failure: 'log-in-use' })
    await store.append('a', [draft('more')])
    reader.exec('COMMIT')
    expect(await store.redact('a', rewriting)).toBeUndefined()
    expect(textsFound(rawBytes(file), [secret])).toEqual([])
    reader.close()
    expect((await store.read('a')).map(({ seq }) => seq)).toEqual([1, 2, 3, 4])
  })

  /** Again for as long as somebody reads. */
  async function redactFully(store: SqliteStore): Promise<void> {
    try {
      await store.redact('a', rewriting)
    } catch (error) {
      expect(error).toMatchObject({ failure: 'log-in-use' })
      await redactFully(store)
    }
  }

  it('another process does not keep a secret in the files', async () => {
    const file = newFile()
    using store = sqliteStore({ file })
    const entries = Array.from({ length: 200 }, (_, n) => draft(`${n} ${'words '.repeat(50)}`))
    await store.append('a', entries)
    const script = join(import.meta.dirname, 'testing/read-on-and-on.ts')
    const child = spawn(process.execPath, [script, file, 'a'], {
      stdio: ['pipe', 'pipe', 'inherit'],
    })
    await once(child.stdout, 'data')
    for (let round = 0; round < 5; round++) {
      await store.append('a', [draft(`now it is ${secret}`)])
      await redactFully(store)
      expect(textsFound(rawBytes(file), [secret])).toEqual([])
    }
    child.stdin.end()
    expect(await once(child, 'close')).toEqual([0, null])
  })
})
