import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { renderContext } from '../../compaction/render/render.ts'
import { summaryAsUser } from '../../compaction/render/summary-block.ts'
import { contextOf } from '../../log/context/context.ts'
import { historyOf } from '../../log/history.ts'
import { chronological, type Chronological } from '../../log/order.ts'
import { openSession } from '../../session/session.ts'
import { memoryStore } from '../../stores/memory.ts'
import {
  assistant,
  call,
  human,
  logFrom,
  result,
  step,
  tool,
} from '../../testing/generate/build.ts'
import {
  corpusFiles,
  corpusIsHere,
  corpusMissing,
  readCorpusFile,
} from '../../testing/generate/corpus.ts'
import { drive } from '../../testing/generate/drive.ts'
import { arbitrarySession } from '../../testing/generate/session.ts'
import { differenceOf } from '../../testing/conformance/same-data.ts'
import { ImportConflictError } from './errors.ts'
import { importedSeqs } from './facts.ts'
import { importSession } from './import-session.ts'
import { readStored } from './read-stored.ts'
import type { Imported } from './import-session.ts'
import type { Entry, EntryDraft, Seq } from '../../log/entry.ts'
import type { Store } from '../../session/store.ts'

const window = { context: 8_000 }
const id = 'a'

/** A file as a format reads it. */
function file(log: readonly Entry[], facts: Imported['facts'] = {}): Imported {
  return { format: 'made', facts, log: chronological(log) }
}

async function stored(store: Store): Promise<Chronological> {
  return chronological(await store.read(id))
}

/** A session with compactions, prunings, pins and rewinds of its own, as a file may hold. */
const arbitraryLog = arbitrarySession({ maxSteps: 25 }).map(async (drafts) => {
  const { session } = await drive(drafts, { window })
  await session.compact().catch(() => undefined)
  await session.undo().catch(() => undefined)
  await session.pin('never push').catch(() => undefined)
  const log = await session.log()
  if (log.length > 4) await session.rewind(log.length >> 1)
  await session.say('go on')
  return session.log()
})

