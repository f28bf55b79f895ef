import { memoryStore } from '../../stores/memory.ts'
import { same } from './store-conformance/assert.ts'
import type { Store } from '../../session/store.ts'

/** A message of a host, as the suite tells it. */
export interface SlotMessage {
  /** The same for as long as the host has the message. */
  key: string
  by: 'human' | 'agent'
  text: string
}

/** A host with an engine in its slot, as the suite drives it. */
interface SlotHost {
  /** Tells what the host has of a session, and returns the text of each message of the next request. */
  request: (session: string, messages: readonly SlotMessage[]) => Promise<string[]>
  /** Tells a turn that is over. */
  commit: (session: string, turn: string, messages: readonly SlotMessage[]) => Promise<void>
  /** Asks for a compaction, which the next request has at the latest. */
  compact: (session: string) => Promise<void>
  /** A sub-agent goes on from where a session is. */
  fork: (session: string, as: string) => Promise<void>
  /** A sub-agent that was begun by `fork` has ended. */
  end: (session: string, child: string) => Promise<void>
}

/** Starts a host whose engine keeps its sessions in this store, and writes summaries by code. */
type CreateSlotHost = (store: Store) => SlotHost | Promise<SlotHost>

/** One thing that a host with an engine in its slot must do. */
export interface SlotCase {
  name: string
  run: (create: CreateSlotHost) => Promise<void>
}

const rule = 'Never edit main.ts.'
const long = 'The harbor has many ships, and each of them waits for a better wind. '.repeat(60)

function said(count: number): SlotMessage[] {
  return Array.from({ length: count }, (_, at) =>
    at === 0
      ? { key: 'm0', by: 'human', text: `Look at all of it. ${rule}` }
      : { key: `m${at}`, by: 'agent', text: `Part ${at} is looked at. ${long}` },
  )
}

const ask = (key: string, text: string): SlotMessage => ({ key, by: 'human', text })

function texts(messages: readonly SlotMessage[]): string[] {
  return messages.map(({ text }) => text)
}

/** What every host with an engine in its slot must do, for any test framework. */
export const slotConformance: readonly SlotCase[] = [
  {
    name: 'gives all that was said, in order, while it fits',
    async run(create) {
      const host = await create(memoryStore())
      same(await host.request('s', said(4)), texts(said(4)))
    },
  },
  {
    name: 'begins each request with the one before, also behind a compaction',
    async run(create) {
      const host = await create(memoryStore())
      await host.request('s', said(30))
      await host.compact('s')
      const first = await host.request('s', said(31))
      const second = await host.request('s', said(32))
      same(second.slice(0, first.length), first)
    },
  },
  {
    name: 'compacts once where it is asked to, and keeps rules and the newest words',
    async run(create) {
      const host = await create(memoryStore())
      const before = await host.request('s', said(30))
      await host.compact('s')
      const after = await host.request('s', [...said(30), ask('q', 'What is left?')])
      same(after.join('').length < before.join('').length / 2, true)
      same(after.join('').includes(rule), true)
      same(after.at(-1), 'What is left?')
    },
  },
  {
    name: 'keeps what the host does not tell any more',
    async run(create) {
      const host = await create(memoryStore())
      await host.request('s', said(6))
      same(await host.request('s', said(8).slice(4)), texts(said(8)))
    },
  },
  {
    name: 'takes a turn once, however often it is told',
    async run(create) {
      const host = await create(memoryStore())
      await host.commit('s', 'turn', said(4))
      await host.commit('s', 'turn', said(4))
      same(await host.request('s', said(4)), texts(said(4)))
    },
  },
  {
    name: 'goes on in a new process with the same request',
    async run(create) {
      const store = memoryStore()
      const host = await create(store)
      await host.commit('s', 'turn', said(30))
      await host.request('s', said(30))
      await host.compact('s')
      const before = await host.request('s', said(30))
      const again = await create(store)
      same(await again.request('s', said(30)), before)
    },
  },
  {
    name: 'keeps sessions apart, and lets a sub-agent go on from where its parent is',
    async run(create) {
      const host = await create(memoryStore())
      await host.commit('s', 'turn', said(4))
      same(await host.request('other', []), [])
      await host.fork('s', 'child')
      const more = ask('c', 'Look closer.')
      same(await host.request('child', [more]), [...texts(said(4)), more.text])
      same(await host.request('s', said(4)), texts(said(4)))
    },
  },
  {
    name: 'has what a sub-agent said last as a fact of its parent, once',
    async run(create) {
      const host = await create(memoryStore())
      await host.commit('s', 'turn', said(4))
      await host.fork('s', 'child')
      const report = 'The harbor is called Elmwick.'
      await host.commit('child', 'own', [...said(4), { key: 'c', by: 'agent', text: report }])
      await host.end('s', 'child')
      await host.end('s', 'child')
      const told = (await host.request('s', said(4))).join('\n')
      same(told.split(report).length, 2)
    },
  },
  {
    name: 'says of a sub-agent that ended without an answer that it failed, and not what its parent said',
    async run(create) {
      const host = await create(memoryStore())
      await host.commit('s', 'turn', said(4))
      await host.fork('s', 'child')
      await host.end('s', 'child')
      const [...told] = await host.request('s', said(4))
      same(told.at(-1)?.includes('failed'), true)
      same(told.at(-1)?.includes('Part 3'), false)
    },
  },
]
