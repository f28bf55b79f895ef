import { ThroughlineError } from '../../log/throughline-error.ts'
import { redactionCases } from './store-conformance/redaction.ts'
import { searchCases } from './store-conformance/search.ts'
import { selectionCases } from './store-conformance/selection.ts'
import { same, seqs, texts } from './store-conformance/assert.ts'
import { awkwardDrafts, draft } from './store-drafts.ts'
import type { Entry, EntryDraft } from '../../log/entry.ts'
import type { StoreCase } from './store-conformance/store-case.ts'

export type { StoreCase } from './store-conformance/store-case.ts'

/**
 * What every store must do, for any test framework.
 * @example
 * for (const { name, run } of storeConformance) test(name, () => run(() => memoryStore()))
 */
export const storeConformance: readonly StoreCase[] = [
  {
    name: 'gives the drafts of one append the seqs 1, 2, 3 without a gap',
    async run(createStore) {
      const store = await createStore()
      const first = await store.append('a', [draft('1'), draft('2'), draft('3')])
      same(seqs(first), [1, 2, 3])
      same(seqs(await store.append('a', [draft('4')])), [4])
      same(seqs(await store.read('a')), [1, 2, 3, 4])
    },
  },
  {
    name: 'returns from an append what is read back later',
    async run(createStore) {
      const store = await createStore()
      const drafts = [draft('one', 5), draft('two', 6)]
      const appended = await store.append('a', drafts)
      same(
        appended,
        drafts.map((item, index) => ({ ...item, seq: index + 1 })),
      )
      same(await store.read('a'), appended)
    },
  },
  {
    name: 'refuses an append whose condition does not hold, says why, and writes nothing',
    async run(createStore) {
      const store = await createStore()
      await store.append('a', [draft('1'), draft('2')], { newest: 0 })
      await conflicts(store.append('a', [draft('x'), draft('y')], { newest: 1 }), 1, 2)
      await conflicts(store.append('a', [draft('x')], { newest: 3 }), 3, 2)
      await conflicts(store.append('new', [draft('x')], { newest: 1 }), 1, 0, 'new')
      same(texts(await store.read('a')), ['1', '2'])
      same(await store.read('new'), [])
      same(seqs(await store.append('a', [draft('3')], { newest: 2 })), [3])
    },
  },
  {
    name: 'lets exactly one of several conditional appends win',
    async run(createStore) {
      const store = await createStore()
      await store.append('a', [draft('1')])
      const attempts = ['a', 'b', 'c', 'd', 'e'].map((name) =>
        store.append('a', [draft(name), draft(name)], { newest: 1 }),
      )
      const outcomes = await Promise.allSettled(attempts)
      const won = outcomes.filter(({ status }) => status === 'fulfilled')
      same(won.length, 1)
      for (const outcome of outcomes) {
        if (outcome.status === 'rejected') isConflict(outcome.reason, 'a', 1, 3)
      }
      same(seqs(await store.read('a')), [1, 2, 3])
    },
  },
  {
    name: 'gives concurrent appends their own seqs, each append in one piece',
    async run(createStore) {
      const store = await createStore()
      const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']
      const appended = await Promise.all(
        names.map((name) => store.append('a', [draft(name), draft(name), draft(name)])),
      )
      const entries = await store.read('a')
      same(
        seqs(entries),
        Array.from({ length: 24 }, (_, index) => index + 1),
      )
      for (const own of appended) {
        const [first] = own as [Entry]
        same(seqs(own), [first.seq, first.seq + 1, first.seq + 2])
        same(entries.slice(first.seq - 1, first.seq + 2), own)
      }
    },
  },
  {
    name: 'reads what came after a seq',
    async run(createStore) {
      const store = await createStore()
      await store.append(
        'a',
        ['1', '2', '3'].map((text) => draft(text)),
      )
      same(texts(await store.read('a', { after: 0 })), ['1', '2', '3'])
      same(texts(await store.read('a', { after: 2 })), ['3'])
      same(await store.read('a', { after: 3 }), [])
      same(await store.read('a', { after: 99 }), [])
    },
  },
  ...selectionCases,
  ...searchCases,
  ...redactionCases,
  {
    name: 'appends only if the session still holds an entry, if a condition says so',
    async run(createStore) {
      const store = await createStore()
      await store.append('a', [draft('1', 10), draft('2', 20)])
      const holds = { seq: 2, at: 20 }
      same(seqs(await store.append('a', [draft('3', 30)], { holds })), [3])
      same(seqs(await store.append('a', [draft('4', 40)], { holds, newest: 3 })), [4])
      await conflicts(store.append('a', [draft('x')], { holds, newest: 3 }), 3, 4)
      await finds(store.append('a', [draft('x')], { holds: { seq: 5, at: 50 } }), 'SESSION_REMOVED')
      await store.remove('a')
      await finds(store.append('a', [draft('x')], { holds }), 'SESSION_REMOVED')
      same(await store.read('a'), [])
    },
  },
  {
    name: 'treats a session that was started again as a different one',
    async run(createStore) {
      const store = await createStore()
      await store.append('a', [draft('1', 10), draft('2', 20)])
      await store.remove('a')
      const holds = { seq: 2, at: 20 }
      for (const at of [30, 40, 50]) {
        await store.append('a', [draft('anew', at)])
        await finds(store.append('a', [draft('x')], { holds }), 'SESSION_REMOVED')
        await finds(store.append('a', [draft('x')], { holds, newest: 2 }), 'SESSION_REMOVED')
      }
      same(texts(await store.read('a')), ['anew', 'anew', 'anew'])
    },
  },
  {
    name: 'writes nothing if a redaction is interrupted',
    async run(createStore) {
      const store = await createStore()
      await store.append('a', [draft('1'), draft('2')])
      const breakOff = (): never => {
        throw new Error('broken off')
      }
      const change = (entry: Entry): Entry => ({ ...entry, at: 9 })
      const note = (): EntryDraft => draft('note')
      const broken = [
        store.redact('a', { change, note: breakOff }),
        store.redact('a', {
          change: (entry) => (entry.seq === 2 ? breakOff() : change(entry)),
          note,
        }),
      ]
      for (const message of await Promise.all(broken.map(outcome))) same(message, 'broken off')
      same(await store.read('a'), [
        { ...draft('1'), seq: 1 },
        { ...draft('2'), seq: 2 },
      ])
    },
  },
  {
    name: 'returns nothing for a session that does not exist',
    async run(createStore) {
      const store = await createStore()
      same(await store.read('nobody'), [])
      await store.remove('nobody')
      same(await store.search('nobody', { phrases: [['a']], match: 'all', limit: 9 }), [])
      same(await store.append('nobody', []), [])
      same(await store.sessions(), [])
    },
  },
  {
    name: 'keeps sessions apart, whatever their names',
    async run(createStore) {
      const store = await createStore()
      const names = ['a', 'A', 'a ', '../a', 'a/b', "a'; --", 'constructor', '__proto__', '🎉', '1']
      for (const name of names) await store.append(name, [draft(name), draft('more')])
      for (const name of names) {
        same(texts(await store.read(name)), [name, 'more'])
        same(seqs(await store.read(name)), [1, 2])
      }
      same((await store.sessions()).map(({ id }) => id).sort(), [...names].sort())
    },
  },
  {
    name: 'lists sessions, most recently written first, whatever their clocks say',
    async run(createStore) {
      const store = await createStore()
      await store.append('old', [draft('1', 900)])
      await store.append('middle', [draft('1', 100), draft('2', 101)])
      await store.append('new', [draft('1', 500)])
      same(await store.sessions(), [
        { id: 'new', newest: 1, at: 500 },
        { id: 'middle', newest: 2, at: 101 },
        { id: 'old', newest: 1, at: 900 },
      ])
      await store.append('old', [draft('2', 10)])
      same(await store.sessions(), [
        { id: 'old', newest: 2, at: 10 },
        { id: 'new', newest: 1, at: 500 },
        { id: 'middle', newest: 2, at: 101 },
      ])
    },
  },
  {
    name: 'removes a session, and only that one',
    async run(createStore) {
      const store = await createStore()
      await store.append('a', [draft('1'), draft('2')])
      await store.append('b', [draft('1')])
      await store.remove('a')
      same(await store.read('a'), [])
      same(
        (await store.sessions()).map(({ id }) => id),
        ['b'],
      )
      same(seqs(await store.append('a', [draft('again')], { newest: 0 })), [1])
    },
  },
  ...awkwardDrafts().map(({ what, draft: awkward }): StoreCase => ({
    name: `reads back ${what} as it was`,
    async run(createStore) {
      const store = await createStore()
      await store.append('a', [awkward])
      same(await store.read('a'), [{ ...awkward, seq: 1 }])
    },
  })),
  {
    name: 'is unaffected by changes to a draft after it was appended',
    async run(createStore) {
      const store = await createStore()
      const changeable = nested('as it was')
      await store.append('a', [changeable])
      change(changeable)
      same(await store.read('a'), [{ ...nested('as it was'), seq: 1 }])
    },
  },
  {
    name: 'is unaffected by changes to an entry that it returned',
    async run(createStore) {
      const store = await createStore()
      const [appended] = await store.append('a', [nested('as it was')])
      change(appended as Entry)
      const [read] = await store.read('a')
      change(read as Entry)
      const list = await store.read('a')
      list.pop()
      same(await store.read('a'), [{ ...nested('as it was'), seq: 1 }])
    },
  },
]

