import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { memoryStore } from '../stores/memory.ts'
import { sqliteStore, type SqliteStore } from '../stores/sqlite/index.ts'
import { assistant, human, step } from '../testing/generate/build.ts'
import { goodSummary, scriptedSummarizer } from '../testing/scripted/scripted-summarizer.ts'
import { SessionRemovedError } from './errors.ts'
import { openSession, type Session, type SessionOptions } from './session.ts'
import type { EntryDraft } from '../log/entry.ts'
import type { Store } from './store.ts'

const folder = mkdtempSync(join(tmpdir(), 'throughline-others-'))
const opened: SqliteStore[] = []
afterAll(() => {
  for (const store of opened) store.close()
  rmSync(folder, { recursive: true })
})

let files = 0

/** Two ways to the same sessions: those of two processes. */
const shared: Record<string, () => [Store, Store]> = {
  memory: () => {
    const store = memoryStore()
    return [store, store]
  },
  SQLite: () => {
    const file = join(folder, `${files++}.db`)
    const stores: [SqliteStore, SqliteStore] = [sqliteStore({ file }), sqliteStore({ file })]
    opened.push(...stores)
    return stores
  },
}

const secret = 'sk-0123456789abcdef'

let clock = 0
const open = (store: Store, options: Partial<SessionOptions> = {}): Promise<Session> =>
  openSession({ store, id: 'a', window: { context: 24_000 }, now: () => ++clock, ...options })

const work = (name: string): EntryDraft[] =>
  step(name, 'Read', { file_path: `${name}.ts` }, `${name} line\n`.repeat(300))

/** All that a session shows of its log. */
async function shown(session: Session): Promise<string> {
  const facts = await session.facts()
  return JSON.stringify([
    session.messages(),
    session.context().items,
    await session.history(),
    await session.log(),
    facts.requests,
    [...facts.names.keys()],
    [...facts.commands.keys()],
    facts.errors,
  ])
}

