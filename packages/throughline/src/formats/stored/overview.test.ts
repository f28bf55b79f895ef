import { describe, expect, it } from 'vitest'
import { openSession } from '../../session/session.ts'
import { memoryStore } from '../../stores/memory.ts'
import { assistant, harness, human, logFrom, step } from '../../testing/generate/build.ts'
import { importSession } from './import-session.ts'
import { overviewOf, type SessionOverview } from './overview.ts'
import type { Drafts } from '../../testing/generate/build.ts'
import type { Selection, Store } from '../../session/store.ts'

const window = { context: 20_000 }
const facts = { model: 'claude-opus-4-5', system: 'Be brief.' }

async function storeWith(...drafts: Drafts[]): Promise<Store> {
  const store = memoryStore()
  await importSession(store, { format: 'made', facts, log: logFrom(drafts) }, { id: 'a' })
  return store
}

async function overview(store: Store): Promise<SessionOverview> {
  const [stored] = await store.sessions()
  if (!stored) throw new Error('The store is empty.')
  return overviewOf(store, stored)
}

const steps = Array.from({ length: 12 }, (_, index) =>
  step(`${index}`, 'Read', {}, `line ${index}\n`.repeat(400)),
)

describe('the overview of a stored session', () => {
  it('names what its human said first, and what its file told', async () => {
    const store = await storeWith(harness('<reminder>'), human(' \n'), human('fix it'), steps)
    expect(await overview(store)).toMatchObject({
      id: 'a',
      newest: 28,
      title: 'fix it',
      facts: { ...facts, format: 'made' },
      compactions: 0,
    })
  })

  it('has no title where no human speaks near the beginning', async () => {
    expect((await overview(await storeWith(steps))).title).toBeUndefined()
    const late = Array.from({ length: 500 }, (_, index) => harness(`${index}`))
    expect((await overview(await storeWith(late, human('late')))).title).toBeUndefined()
  })

  it('measures the next request as a session does', async () => {
    const store = await storeWith(human('fix it'), steps, human('and now?'))
    const session = await openSession({ store, id: 'a', window, ...facts })
    const size = async (): Promise<number | undefined> => (await overview(store)).tokens
    expect(await size()).toBe(session.measure().tokens)
    await session.compact()
    expect(await size()).toBe(session.measure().tokens)
    const usage = { inputTokens: 4_000, outputTokens: 10 }
    await session.append(assistant('done', { usage, model: facts.model }), human('more'))
    expect(session.measure().source).toBe('usage')
    expect(await size()).toBe(session.measure().tokens)
    await session.undo()
    expect(await size()).toBe(session.measure().tokens)
  })

  it('counts compactions that are in force', async () => {
    const store = await storeWith(human('fix it'), steps)
    const session = await openSession({ store, id: 'a', window })
    await session.compact()
    await session.append(human('more'), ...steps.flat())
    await session.compact()
    expect((await overview(store)).compactions).toBe(2)
    await session.undo()
    expect((await overview(store)).compactions).toBe(1)
  })

  it('reads no more messages of a long session than of a short one', async () => {
    const many = Array.from({ length: 2_000 }, () => step('1', 'Read', {}, 'x'))
    const usage = { inputTokens: 4_000, outputTokens: 10 }
    const store = await storeWith(human('fix it'), many, assistant('done', { usage }))
    let messages = 0
    const watched: Store = {
      ...store,
      read: async (session: string, selection?: Selection) => {
        const entries = await store.read(session, selection)
        messages += entries.filter(({ kind }) => kind === 'message').length
        return entries
      },
    }
    expect(await overview(watched)).toMatchObject({ title: 'fix it', tokens: 4_010 })
    expect(messages).toBeLessThan(100)
    const silent = await storeWith(human('fix it'), many)
    expect((await overview(silent)).tokens).toBeUndefined()
  })
})
