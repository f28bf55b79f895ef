import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { renderContext } from '../../compaction/render/render.ts'
import { summaryAsUser } from '../../compaction/render/summary-block.ts'
import { factsOf } from '../../facts/facts-of.ts'
import { contextOf } from '../../log/context/context.ts'
import { historyOf } from '../../log/history.ts'
import { createMessageCounter } from '../../tokens/message-tokens.ts'
import { estimateTokens } from '../../tokens/estimate.ts'
import { openSession } from '../../session/session.ts'
import { SessionNotFoundError } from '../../session/errors.ts'
import { memoryStore } from '../../stores/memory.ts'
import { sqliteStore } from '../../stores/sqlite/index.ts'
import { drive } from '../../testing/generate/drive.ts'
import { recordFigure } from '../../testing/record-figure.ts'
import { runs } from '../../testing/generate/runs.ts'
import { arbitrarySession } from '../../testing/generate/session.ts'
import { differenceOf } from '../../testing/conformance/same-data.ts'
import { awkwardDrafts } from '../../testing/conformance/store-drafts.ts'
import { throughlineLines } from './sample.ts'
import { importSession } from '../stored/import-session.ts'
import { readSession } from '../reading/read-session.ts'
import { exportSession } from './export-session.ts'
import type { Chronological } from '../../log/order.ts'
import type { EntryDraft } from '../../log/entry.ts'
import type { Store } from '../../session/store.ts'

const window = { context: 8_000 }

async function exported(store: Store, id: string): Promise<string> {
  const lines: string[] = []
  for await (const line of exportSession(store, id)) lines.push(line)
  return lines.join('')
}

async function storeWith(drafts: readonly EntryDraft[]): Promise<Store> {
  const store = memoryStore()
  await store.append('a', drafts)
  return store
}

/** The log after an export and an import into another kind of store. */
async function carriedOver(store: Store): Promise<readonly EntryDraft[]> {
  const read = await readSession(await exported(store, 'a'))
  expect(read).toMatchObject({ format: 'throughline', skippedCount: 0, facts: { id: 'a' } })
  const other = sqliteStore({ file: ':memory:' })
  try {
    await importSession(other, read, { id: 'b' })
    return await other.read('b')
  } finally {
    other.close()
  }
}

describe('an exported session', () => {
  it('becomes the same log again, compactions, pins and undo included', async () => {
    let count = 0
    await fc.assert(
      fc.asyncProperty(arbitrarySession({ maxSteps: 30 }), async (drafts) => {
        const { session } = await drive(drafts, { window })
        await session.compact()
        await session.pin('never push').catch(() => undefined)
        await session.undo().catch(() => undefined)
        const log = await session.log()
        const store = await storeWith(log)
        expect(differenceOf(await carriedOver(store), log)).toBeUndefined()
        count += 1
      }),
      runs(20),
    )
    recordFigure({ what: 'round trip', format: 'throughline', count })
  })

  it('holds what JSON cannot say, and what is easily damaged', async () => {
    const said = (content: unknown): EntryDraft => ({
      kind: 'message',
      at: 1,
      origin: 'human',
      message: { role: 'user', content: [{ type: 'image', image: content }] },
    })
    const awkward = [
      new Uint8Array([0, 255]),
      new URL('https://a/'),
      new Date(5),
      10n ** 30n,
      -Infinity,
      { $throughline: ['bytes', 'AA=='] },
    ]
    const drafts = [...awkward.map(said), ...awkwardDrafts().map(({ draft }) => draft)]
    const log = await carriedOver(await storeWith(drafts))
    expect(log).toEqual(drafts.map((draft, index) => ({ ...draft, seq: index + 1 })))
  })

  it('holds entries that came while it was written no more than it says', async () => {
    const store = await storeWith(awkwardDrafts().map(({ draft }) => draft))
    const lines: string[] = []
    for await (const line of exportSession(store, 'a')) {
      lines.push(line)
      await store.append('a', [{ kind: 'pin', at: 0, text: 'late' }])
    }
    const { log, facts } = await readSession(lines)
    expect([log.length, facts.omitted]).toEqual([awkwardDrafts().length, undefined])
  })

  it('is an error where there is no session', async () => {
    await expect(exported(memoryStore(), 'none')).rejects.toBeInstanceOf(SessionNotFoundError)
  })
})

const lines = throughlineLines.map((line) => JSON.stringify(line))

describe('a damaged export', () => {
  it('keeps the place of every line that is lost', async () => {
    const torn = [...lines.slice(0, 3), lines[3]?.slice(0, 40), ...lines.slice(4)]
    const { log, facts, skippedCount } = await readSession(torn.join('\n'))
    expect(log).toHaveLength(15)
    expect(log[2]).toMatchObject({ kind: 'observation', observation: { name: 'lost-entry' } })
    expect(log[7]).toMatchObject({ seq: 8, kind: 'checkpoint', base: 7 })
    expect([skippedCount, facts.omitted]).toEqual([1, { missing: 1 }])
  })

  it('that is cut off says how much is missing', async () => {
    const { log, facts } = await readSession(lines.slice(0, 6).join('\n'))
    expect([log.length, facts.omitted]).toEqual([5, { missing: 9 }])
  })

  it('is known without its first line', async () => {
    const { format, log } = await readSession(lines.slice(1).join('\n'))
    expect([format, log.length]).toEqual(['throughline', 15])
  })

  it('is not filled up to whatever seq it names', async () => {
    const far = JSON.stringify({ ...throughlineLines[1], seq: 2 ** 50 })
    const { log } = await readSession([...lines, far, ...lines].join('\n'))
    expect(log).toHaveLength(15)
  })

  it('breaks no view, whatever stands in its entries', async () => {
    const whole = throughlineLines.slice(1)
    for (const [place, line] of whole.entries()) {
      for (const broken of damaged(line)) {
        const records = whole.with(place, broken as object)
        const text = records.map((record) => JSON.stringify(record)).join('\n')
        await viewsOf((await readSession(text)).log)
      }
    }
  })
})

async function viewsOf(log: Chronological): Promise<void> {
  const { messages } = renderContext(contextOf(log).items, summaryAsUser)
  const count = createMessageCounter(estimateTokens)
  for (const message of messages) count(message)
  historyOf(log)
  factsOf(log)
  const store = await storeWith(log)
  await openSession({ store, id: 'a', window })
}

const junk = [undefined, null, true, -1, 0.5, 1e300, '', 'text', [], {}, [null], { type: 'text' }]

/** The value with each of its fields, at any depth, replaced by each kind of junk. */
function* damaged(value: unknown): Generator<unknown> {
  if (typeof value !== 'object' || value === null) return
  for (const key of Object.keys(value)) {
    for (const other of [...junk, ...damaged((value as Record<string, unknown>)[key])]) {
      yield Array.isArray(value) ? value.with(Number(key), other) : { ...value, [key]: other }
    }
  }
}
