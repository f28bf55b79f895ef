import { afterEach, describe, expect, it, vi } from 'vitest'
import { Engine } from '../engine/engine.ts'
import { LiveSessions } from './live-sessions.ts'
import { memoryGatewayStore } from '../store/sqlite-gateway-store.ts'
import { wireNamed } from '../wires/wires.ts'
import type { Upstream } from '../upstream/upstream.ts'
import type { Wanted } from './live-session.ts'

const unasked: Upstream = {
  send: () => Promise.reject(new TypeError('Not asked.')),
  close: async () => {},
}
const sourceThread = new URL('../testing/source-thread.ts', import.meta.url)
const wire = wireNamed('openai-chat')

const open: LiveSessions[] = []
afterEach(async () => {
  await Promise.all(open.splice(0).map((each) => each.close()))
})

function atWork(mostBytes: number, engine?: Engine): LiveSessions {
  const settings = () => ({ summaryModel: false as const })
  const options = { store: memoryGatewayStore(), upstream: unasked, settings, engine, mostBytes }
  const sessions = new LiveSessions(options)
  open.push(sessions)
  return sessions
}

const needed = (bytes: number) => ({ wire, model: 'm', body: Buffer.alloc(bytes) })

const wanted: Wanted = {
  body: Buffer.from('{"role":"user","content":"Hello."}'),
  elements: [{ value: { role: 'user', content: 'Hello.' }, span: { start: 0, end: 34 } }],
  system: 'Work.',
  tools: undefined,
  model: 'm',
  window: { context: 16_000 },
  when: 'before',
  way: {
    caller: { keys: [], identity: [] },
    base: 'http://p',
    path: '/',
    search: '',
    headers: {},
    fields: {},
  },
}

const fitting = { from: [], compacts: true, wanted: undefined, now: 1 }

describe('the sessions at work', () => {
  it('are as many as their bytes allow: what was used last stays', async () => {
    const sessions = atWork(1_000)
    const [short, long] = [await sessions.at('short', needed(10)), await sessions.at('long', needed(700))] // prettier-ignore
    expect(await sessions.at('short', needed(20))).toBe(short)
    expect(await sessions.at('long', needed(710))).toBe(long)
    await sessions.at('longer', needed(900))
    expect(await sessions.at('short', needed(20))).not.toBe(short)
    expect(await sessions.at('long', needed(710))).not.toBe(long)
  })

  it('keep one that is longer than all may be together', async () => {
    const sessions = atWork(1_000)
    const long = await sessions.at('long', needed(5_000))
    expect(await sessions.at('long', needed(5_100))).toBe(long)
  })

  it('leave nothing in the thread of one that was let go of while it worked', async () => {
    const engine = new Engine({ store: memoryGatewayStore(), upstream: unasked, file: sourceThread, patience: 300 }) // prettier-ignore
    const sessions = atWork(1_000, engine)
    const work = vi.spyOn(engine, 'work')
    const session = await sessions.at('a', needed(900))
    await session.fit(wanted, fitting)
    await sessions.at('b', needed(900))
    // Its request is answered only now.
    await session.fit(wanted, fitting)
    const did = work.mock.calls.map(([, , { work: one }]) => one?.what)
    expect(did).toEqual(['fit', 'close', 'fit', 'close'])
  })

  it('are not mixed up with one that was let go of and is asked for again', async () => {
    const engine = new Engine({ store: memoryGatewayStore(), upstream: unasked, file: sourceThread, patience: 300 }) // prettier-ignore
    const sessions = atWork(1_000, engine)
    const before = await sessions.at('a', needed(900))
    await before.fit(wanted, fitting)
    await sessions.at('b', needed(900))
    const again = await sessions.at('a', needed(900))
    const fitted = await again.fit(wanted, fitting)
    // The end of the former leaves the other one as it is.
    await before.fit(wanted, fitting)
    expect(await again.fit(wanted, fitting)).toEqual(fitted)
    expect(again.place).toBeDefined()
  })
})
