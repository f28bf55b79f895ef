import { openSession } from 'throughline'
import {
  mostHidden,
  rememberedRequests,
  type GatewayStore,
  type Mark,
  type World,
} from './gateway-store.ts'
import type { Exchange } from '../tools/tool-wire.ts'
import type { Page, SessionRow } from './gateway-store.ts'

/** One thing that every store of a gateway must do. */
export interface GatewayStoreCase {
  name: string
  run: (create: () => Promise<GatewayStore>) => Promise<void>
}

const world = 'world-1' as World
const other = 'world-2' as World

function marks(...names: string[]): Mark[] {
  return names as Mark[]
}

function row(id: string, of: World = world, used = 1): SessionRow {
  return { id, world: of, instructions: 'i', model: 'm', created: 1, used }
}

function exchange(text: string): Exchange {
  const call = { id: 'c', name: 'recall', input: { query: text } }
  return { rounds: [{ parts: [{ type: 'call' }], results: [{ call, text }] }], beside: undefined }
}

/**
 * What every store must do, for any test framework. The logs have a suite of their own:
 * `storeConformance` of `throughline/testing`, for `logs`.
 * @example
 * for (const { name, run } of gatewayStoreConformance) test(name, () => run(create))
 */
export const gatewayStoreConformance: readonly GatewayStoreCase[] = [
  {
    name: 'finds a session by the marks of its newest request, and says that it is the newest',
    async run(create) {
      const store = await create()
      await store.begin(row('a'), { marks: marks('a1', 'c1'), at: 1 })
      for (const mark of marks('a1', 'c1')) {
        same(await store.find(world, [mark]), { session: row('a'), mark, newest: true })
      }
      same(await store.find(world, marks('x')), undefined)
      same(await store.find(world, []), undefined)
      same(await store.session('a'), row('a'))
      same(await store.session('b'), undefined)
    },
  },
  {
    name: 'opens a session by its links, until they are over, taken back, or it is removed',
    async run(create) {
      const store = await create()
      await store.begin(row('a'), { marks: marks('a1'), at: 1 })
      await store.begin(row('b'), { marks: marks('b1'), at: 1 })
      await store.link('a', { hash: 'one', until: 10 })
      await store.link('a', { hash: 'two', until: 20 })
      await store.link('b', { hash: 'three', until: 20 })
      await store.link('nobody', { hash: 'four', until: 20 })
      same(await store.linked('one', 9), 'a')
      same(await store.linked('one', 10), undefined)
      same(await store.linked('two', 10), 'a')
      same(await store.linked('four', 10), undefined)
      await store.unlink('a')
      same(await store.linked('two', 10), undefined)
      same(await store.linked('three', 10), 'b')
      await store.remove('b')
      await store.begin(row('b'), { marks: marks('b1'), at: 1 })
      same(await store.linked('three', 10), undefined)
    },
  },
  {
    name: 'goes by the first mark that anybody has, however many are asked for',
    async run(create) {
      const store = await create()
      await store.begin(row('a'), { marks: marks('a1'), at: 1 })
      await store.begin(row('b'), { marks: marks('b1'), at: 1 })
      const many = Array.from({ length: 3_000 }, (_, index) => `none-${index}`)
      same((await store.find(world, marks(...many, 'b1', 'a1')))?.session.id, 'b')
      same((await store.find(world, marks(...many, 'a1', 'b1')))?.session.id, 'a')
    },
  },
  {
    name: 'keeps the worlds of different callers apart',
    async run(create) {
      const store = await create()
      await store.begin(row('a'), { marks: marks('same'), at: 1 })
      same(await store.find(other, marks('same')), undefined)
      await store.begin(row('b', other), { marks: marks('same'), at: 1 })
      same((await store.find(other, marks('same')))?.session.id, 'b')
      same((await store.find(world, marks('same')))?.session.id, 'a')
      same(
        (await store.sessions([other])).map(({ id }) => id),
        ['b'],
      )
    },
  },
  {
    name: 'moves a session on from its newest request, and from no other',
    async run(create) {
      const store = await create()
      await store.begin(row('a'), { marks: marks('1'), at: 1 })
      const moved = await store.move('a', '1' as Mark, { marks: marks('2'), at: 5 })
      same(moved, true)
      same((await store.find(world, marks('2')))?.newest, true)
      same((await store.find(world, marks('1')))?.newest, false)
      same((await store.session('a'))?.used, 5)
      // Another one has gone on from there: this is no longer the same session.
      same(await store.move('a', '1' as Mark, { marks: marks('3'), at: 6 }), false)
      same(await store.find(world, marks('3')), undefined)
      same(await store.move('nobody', '1' as Mark, { marks: marks('3'), at: 6 }), false)
    },
  },
  {
    name: 'keeps what a client has not seen, for its session and for a fork of it',
    async run(create) {
      const store = await create()
      await store.begin(row('a'), { marks: marks('1'), at: 1 })
      await store.begin(row('b'), { marks: marks('2'), at: 1 })
      const [one, two] = marks('m1', 'm2') as [Mark, Mark]
      await store.hide('a', { after: one, exchange: exchange('first') })
      await store.hide('a', { after: two, exchange: exchange('second') })
      // The same request once more has another answer.
      await store.hide('a', { after: two, exchange: exchange('third') })
      const both = [
        { after: one, exchange: exchange('first') },
        { after: two, exchange: exchange('third') },
      ]
      same(await store.hidden('a'), both)
      same(await store.hidden('b'), [])
      await store.copyHidden('a', 'b')
      same(await store.hidden('b'), both)
      await store.remove('a')
      same(await store.hidden('a'), [])
      same(await store.hidden('b'), both)
      await store.removeUnused(100)
      same(await store.hidden('b'), [])
      // Nobody's: such as of a session that was just deleted.
      await store.hide('gone', { after: one, exchange: exchange('late') })
      same(await store.hidden('gone'), [])
    },
  },
  {
    name: 'keeps no more of what a client has not seen than it can use, the newest',
    async run(create) {
      const store = await create()
      await store.begin(row('a'), { marks: marks('1'), at: 1 })
      for (let index = 0; index < mostHidden + 5; index++) {
        const [after] = marks(`m${index}`) as [Mark]
        await store.hide('a', { after, exchange: exchange(`${index}`) })
      }
      const kept = await store.hidden('a')
      same([kept.length, kept.at(-1)?.after], [mostHidden, `m${mostHidden + 4}`])
    },
  },
  {
    name: 'deletes what a client has not seen where something is redacted in its log',
    async run(create) {
      const store = await create()
      await store.begin(row('a'), { marks: marks('1'), at: 1 })
      const session = await openSession({ store: store.logs, id: 'a', window: { context: 9_000 } })
      await session.say('The key is marigold.')
      const [after] = marks('m') as [Mark]
      await store.hide('a', { after, exchange: exchange('marigold') })
      await session.redact({ text: 'marigold' })
      same(await store.hidden('a'), [])
    },
  },
  {
    name: 'says how far a log has come',
    async run(create) {
      const store = await create()
      same(await store.newest('a'), 0)
      const message = { role: 'user', content: 'Go on.' } as const
      const draft = { kind: 'message', at: 1, message, origin: 'human' } as const
      await store.logs.append('a', [draft, draft])
      await store.logs.append('b', [draft])
      same(await store.newest('a'), 2)
      await store.remove('a')
      same(await store.newest('a'), 0)
    },
  },
  {
    name: 'lets exactly one of several go on from the same request',
    async run(create) {
      const store = await create()
      await store.begin(row('a'), { marks: marks('1'), at: 1 })
      const moved = await Promise.all(
        ['2', '3', '4', '5'].map((name) =>
          store.move('a', '1' as Mark, { marks: marks(name), at: 2 }),
        ),
      )
      same(moved.filter(Boolean).length, 1)
    },
  },
  {
    name: `forgets requests that ${rememberedRequests} others have followed, unless they are to be kept`,
    async run(create) {
      const store = await create()
      await store.begin(row('a'), { marks: marks('0'), at: 0 })
      await store.keep('a', marks('0', 'unknown'))
      for (let at = 1; at <= rememberedRequests + 1; at++) {
        await store.move('a', `${at - 1}` as Mark, { marks: marks(`${at}`), at })
      }
      same(await store.find(world, marks('1')), undefined)
      same((await store.find(world, marks('2')))?.newest, false)
      same((await store.find(world, marks('0')))?.newest, false)
      same(await store.find(world, marks('unknown')), undefined)
    },
  },
  {
    name: 'prefers the session whose newest request has the mark, then the one used last',
    async run(create) {
      const store = await create()
      await store.begin(row('a', world, 1), { marks: marks('both'), at: 1 })
      await store.begin(row('b', world, 2), { marks: marks('both'), at: 2 })
      same((await store.find(world, marks('both')))?.session.id, 'b')
      await store.move('b', 'both' as Mark, { marks: marks('b2'), at: 9 })
      same((await store.find(world, marks('both')))?.session.id, 'a')
      await store.move('a', 'both' as Mark, { marks: marks('a2'), at: 20 })
      same((await store.find(world, marks('both')))?.session.id, 'a')
    },
  },
  {
    name: 'begins a session once, however often it is begun',
    async run(create) {
      const store = await create()
      await store.begin(row('a'), { marks: marks('1'), at: 1 })
      await store.move('a', '1' as Mark, { marks: marks('2'), at: 2 })
      await store.begin(row('a'), { marks: marks('1'), at: 1 })
      same((await store.find(world, marks('2')))?.newest, true)
      same((await store.find(world, marks('1')))?.newest, false)
    },
  },
  {
    name: 'deletes a session with its marks and its log',
    async run(create) {
      const store = await create()
      await store.begin(row('a'), { marks: marks('1'), at: 1 })
      const said = { role: 'user', content: 'hi' } as const
      await store.logs.append('a', [{ kind: 'message', at: 1, message: said, origin: 'human' }])
      await store.remove('a')
      await store.remove('a')
      same(await store.find(world, marks('1')), undefined)
      same(await store.session('a'), undefined)
      same(await store.logs.read('a'), [])
    },
  },
  {
    name: 'lists sessions in pages, the last used first, also where several were used at once',
    async run(create) {
      const store = await create()
      const other = 'other' as World
      for (const [id, of, used] of [
        ['a', world, 1],
        ['b', world, 5],
        ['c', other, 5],
        ['d', world, 5],
        ['e', 'third' as World, 9],
      ] as const) {
        await store.begin(row(id, of, used), { marks: marks(id), at: used })
      }
      const listed: string[] = []
      let after: Page['after']
      for (;;) {
        const rows = await store.sessions([world, other], { most: 2, after })
        listed.push(...rows.map(({ id }) => id))
        after = rows.at(-1)
        if (!after || listed.length > 4) break
      }
      same(listed, ['d', 'c', 'b', 'a'])
    },
  },
  {
    name: 'deletes what nobody has used for long',
    async run(create) {
      const store = await create()
      await store.begin(row('old', world, 5), { marks: marks('1'), at: 5 })
      await store.begin(row('new', world, 50), { marks: marks('2'), at: 50 })
      same(await store.removeUnused(50), 1)
      same(
        (await store.sessions()).map(({ id }) => id),
        ['new'],
      )
    },
  },
  {
    name: 'adds what is taken of a budget, apart from other budgets, days and minutes',
    async run(create) {
      const store = await create()
      same(await store.spend('a', '2026-01-01', 5), 5)
      same(await store.spend('a', '2026-01-01', 7), 12)
      same(await store.spend('b', '2026-01-01', 1), 1)
      same(await store.spend('a', '2026-01-02', 2), 2)
      same(await store.spend('a', '2026-01-02T10:59', 3), 3)
      same(await store.spend('a', '2026-01-02T11:00', 4), 4)
      // What was not needed is given back.
      same(await store.spend('a', '2026-01-02T11:00', -4), 0)
      same(await store.spend('a', '2026-01-02', 0), 2)
    },
  },
  {
    name: 'forgets what a caller has learned and taken, but not what it takes today',
    async run(create) {
      const store = await create()
      const at = { base: 'http://p', model: 'm' }
      const learned = { context: 8_000, isNamed: true, at: 5 }
      await store.learn(world, at, learned)
      await store.learn(other, at, learned)
      const [yesterday, today] = ['2026-01-01', '2026-01-02']
      for (const budget of ['caller a', 'caller a in dollars', 'caller b']) {
        await store.spend(budget, yesterday, 5)
        await store.spend(budget, `${yesterday}T10:00`, 5)
        await store.spend(budget, today, 5)
        await store.spend(budget, `${today}T10:00`, 5)
      }
      await store.forgetCaller({ worlds: [world], budgets: 'caller a', today })
      same(await store.learned(world), [])
      same((await store.learned(other)).length, 1)
      for (const budget of ['caller a', 'caller a in dollars']) {
        same(await store.spend(budget, yesterday, 0), 0)
        same(await store.spend(budget, `${yesterday}T10:00`, 0), 0)
        same(await store.spend(budget, today, 0), 5)
        same(await store.spend(budget, `${today}T10:00`, 0), 5)
      }
      same(await store.spend('caller b', yesterday, 0), 5)
      await store.removeUnused(0)
      same(await store.spend('caller b', yesterday, 0), 0)
    },
  },
  {
    name: 'keeps what each caller has learned of windows, until it is forgotten or old',
    async run(create) {
      const store = await create()
      const [one, two] = ['m', 'n'].map((model) => ({ base: 'http://p', model }))
      const learned = { context: 8_000, isNamed: true, at: 5 }
      if (!one || !two) return
      await store.learn(world, one, { ...learned, context: 9_000, isNamed: false })
      await store.learn(world, one, learned)
      await store.learn(other, two, { ...learned, at: 50 })
      same(await store.learned(world), [{ ...one, ...learned }])
      same(await store.learned(other), [{ ...two, ...learned, at: 50 }])
      await store.removeUnused(20)
      same(await store.learned(world), [])
      await store.learn(other, two, undefined)
      same(await store.learned(other), [])
    },
  },
  {
    name: 'has one secret, of 32 bytes',
    async run(create) {
      const store = await create()
      const secret = await store.secret()
      same(secret.length, 32)
      same([...(await store.secret())], [...secret])
      await store.ping()
    },
  },
]

function same(actual: unknown, expected: unknown): void {
  const [left, right] = [actual, expected].map((value) => JSON.stringify(value))
  if (left !== right) throw new Error(`${left} is not ${right}`)
}
