import { describe, expect, test } from 'vitest'
import { memoryStore } from '../../stores/memory.ts'
import { storeConformance } from './store-conformance.ts'
import type { Store } from '../../session/store.ts'

const broken: { what: string; of: (good: Store) => Partial<Store>; fails: RegExp }[] = [
  {
    what: 'ignores conditions',
    of: (good) => ({ append: (session, drafts) => good.append(session, drafts) }),
    fails: /condition does not hold|exactly one/,
  },
  {
    what: 'checks a condition, waits, and then writes',
    of: (good) => ({
      async append(session, drafts, condition) {
        const newest = (await good.read(session)).length
        if (condition && 'newest' in condition && condition.newest !== newest) {
          return good.append(session, drafts, condition)
        }
        await new Promise((resolve) => setTimeout(resolve))
        return good.append(session, drafts)
      },
    }),
    fails: /exactly one/,
  },
  {
    what: 'writes the drafts of one append one by one',
    of: (good) => ({
      async append(session, drafts, condition) {
        if (condition) return good.append(session, drafts, condition)
        const entries = []
        for (const draft of drafts) entries.push(...(await good.append(session, [draft])))
        return entries
      },
    }),
    fails: /in one piece/,
  },
  {
    what: 'replaces lone surrogates',
    of: (good) => ({
      append: (session, drafts, condition) =>
        good.append(
          session,
          JSON.parse(
            JSON.stringify(drafts)
              .toWellFormed()
              .replaceAll(/\\ud[89a-f]../g, '?'),
          ),
          condition,
        ),
    }),
    fails: /lone surrogate/,
  },
  {
    what: 'cuts at NUL',
    of: (good) => ({
      append: (session, drafts, condition) =>
        good.append(
          session,
          JSON.parse(JSON.stringify(drafts).replaceAll(/\\u0000[^"]*/g, '')),
          condition,
        ),
    }),
    fails: /NUL/,
  },
  {
    what: 'sorts sessions by their clocks',
    of: (good) => ({ sessions: async () => (await good.sessions()).sort((a, b) => b.at - a.at) }),
    fails: /whatever their clocks say/,
  },
  {
    what: 'ignores case in names',
    of: (good) => ({
      append: (session, drafts, condition) => good.append(session.toLowerCase(), drafts, condition),
      read: (session, range) => good.read(session.toLowerCase(), range),
    }),
    fails: /keeps sessions apart/,
  },
  {
    what: 'reads from a seq on and not behind it',
    of: (good) => ({
      read: (session, { after = 1 } = {}) => good.read(session, { after: after - 1 }),
    }),
    fails: /came after a seq/,
  },
  { what: 'does not forget', of: () => ({ remove: async () => {} }), fails: /removes a session/ },
]

describe('the conformance suite of stores', () => {
  for (const { what, of, fails } of broken) {
    test(`catches a store that ${what}`, async () => {
      const failed: string[] = []
      for (const { name, run } of storeConformance) {
        const good = memoryStore()
        await run(() => ({ ...good, ...of(good) })).catch(() => failed.push(name))
      }
      expect(failed.join('\n')).toMatch(fails)
    })
  }
})