/** What a model reads of a log, without the numbers of entries in it. */
function wordsOf(log: Chronological): string[] {
  const { messages } = renderContext(contextOf(log).items, summaryAsUser)
  return messages.map((message) =>
    JSON.stringify(message).replaceAll(/(ref=\\"|ref |entries |–)[\d.]+/g, '$1'),
  )
}

describe('an imported session', () => {
  it('has the context and the history of its file, with the same seqs', async () => {
    await fc.assert(
      fc.asyncProperty(arbitraryLog, async (made) => {
        const log = await made
        const store = memoryStore()
        const done = await importSession(store, file(log), { id })
        expect(done).toEqual({ added: log.length, known: 0, replaced: false })
        const after = await stored(store)
        expect(differenceOf(after.slice(0, -1), log)).toBeUndefined()
        expect(differenceOf(contextOf(after).items, contextOf(log).items)).toBeUndefined()
        expect(differenceOf(historyOf(after).entries, historyOf(log).entries)).toBeUndefined()
      }),
      { numRuns: 15 },
    )
  })

  it('is stored whole or not at all where its import is ended', async () => {
    const store = memoryStore()
    const ending = new AbortController()
    const ended: Store = {
      ...store,
      append: (...words) => {
        ending.abort(new Error('enough'))
        return store.append(...words)
      },
    }
    const log = logFrom(Array.from({ length: 50 }, () => human('go')))
    const { signal } = ending
    await expect(importSession(ended, file(log), { id, signal })).rejects.toThrow('enough')
    expect(await store.read(id)).toEqual([])
  })

  it('keeps what its file told, and where it comes from', async () => {
    const store = memoryStore()
    const facts = {
      id: 'x',
      model: 'm',
      window: 9,
      directory: '/code',
      system: 'Be.',
      omitted: { a: 1 },
    }
    await importSession(store, file(logFrom([human('go')]), facts), { id, source: '/code/x.jsonl' })
    const read = await readStored(store, id)
    expect(read.format).toBe('made')
    expect(read.facts).toEqual({ ...facts, format: 'made', source: '/code/x.jsonl' })
  })

  it('says of what model it is as soon as another one answers', async () => {
    const store = memoryStore()
    await importSession(store, file(logFrom([human('go')]), { model: 'm' }), { id })
    await store.append(id, [assistant('done', { model: 'n' })])
    expect((await readStored(store, id)).facts.model).toBe('n')
  })

  it('is the same again a second time', async () => {
    const store = memoryStore()
    const log = logFrom([human('go'), step('1', 'Read', {}, 'x'), assistant('done')])
    await importSession(store, file(log), { id })
    const before = await stored(store)
    expect(await importSession(store, file(log), { id })).toEqual({
      added: 0,
      known: 4,
      replaced: false,
    })
    expect(await stored(store)).toEqual(before)
  })
})

describe('a session that has grown since it was imported', () => {
  it('has the context of its file, whatever was noted in between', async () => {
    await fc.assert(
      fc.asyncProperty(arbitraryLog, fc.array(fc.nat(), { maxLength: 4 }), async (made, cuts) => {
        const log = await made
        const store = memoryStore()
        const ends = [...cuts.map((cut) => cut % log.length), log.length].sort((a, b) => a - b)
        for (const end of ends) {
          // A piece that ends in a half-written step is taken back: that is another test.
          await importSession(store, file(log.slice(0, end)), { id })
        }
        const after = await stored(store)
        const seqs = importedSeqs(after)
        expect(seqs).toHaveLength(log.length)
        const numbers = new Map<Seq, Seq>(seqs.map((seq, index) => [seq, index + 1]))
        const back = contextOf(after).items.map((item) => numbers.get(item.seq))
        expect(back).toEqual(contextOf(log).items.map(({ seq }) => seq))
        expect(wordsOf(after)).toEqual(wordsOf(log))
      }),
      { numRuns: 15 },
    )
  })

  it('keeps what was done to it meanwhile', async () => {
    const store = memoryStore()
    const first = logFrom([
      human('go'),
      step('1', 'Read', {}, 'x'.repeat(4_000)),
      assistant('done'),
    ])
    await importSession(store, file(first), { id })
    const session = await openSession({ store, id, window })
    await session.compact()
    const pin = await session.pin('never push')
    const log = logFrom([...first, human('more'), step('2', 'Read', {}, 'y'), assistant('again')])
    expect(await importSession(store, file(log), { id })).toMatchObject({ added: 4, known: 4 })
    await session.sync()
    expect(session.context().checkpoint).toBeDefined()
    expect([...session.context().pins.keys()]).toEqual([pin])
    expect(JSON.stringify(session.messages())).toContain('again')
  })

  it('goes back to what stood there when its human does', async () => {
    const store = memoryStore()
    const first = logFrom([
      human('go'),
      step('1', 'Read', {}, 'x'.repeat(4_000)),
      assistant('done'),
    ])
    await importSession(store, file(first), { id })
    const session = await openSession({ store, id, window })
    await session.compact()
    const compacted = session.messages()
    const back: EntryDraft = { kind: 'rewind', at: 0, to: 4 }
    const log = logFrom([...first, human('more'), assistant('no'), back])
    await importSession(store, file(log), { id })
    await session.sync()
    expect(session.messages()).toEqual(compacted)
  })

  it('names results by the refs that they have in the store', async () => {
    const store = memoryStore()
    const first = logFrom([human('go')])
    await importSession(store, file(first), { id })
    const log = logFrom([
      ...first,
      step('1', 'Read', {}, 'x'),
      {
        kind: 'prune',
        at: 0,
        base: 3,
        replacements: [
          { how: 'pruned', ref: '3.0', text: '<tool-output-compacted tool="Read" ref="3.0" />' },
        ],
        metadata: {},
      },
    ])
    await importSession(store, file(log), { id })
    expect((await stored(store))[4]).toMatchObject({
      seq: 5,
      base: 4,
      replacements: [{ ref: '4.0', text: '<tool-output-compacted tool="Read" ref="4.0" />' }],
    })
  })

  it('takes a step back that had been half written', async () => {
    const store = memoryStore()
    const start = [human('go'), ...step('1', 'Read', {}, 'x')]
    const half = [assistant([call('2', 'a'), call('3', 'b')]), tool(result('2', 'a', 'one'))]
    const whole = [half[0], tool(result('2', 'a', 'one'), result('3', 'b', 'two'))] as EntryDraft[]
    await importSession(store, file(logFrom([...start, ...half])), { id })
    const longer = file(logFrom([...start, ...whole, assistant('done')]))
    expect(await importSession(store, longer, { id })).toEqual({
      added: 2,
      known: 4,
      replaced: true,
    })
    const { items } = contextOf(await stored(store))
    expect(items.map((item) => item.type === 'message' && item.message)).toEqual(
      longer.log.map((entry) => entry.kind === 'message' && entry.message),
    )
    const again = file(logFrom([...start, ...whole, assistant('done it')]))
    expect(await importSession(store, again, { id })).toMatchObject({ added: 1, replaced: true })
  })

  it('is compared with what was not redacted', async () => {
    const store = memoryStore()
    const first = logFrom([human('the key is sk-secret-123'), assistant('ok')])
    await importSession(store, file(first), { id })
    const session = await openSession({ store, id, window })
    await session.redact({ text: 'sk-secret-123' })
    const log = logFrom([...first, human('more')])
    expect(await importSession(store, file(log), { id })).toMatchObject({ added: 1, known: 2 })
    expect(JSON.stringify(await stored(store))).not.toContain('sk-secret-123')
  })
})

describe('a session that is another one', () => {
  const said = [human('go'), assistant('first'), human('and'), assistant('second')]
  const conflict = async (store: Store, log: Chronological): Promise<unknown> => {
    const before = await stored(store)
    const error = await importSession(store, file(log), { id }).catch((thrown: unknown) => thrown)
    expect(await stored(store)).toEqual(before)
    return error
  }

  it('is refused where it has gone another way', async () => {
    const store = memoryStore()
    await importSession(store, file(logFrom(said)), { id })
    const other = logFrom([human('go'), assistant('first'), human('or'), assistant('else')])
    const error = await conflict(store, other)
    expect(error).toBeInstanceOf(ImportConflictError)
    expect(error).toMatchObject({ code: 'IMPORT_CONFLICT', divergence: 'diverged', seq: 3 })
  })

  it('is refused where the stored one comes from elsewhere', async () => {
    const store = memoryStore()
    await store.append(id, said)
    expect(await conflict(store, logFrom(said))).toMatchObject({ divergence: 'another' })
  })

  it('is refused where the stored one has gone on from a half-written step', async () => {
    const store = memoryStore()
    await importSession(store, file(logFrom(said)), { id })
    await store.append(id, [human('elsewhere')])
    const longer = logFrom([...said.slice(0, 3), assistant('second, whole'), human('x')])
    expect(await conflict(store, longer)).toMatchObject({ divergence: 'went-on', seq: 4 })
  })
})

const harnesses = ['claude-code', 'codex', 'opencode', 'pi', 'copilot-cli', 'gemini-cli']

it.skipIf(!corpusIsHere).each(corpusFiles(harnesses))(
  `$name has the context of its file${corpusIsHere ? '' : corpusMissing}, imported at once and in two pieces`,
  async (of) => {
    const read = await readCorpusFile(of)
    const context = contextOf(read.log).items
    const [once, twice] = [memoryStore(), memoryStore()]
    await importSession(once, read, { id })
    expect(differenceOf(contextOf(await stored(once)).items, context)).toBeUndefined()
    const half = chronological(read.log.slice(0, read.log.length >> 1))
    await importSession(twice, { ...read, log: half }, { id })
    await importSession(twice, read, { id })
    expect(wordsOf(await stored(twice))).toEqual(wordsOf(read.log))
  },
)