describe.each(Object.keys(shared))('a live session in %s', (kind) => {
  const stores = (): [Store, Store] => (shared[kind] as () => [Store, Store])()

  test.each(['sync', 'append'] as const)(
    'that another process redacts shows nothing of it from the next %s on',
    async (next) => {
      const [mine, theirs] = stores()
      const live = await open(mine)
      await live.append(human(`use ${secret} for the upload`), ...work('first'))
      await live.append(
        ...step('b', 'Bash', { command: `curl -H ${secret} x.test` }, `ok ${secret}`),
      )
      await live.pin(`The key is ${secret}`)
      await live.compact()
      await live.append(human('go on'), ...work('second'))
      expect(await shown(live)).toContain(secret)
      await (await open(theirs)).redact({ text: secret })
      if (next === 'sync') await live.sync()
      else await live.say('and on')
      expect(await shown(live)).not.toContain(secret)
      await live.compact()
      expect(await shown(live)).not.toContain(secret)
      expect(live.messages()).toEqual((await open(theirs)).messages())
    },
  )

  test.each(['another process', 'itself'])(
    'that %s redacts while its summary is written keeps no summary with the text',
    async (who) => {
      const [mine, theirs] = stores()
      const summarizer = scriptedSummarizer(async (request) => {
        if (summarizer.requests.length === 1) {
          await (who === 'itself' ? live : await open(theirs)).redact({ text: secret })
        }
        const text = goodSummary(request)
        return { text: `${text}\n${JSON.stringify(request.head)}`.slice(0, 3_000), finish: 'stop' }
      })
      const live = await open(mine, { summarizer })
      await live.append(human('begin'), ...work('first'), assistant(`it is ${secret}`))
      await live.append(...work('second'), human('go on'), ...work('third'))
      const report = await live.compact()
      expect(report.action).toBe('summary')
      expect(summarizer.requests.length).toBeGreaterThan(1)
      expect(JSON.stringify(summarizer.requests.at(-1)?.head)).not.toContain(secret)
      expect(await shown(live)).not.toContain(secret)
      expect(JSON.stringify(await theirs.read('a'))).not.toContain(secret)
    },
  )

  test('goes where another process has rewound it, also to what it has not read', async () => {
    const [mine, theirs] = stores()
    const writer = await open(theirs)
    await writer.append(human('begin'), ...work('first'), human('go on'), ...work('second'))
    await writer.compact()
    await writer.append(human('further'), ...work('third'))
    await writer.compact()
    const live = await open(mine)
    for (const change of [
      () => writer.undo(),
      () => writer.rewind(3),
      () => writer.rewind(0),
      () => writer.rewind(9),
    ]) {
      await change()
      await live.sync()
      expect(live.messages()).toEqual(writer.messages())
      expect(live.messages()).toEqual((await open(mine)).messages())
    }
    expect(await live.history()).toEqual(await writer.history())
  })

  test('knows the entries that another one’s checkpoint brings back', async () => {
    const [mine, theirs] = stores()
    const writer = await open(theirs)
    await writer.append(human('begin'), ...work('first'), human('go on'), ...work('second'))
    await writer.compact()
    const live = await open(mine)
    const { seq: base } = live.context()
    await writer.append({
      kind: 'checkpoint',
      at: 0,
      base,
      summary: 'what came before',
      summarizer: 'another harness',
      tail: [2, 3].map((seq) => ({ type: 'entry', seq })),
      continuation: null,
      metadata: {},
    })
    await live.sync()
    expect(live.messages()).toEqual((await open(mine)).messages())
    expect(live.messages()).toHaveLength(3)
  })

  const writing: Record<string, (session: Session) => Promise<unknown>> = {
    say: (session) => session.say('anyone there?'),
    append: (session) => session.append(human('one'), human('two')),
    compact: (session) => session.compact(),
    recover: (session) => session.recover(),
    undo: (session) => session.undo(),
    rewind: (session) => session.rewind(1),
    pin: (session) => session.pin('Keep this.'),
    unpin: (session) => session.unpin([...session.context().pins.keys()][0] as number),
    'redact a text': (session) => session.redact({ text: 'anew, and' }),
    'redact a ref': (session) => session.redact({ ref: '1' }),
    sync: (session) => session.sync(),
    'read the rest': (session) => session.log(),
  }

  const anew = (length: number): EntryDraft[] =>
    Array.from({ length }, (_, index) => ({
      ...human('anew, and not for you'),
      at: ++clock + index,
    }))

  describe.each([
    ['removed', () => []],
    ['begun anew and shorter', (length: number) => anew(length - 1)],
    ['begun anew and as long', (length: number) => anew(length)],
    ['begun anew and longer', (length: number) => anew(length + 5)],
  ])('that was %s meanwhile', (_, again) => {
    test.each(Object.keys(writing))('says so, and writes nothing: %s', async (name) => {
      const [mine, theirs] = stores()
      const writer = await open(mine)
      await writer.append(human('before'), ...['a', 'b', 'c', 'd'].flatMap(work))
      await writer.append(human('begin'), ...work('first'), human('go on'), ...work('second'))
      await writer.pin('Keep that.')
      await writer.compact()
      await writer.append(human('further'), ...work('third'))
      const live = await open(mine)
      const before = live.messages()
      const { seq } = live.context()
      await theirs.remove('a')
      await theirs.append('a', again(seq))
      const stored = await theirs.read('a')
      await expect((writing[name] as (session: Session) => Promise<unknown>)(live)).rejects.toThrow(
        SessionRemovedError,
      )
      expect(await theirs.read('a')).toEqual(stored)
      expect(live.messages()).toEqual(before)
    })

    test('says so where it happens while its summary is written', async () => {
      const [mine, theirs] = stores()
      const summarizer = scriptedSummarizer(async (request) => {
        const { seq } = live.context()
        await theirs.remove('a')
        await theirs.append('a', again(seq))
        return { text: goodSummary(request), finish: 'stop' }
      })
      const live = await open(mine, { summarizer })
      await live.append(human('begin'), ...work('first'), human('go on'), ...work('second'))
      await expect(live.compact()).rejects.toThrow(SessionRemovedError)
      const stored = await theirs.read('a')
      expect(stored.filter(({ kind }) => kind !== 'message')).toEqual([])
      expect(summarizer.requests).toHaveLength(1)
    })
  })
})
