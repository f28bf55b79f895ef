import { join } from 'node:path'
import { expect, test } from 'vitest'
import { contextOf } from '../log/context/context.ts'
import { renderContext } from '../compaction/render/render.ts'
import { chronological } from '../log/order.ts'
import { defaultPolicy } from '../compaction/policy.ts'
import { summaryRoleOf } from '../compaction/render/summary-block.ts'
import { human, step } from '../testing/generate/build.ts'
import { retainedBytes } from '../testing/retained-bytes.ts'
import { scratchFolder } from '../stores/sqlite/testing/scratch.ts'
import { sqliteStore } from '../stores/sqlite/sqlite-store.ts'
import { openSession, type Session } from './session.ts'
import type { Store } from './store.ts'

const root = scratchFolder()
const outputSize = 100_000
const windowFor = (outputs: number): { context: number } => ({ context: 4 * outputs })
const window = windowFor(outputSize)
const line = 'const value = compute(rows, columns)\n'

/** A session that has been pruned once, and nothing else, and what it was just before. */
async function pruned<Before>(
  store: Store,
  look: (session: Session) => Before,
  size = outputSize,
): Promise<{ session: Session; before: Before }> {
  const policy = { ...defaultPolicy, pruneAlone: () => true }
  const session = await openSession({ store, id: 'a', window: windowFor(size), policy })
  await session.append(human('Read all of it.'))
  for (let at = 0; ; at++) {
    const output = `output ${at} resultNumber${at}\n${line.repeat(size / line.length)}`
    await session.append(...step(`c${at}`, 'Read', { file_path: `src/file${at}.ts` }, output))
    const before = look(session)
    const { action } = await session.fit()
    if (action === 'prune') return { session, before }
    expect(action).toBe('none')
  }
}

const said = (session: Session): string => JSON.stringify(session.messages())
const sizes = (session: Session): { said: number; held: number } => {
  return { said: said(session).length, held: retainedBytes() }
}

test('a prune releases the texts that it took out of the context', async () => {
  using store = sqliteStore({ file: join(root, 'released.db') })
  // Large enough that what other tests in this process hold or free does not count.
  const { session, before } = await pruned(store, sizes, 5 * outputSize)
  const after = sizes(session)
  const gone = before.said - after.said
  expect(gone).toBeGreaterThan(2_500_000)
  expect(before.held - after.held).toBeGreaterThan(gone / 2)
})

test('what a prune has released is there for refs, for facts, for undo and for whoever asks for the log', async () => {
  using store = sqliteStore({ file: join(root, 'asked.db') })
  const { session, before } = await pruned(store, said)
  const after = said(session)
  const whole = chronological(await store.read('a'))
  const { items } = contextOf(whole)
  const { messages } = renderContext(items, summaryRoleOf(defaultPolicy))
  expect(after).toBe(JSON.stringify(messages))
  expect(await session.read('3.0')).toMatchObject({
    output: { value: expect.stringMatching(/^output 0/) },
  })
  const again = await openSession({ store, id: 'a', window })
  expect(said(again)).toBe(after)
  expect((await again.facts()).names).toEqual((await session.facts()).names)
  await session.undo()
  expect(said(session)).toBe(before)
  await again.sync()
  expect(said(again)).toBe(before)
  expect(await session.log()).toEqual(await store.read('a'))
})

test('a session goes on from what it has released as if it held all', async () => {
  using store = sqliteStore({ file: join(root, 'on.db') })
  const { session } = await pruned(store, said)
  for (let at = 0; at < 30; at++) {
    const output = `more ${at}\n${line.repeat(at % 3 === 0 ? 2_000 : 20)}`
    await session.append(...step(`m${at}`, 'Read', { file_path: `lib/file${at}.ts` }, output))
    await session.fit()
    if (at === 12) await session.compact()
    if (at === 20) await session.undo()
    const { items } = contextOf(chronological(await store.read('a')))
    const { messages } = renderContext(items, summaryRoleOf(defaultPolicy))
    expect(session.messages()).toEqual(messages)
  }
})

test('a checkpoint of somebody else that shows what was pruned shows it whole', async () => {
  using store = sqliteStore({ file: join(root, 'shown.db') })
  const { session } = await pruned(store, said)
  expect(said(session)).not.toContain('resultNumber0')
  const { seq } = session.context()
  await store.append('a', [
    {
      kind: 'checkpoint',
      at: 0,
      // Made without knowing of the prune.
      base: seq - 1,
      summary: 'All was read.',
      summarizer: 'other',
      tail: [
        { type: 'entry', seq: 2 },
        { type: 'entry', seq: 3 },
      ],
      continuation: null,
      metadata: {},
    },
  ])
  await session.sync()
  expect(said(session)).toContain('resultNumber0')
  const { items } = contextOf(chronological(await store.read('a')))
  expect(session.messages()).toEqual(renderContext(items, summaryRoleOf(defaultPolicy)).messages)
})
