import { describe, expect, test } from 'vitest'
import { memoryStore } from '../stores/memory.ts'
import { chronological } from '../log/order.ts'
import { contextOf } from '../log/context/context.ts'
import { factsOf } from '../facts/facts-of.ts'
import { Compactions } from './compacting/compactions.ts'
import { internalsOf } from './internals.ts'
import { openSession, type Session } from './session.ts'
import type { Entry, EntryDraft } from '../log/entry.ts'
import type { Facts } from '../facts/facts.ts'
import type { Store } from './store.ts'

const window = { context: 16_000 }

function step(at: number): EntryDraft[] {
  const call = { toolCallId: `call${at}`, toolName: 'Read' }
  const path = `/repo/src/folder${at % 40}/file${at}.ts`
  const value = `export function readTheFile${at}() {}\n`.repeat(10)
  return [
    {
      kind: 'message',
      at,
      origin: 'model',
      finish: 'tool-calls',
      message: {
        role: 'assistant',
        content: [{ type: 'tool-call', ...call, input: { file_path: path } }],
      },
    },
    {
      kind: 'message',
      at,
      origin: 'tool',
      message: {
        role: 'tool',
        content: [{ type: 'tool-result', ...call, output: { type: 'text', value } }],
      },
    },
  ]
}

/** A store that counts the entries read from it. */
function counting(): { store: Store; read: () => number } {
  const inner = memoryStore()
  let entries = 0
  const store: Store = {
    ...inner,
    read: async (...asked) => {
      const found = await inner.read(...asked)
      entries += found.length
      return found
    },
  }
  return { store, read: () => entries }
}

async function work(session: Session, steps: number, from = 0): Promise<number> {
  let compactions = 0
  if (from === 0) await session.say('Never push to main. Read all the files.')
  for (let at = from; at < from + steps; at++) {
    await session.append(...step(at))
    const { action } = await session.fit()
    if (action !== 'none') compactions += 1
  }
  return compactions
}

function withoutMemory(facts: Facts): unknown {
  const { memory: _, ...plain } = facts as Facts & { memory?: unknown }
  return plain
}

describe('an open session', () => {
  test('compacts again and again without reading what it has read', async () => {
    const { store, read } = counting()
    const session = await openSession({ store, id: 'a', window })
    const compactions = await work(session, 600)
    expect(compactions).toBeGreaterThan(5)
    // Before each it asks for what others may have written.
    expect(read()).toBeLessThanOrEqual(compactions)
  })

  test('has the facts of the whole log and its context, whatever it has let go of', async () => {
    const { store } = counting()
    const session = await openSession({ store, id: 'a', window })
    await work(session, 300)
    const facts = await session.facts()
    const log = chronological(await store.read('a'))
    expect(withoutMemory(facts)).toEqual(withoutMemory(factsOf(log)))
    expect(session.context().items).toEqual(contextOf(log).items)
    expect(await session.log()).toEqual(log)
  })

  test('has them after it was opened again, rewound and redacted', async () => {
    const { store } = counting()
    await work(await openSession({ store, id: 'a', window }), 200)
    const session = await openSession({ store, id: 'a', window })
    await work(session, 200, 200)
    const check = async (): Promise<void> => {
      const log = chronological(await store.read('a'))
      expect(withoutMemory(await session.facts())).toEqual(withoutMemory(factsOf(log)))
      expect(session.context().items).toEqual(contextOf(log).items)
    }
    await check()
    await session.undo()
    await check()
    await work(session, 100, 400)
    await check()
    await session.redact({ text: 'readTheFile250' })
    await work(session, 100, 500)
    await check()
  })

  test('gives all entries in order without holding them', async () => {
    const { store } = counting()
    const session = await openSession({ store, id: 'a', window })
    const all = async (): Promise<Entry[]> => {
      const entries: Entry[] = []
      for await (const entry of session.entries()) entries.push(entry)
      return entries
    }
    expect(await all()).toEqual([])
    await work(session, 600)
    expect(await all()).toEqual(await store.read('a'))
  })

  test('holds no more entries as it gets longer', async () => {
    const internals = internalsOf({ store: memoryStore(), id: 'a', window })
    const compactions = new Compactions(internals)
    const most = { early: 0, late: 0 }
    for (let at = 0; at < 600; at++) {
      await internals.append(...step(at))
      await compactions.compact('auto', {})
      const part = at < 300 ? 'early' : 'late'
      most[part] = Math.max(most[part], internals.stored.recent.length)
    }
    expect(most.late).toBeLessThan(most.early * 1.2)
  })
})