function nested(text: string): EntryDraft {
  return {
    kind: 'message',
    at: 1,
    origin: 'human',
    message: { role: 'user', content: [{ type: 'text', text }] },
    metadata: { list: [1, { two: 2 }] },
  }
}

/** Changes what can be changed; a store may also freeze what it returns. */
function change(entry: EntryDraft): void {
  if (entry.kind !== 'message' || typeof entry.message.content === 'string') return
  const part = entry.message.content[0] as { text: string }
  const list = entry.metadata?.['list'] as [number, { two: number }]
  const changes = [
    (): unknown => (part.text = 'changed'),
    (): unknown => Reflect.set(entry.message, 'content', []),
    (): unknown => (list[1].two = 3),
    (): unknown => list.push(4 as never),
    (): unknown => (entry.at = 2),
  ]
  for (const make of changes) {
    try {
      make()
    } catch {
      // It was frozen.
    }
  }
}

async function outcome(done: Promise<unknown>): Promise<string> {
  return done.then(
    () => 'done',
    (reason: unknown) => (reason instanceof Error ? reason.message : String(reason)),
  )
}

async function finds(appended: Promise<unknown>, code: string): Promise<void> {
  const reason = await appended.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (!ThroughlineError.isInstance(reason) || reason.code !== code) {
    throw new Error(`An append was not rejected with ${code}.`, { cause: reason })
  }
}

async function conflicts(
  appended: Promise<unknown>,
  expected: number,
  newest: number,
  session = 'a',
): Promise<void> {
  const error = await appended.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (error === undefined)
    throw new Error('An append succeeded although its condition did not hold.')
  isConflict(error, session, expected, newest)
}

function isConflict(error: unknown, session: string, expected: number, newest: number): void {
  if (!ThroughlineError.isInstance(error) || error.code !== 'STORE_CONFLICT') throw error
  const facts = error as unknown as { session: string; expected: number; newest: number }
  same([facts.session, facts.expected, facts.newest], [session, expected, newest])
}
