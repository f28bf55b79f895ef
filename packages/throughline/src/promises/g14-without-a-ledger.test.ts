import { expect, it } from 'vitest'
import { assistant, human } from '../testing/generate/build.ts'
import {
  harnesses,
  importSession,
  readSession,
  readStored,
  writtenSession,
} from '../formats/index.ts'
import { memoryStore } from '../stores/memory.ts'
import { openSession } from '../session/session.ts'
import type { EntryDraft } from '../log/entry.ts'
import type { Store } from '../session/store.ts'

const written = ['codex', 'claude-code', 'opencode', 'pi', 'gemini-cli', 'qwen-code']

function task(number: number): EntryDraft[] {
  return [
    human(`Work on task ${number}. Never touch src/keep${number}.ts.`),
    assistant(`Task ${number} is done, since the parser was at fault. ${'x y z '.repeat(200)}`),
  ].flat()
}

/** The session as another machine reads it: what was written there stands in no ledger of its own. */
async function elsewhere(store: Store, id: string, format: string): Promise<Store> {
  const { log, facts } = await readStored(store, id)
  const { writer } = harnesses.find(({ name }) => name === format) ?? {}
  let ids = 0
  const text = writer?.write(
    writtenSession(log, { ...facts, directory: '/w' }, { kind: 'session', name: id }),
    {
      session: '0195d4a1-0000-7000-8000-000000000001',
      newId: () => `0195d4a1-0000-7000-8000-${String(++ids).padStart(12, '0')}`,
      now: 1_790_000_000_000,
      directory: '/w',
    },
  ).text
  const next = memoryStore()
  await importSession(next, await readSession([text ?? '']), { id: 'a' })
  return next
}

it.each(written)(
  'what a summary of ours says stays where nobody vouches for it, as the words of a model: %s',
  async (format) => {
    let store: Store = memoryStore()
    await store.append('a', Array.from({ length: 8 }, (_, at) => task(at)).flat())
    for (let generation = 0; generation < 10; generation++) {
      const session = await openSession({ store, id: 'a', window: { context: 12_000 } })
      await session.compact()
      const context = JSON.stringify(session.messages())
      for (let at = 0; at < 8 + generation; at++)
        expect(context).toContain(`Never touch src/keep${at}.ts.`)
      if (generation > 0) {
        const { rules } = await session.facts()
        expect(rules.map(({ text }) => text)).not.toContain('Never touch src/keep0.ts.')
      }
      store = await elsewhere(store, 'a', format)
      await store.append('a', task(8 + generation))
    }
  },
)
