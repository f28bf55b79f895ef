import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { tmpdir } from 'node:os'
import { afterEach, describe, expect, it } from 'vitest'
import { callerOf } from '../identity/caller.ts'
import { drawnId, wireAgents, type WireAgent } from '../testing/agents.ts'
import { brokenThread, hangingThread } from '../testing/broken-thread.ts'
import { Engine } from './engine.ts'
import { memoryGatewayStore, sqliteGatewayStore } from '../store/sqlite-gateway-store.ts'
import { requestOf, type ModelRequest } from '../server/model-request.ts'
import { Sessions } from '../sessions/sessions.ts'
import { wireFor } from '../wires/wires.ts'
import type { GatewayStore } from '../store/gateway-store.ts'
import type { SessionEvent } from 'throughline'
import type { Turn } from '../sessions/turn.ts'
import type { Upstream } from '../upstream/upstream.ts'

const open: { close: () => Promise<void> }[] = []
afterEach(async () => {
  for (const each of open.splice(0)) await each.close()
})

const sourceThread = new URL('../testing/source-thread.ts', import.meta.url)

const unasked: Upstream = {
  send: () => Promise.reject(new TypeError('Nobody is asked for a summary here.')),
  close: async () => {},
}

function started(
  store: GatewayStore,
  { upstream = unasked, ...rest }: Partial<ConstructorParameters<typeof Engine>[0]> = {},
): { sessions: Sessions; engine: Engine; events: SessionEvent[] } {
  const events: SessionEvent[] = []
  const onEvent = (_: string, event: SessionEvent) => events.push(event)
  const engine = new Engine({
    store,
    upstream,
    onEvent,
    file: sourceThread,
    patience: 300,
    ...rest,
  })
  return { ...replica(store, engine, upstream), engine, events }
}

function replica(store: GatewayStore, engine?: Engine, upstream = unasked): { sessions: Sessions } {
  const isAsked = upstream !== unasked
  const sessions = new Sessions({
    store,
    upstream,
    engine,
    // When a log is written, must not be a matter of the machine’s speed.
    writesBehind: 2 ** 31 - 1,
    settings: () => ({ window: { context: 16_000 }, ...(!isAsked && { summaryModel: false }) }),
  })
  open.push(sessions)
  return { sessions }
}

function requestAfter(agent: WireAgent, steps: number, isOpen = false): ModelRequest {
  const said = [
    ...agent.ask('Read all parts. Never edit main.ts.'),
    ...Array.from({ length: steps }, (_, step) => {
      const text = `part ${step}: ${'word '.repeat(120 + ((step * 37) % 200))}`
      return agent.step(drawnId(step), { path: `src/part-${step}.ts` }, text)
    }).flat(),
  ]
  const list = isOpen ? said.slice(0, -1) : said
  const [path = ''] = agent.path('m', true).split('?')
  const { wire, route } = wireFor(path) as NonNullable<ReturnType<typeof wireFor>>
  const asked = agent.body({ model: 'm', said: list, streams: true, tools: true })
  const body = Buffer.from(JSON.stringify(asked))
  const { headers } = agent
  const caller = callerOf({ headers, search: '' })
  const request = requestOf({
    wire,
    route,
    body,
    headers,
    caller,
    base: 'http://p',
    path,
    search: '',
  })
  if (!request) throw new TypeError('No request.')
  return request
}

const sentFor = (request: ModelRequest, turn: Turn | undefined): string =>
  (turn?.body ?? request.body).toString()

const [chat] = wireAgents as [WireAgent]

describe('a session that works in another thread', () => {
  it.each(wireAgents)('is sent the same bytes as in this one, over $name', async (agent) => {
    const folder = mkdtempSync(join(tmpdir(), 'throughline-thread-'))
    const store = sqliteGatewayStore({ folder })
    const { sessions, events } = started(store)
    const here = replica(memoryGatewayStore()).sessions
    let compactions = 0
    for (let steps = 6; steps <= 60; steps += 1) {
      const request = requestAfter(agent, steps)
      const there = await sessions.follow(request)
      const turn = await here.follow(requestAfter(agent, steps))
      expect(sentFor(request, there)).toBe(sentFor(request, turn))
      expect([there?.did, there?.how, there?.tokens]).toEqual([turn?.did, turn?.how, turn?.tokens])
      if (there?.did === 'compacted') compactions += 1
      const usage = { inputTokens: Math.ceil(sentFor(request, turn).length / 4), outputTokens: 20 }
      there?.answered(usage, 'm')
      turn?.answered(usage, 'm')
      // Three quarters of the window: a compaction is due, and made behind the answer.
      for (const [one, of] of [
        [sessions, there],
        [here, turn],
      ] as const)
        // prettier-ignore
        if (of && of.tokens >= 12_000) await one.settle(of.session)
    }
    expect(compactions).toBeGreaterThan(0)
    expect(events.filter(({ type }) => type === 'compaction-finished')).toHaveLength(compactions)
  })

  it('asks for the log and for a summary where it reaches neither', async () => {
    const store = memoryGatewayStore()
    const asked: string[] = []
    const upstream: Upstream = {
      send: ({ url, headers }) => {
        asked.push(`${url.href} ${String(headers['authorization'])}`)
        return Promise.reject(new TypeError('The provider is away.'))
      },
      close: async () => {},
    }
    const { sessions } = started(store, { upstream })
    let turn: Turn | undefined
    for (let steps = 20; asked.length === 0 && steps < 200; steps++) {
      turn = await sessions.follow(requestAfter(chat, steps))
    }
    expect(asked[0]).toBe('http://p/v1/chat/completions Bearer key-1')
    const log = await store.logs.read(turn?.session ?? '')
    expect(log.some(({ kind }) => kind === 'message')).toBe(true)
  })

  it('says what the engine says: a call without its result', async () => {
    const { sessions } = started(memoryGatewayStore())
    const open = sessions.follow(requestAfter(chat, 20, true))
    await expect(open).rejects.toMatchObject({ code: 'PENDING_CALLS' })
  })

  it('is given up with the thread, and goes on in the next one', async () => {
    const store = memoryGatewayStore()
    const { sessions, engine } = started(store)
    const first = await sessions.follow(requestAfter(chat, 40))
    const thread = engine.thread
    await engine.end()
    const next = await sessions.follow(requestAfter(chat, 41))
    expect(engine.thread).not.toBe(thread)
    expect([next?.session, next?.how]).toEqual([first?.session, 'same'])
    // What was sent before is still sent.
    const anew = await replica(store).sessions.follow(requestAfter(chat, 41))
    const request = requestAfter(chat, 41)
    expect(sentFor(request, next)).toBe(sentFor(request, anew))
  })
})

describe('a thread', () => {
  it('that cannot be started is done without', async () => {
    const file = brokenThread('throw new Error("no")')
    const { sessions } = started(memoryGatewayStore(), { file })
    for (let steps = 30; steps <= 40; steps++) {
      expect(await sessions.follow(requestAfter(chat, steps))).toBeDefined()
    }
  })

  it('that says nothing any more is ended, and its requests fail', async () => {
    const file = hangingThread()
    const { sessions, engine } = started(memoryGatewayStore(), { file, patience: 1 })
    const hanging = sessions.follow(requestAfter(chat, 30))
    await expect(hanging).rejects.toMatchObject({ code: 'ENGINE_LOST' })
    expect(engine.thread).toBe(0)
  })
})
