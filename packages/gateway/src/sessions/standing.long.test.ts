import { afterEach, describe, expect, it, vi } from 'vitest'
import { callerOf } from '../identity/caller.ts'
import { drawnId, wireAgents, type WireAgent } from '../testing/agents.ts'
import { memoryGatewayStore } from '../store/sqlite-gateway-store.ts'
import { requestOf, type ModelRequest } from '../server/model-request.ts'
import { Sessions } from './sessions.ts'
import { wireFor } from '../wires/wires.ts'
import type { Turn } from './turn.ts'
import type { GatewayStore } from '../store/gateway-store.ts'
import type { Upstream } from '../upstream/upstream.ts'

const open: Sessions[] = []
afterEach(async () => {
  await Promise.all(open.splice(0).map((each) => each.close()))
})

const unasked: Upstream = {
  send: () => Promise.reject(new TypeError('Nobody is asked for a summary here.')),
  close: async () => {},
}

function replica(
  store: GatewayStore,
  problems: unknown[] = [],
  window = { context: 16_000 },
): Sessions {
  const settings = { window, summaryModel: false as const }
  const sessions = new Sessions({
    store,
    upstream: unasked,
    settings: () => settings,
    onProblem: (problem) => problems.push(problem),
  })
  open.push(sessions)
  return sessions
}

/** Three quarters of the window of a replica: from there on, a session may be compacted behind an answer. */
const mayBeCompacted = ({ tokens }: Turn): boolean => tokens >= 12_000

/** What is compacted behind an answer is done before the next request, however fast the machine is. */
async function settled(sessions: Sessions, turn: Turn): Promise<void> {
  if (mayBeCompacted(turn)) await sessions.settle(turn.session)
}

/** What an agent has said and heard after so many steps; its cache marks move along. */
function history(agent: WireAgent, steps: number, whose = 'a'): object[] {
  return [
    ...agent.ask(`Read all parts of ${whose}. Never edit main.ts.`),
    ...Array.from({ length: steps }, (_, step) =>
      agent.step(
        drawnId(step, whose),
        { path: `src/part-${step}.ts` },
        `part ${step}: ${'word '.repeat(120 + ((step * 37) % 200))}`,
      ),
    ).flat(),
  ]
}

function requestAfter(agent: WireAgent, said: readonly object[]): ModelRequest {
  const path = agent.path('m', true)
  const [plain = ''] = path.split('?')
  const { wire, route } = wireFor(plain) ?? {}
  const body = Buffer.from(
    JSON.stringify(agent.body({ model: 'm', said, streams: true, tools: true })),
  )
  const request =
    wire &&
    route &&
    requestOf({
      wire,
      route,
      body,
      headers: agent.headers,
      caller: callerOf({ headers: agent.headers, search: '' }),
      base: 'http://p',
      path: plain,
      search: '',
    })
  if (!request) throw new TypeError('No request.')
  return request
}

/** As the provider counts it: four bytes for a token. */
function counted({ body }: ModelRequest, turn: Turn): void {
  const sent = turn.body ?? body
  turn.answered({ inputTokens: Math.ceil(sent.length / 4), outputTokens: 20 }, 'm')
}

const listIn = ({ list }: ModelRequest['wire'], body: Buffer): string[] =>
  ((JSON.parse(body.toString()) as Record<string, unknown[]>)[list] ?? []).map((one) =>
    JSON.stringify(one),
  )

/** How often the engine was asked to look at the log. */
function looksAt(store: GatewayStore): () => number {
  const find = vi.spyOn(store, 'find')
  return () => find.mock.calls.length
}

describe.each(wireAgents)('a conversation over $name that goes on', (agent) => {
  it('is sent the very bytes that a process sends that knows nothing of it', async () => {
    const store = memoryGatewayStore()
    const problems: unknown[] = []
    const one = replica(store, problems)
    const looks = looksAt(store)
    let compactions = 0
    let before: string[] = []
    let went = 0
    for (let steps = 6; steps <= 90; steps++) {
      const request = requestAfter(agent, history(agent, steps))
      const looked = looks()
      const turn = (await one.follow(request)) as Turn
      if (looks() === looked) went += 1
      const sent = listIn(request.wire, turn.body ?? request.body)
      // Another process, which has only the store: that may hold a compaction by then that this one is
      // still making.
      if (!mayBeCompacted(turn)) {
        const other = (await replica(store).follow(request)) as Turn
        expect(listIn(request.wire, other.body ?? request.body)).toEqual(sent)
        expect(other.session).toBe(turn.session)
      }
      if (turn.did === 'compacted') compactions += 1
      else expect(sent.slice(0, before.length)).toEqual(before)
      before = sent
      counted(request, turn)
      await settled(one, turn)
    }
    expect(problems).toEqual([])
    expect(compactions).toBeGreaterThan(1)
    // Where the other one has written to the log meanwhile, nothing is taken for granted.
    expect(went).toBeGreaterThan(20)
    expect(await store.sessions()).toHaveLength(1)
  })

  it('is not looked up while it surely fits, and its log is whole in the end', async () => {
    const store = memoryGatewayStore()
    const one = replica(store)
    const looks = looksAt(store)
    let compactions = 0
    let before: string[] = []
    let session = ''
    for (let steps = 6; steps <= 90; steps++) {
      const request = requestAfter(agent, history(agent, steps))
      const turn = (await one.follow(request)) as Turn
      const sent = listIn(request.wire, turn.body ?? request.body)
      if (turn.did === 'compacted') compactions += 1
      else expect(sent.slice(0, before.length)).toEqual(before)
      before = sent
      session = turn.session
      counted(request, turn)
      await settled(one, turn)
    }
    expect(compactions).toBeGreaterThan(1)
    expect(looks()).toBeLessThan(45)
    await one.settle(session)
    const log = await store.logs.read(session, { kinds: ['message'] })
    const paths = new Set(JSON.stringify(log).match(/src\/part-\d+\.ts/g))
    expect(paths.size).toBe(90)
    // What each answer cost is in the log too, but for the newest, which has not come back, and for
    // those behind which it was compacted: their size is not that of what came of it.
    const told = log.filter((entry) => entry.kind === 'message' && entry.usage !== undefined)
    expect(told.length).toBeGreaterThanOrEqual(84 - compactions)
    expect(told.length).toBeLessThanOrEqual(84)
    // A process that begins now sends the same.
    const last = requestAfter(agent, history(agent, 90))
    const again = (await replica(store).follow(last)) as Turn
    expect(again.session).toBe(session)
    expect(listIn(last.wire, again.body ?? last.body)).toEqual(before)
  })

  it('is looked at where a call has no result, or what was said is another', async () => {
    const store = memoryGatewayStore()
    const one = replica(store)
    const looks = looksAt(store)
    const said = history(agent, 10)
    await one.follow(requestAfter(agent, said))
    const begun = looks()
    await one.follow(requestAfter(agent, history(agent, 11)))
    expect(looks()).toBe(begun)
    // Another last output.
    const other = [...said, ...agent.step(drawnId(10, 'b'), { path: 'x.ts' }, 'something else')]
    const fork = (await one.follow(requestAfter(agent, other))) as Turn
    expect(fork.how).toBe('fork')
    const [call] = agent.step(drawnId(77), { path: 'y.ts' }, 'nothing')
    const open = requestAfter(agent, [...other, call as object])
    await expect(one.follow(open)).rejects.toMatchObject({ code: 'PENDING_CALLS' })
  })

  it('is looked at once somebody has pinned or deleted something', async () => {
    const store = memoryGatewayStore()
    const one = replica(store)
    const first = (await one.follow(requestAfter(agent, history(agent, 10)))) as Turn
    await store.logs.append(first.session, [{ kind: 'pin', at: 1, text: 'Keep this.' }])
    const looks = looksAt(store)
    await one.follow(requestAfter(agent, history(agent, 11)))
    expect(looks()).toBe(1)
    await store.remove(first.session)
    const anew = (await one.follow(requestAfter(agent, history(agent, 12)))) as Turn
    expect(anew.how).toBe('new')
  })
})

describe.each(wireAgents)(
  'a compaction over $name that is due while the request still fits',
  (agent) => {
    // In which a step of this agent is less than what may be taken of the reserve.
    const window = { context: 24_000 }
    const refused = {
      statusCode: 400,
      responseBody: '{"error":{"code":"context_length_exceeded","message":"too long"}}',
    }
    /** Where pruning alone is enough, there is no checkpoint. */
    const compactions = async (store: GatewayStore, session: string): Promise<number> =>
      (await store.logs.read(session, { kinds: ['checkpoint', 'prune'] })).length

    /** Goes on until a compaction was made behind a request. */
    async function untilDue(store: GatewayStore, one: Sessions) {
      let before: string[] = []
      for (let steps = 6; steps <= 90; steps++) {
        const request = requestAfter(agent, history(agent, steps))
        const turn = (await one.follow(request)) as Turn
        expect(turn.did).toBe('nothing')
        const sent = listIn(request.wire, turn.body ?? request.body)
        expect(sent.slice(0, before.length)).toEqual(before)
        before = sent
        await one.settle(turn.session)
        if ((await compactions(store, turn.session)) > 0) return { request, turn, steps }
        counted(request, turn)
      }
      throw new TypeError('No compaction was due.')
    }

    it('is made behind its answer, once, and the next request says so', async () => {
      const store = memoryGatewayStore()
      const one = replica(store, [], window)
      const { request, turn, steps } = await untilDue(store, one)
      counted(request, turn)
      let before: string[] | undefined
      for (let more = 1; more <= 3; more++) {
        const next = requestAfter(agent, history(agent, steps + more))
        const then = (await one.follow(next)) as Turn
        expect(then.did).toBe(more === 1 ? 'compacted' : 'kept')
        const sent = listIn(next.wire, then.body ?? next.body)
        expect((then.body ?? next.body).length).toBeLessThan(request.body.length)
        expect(sent.slice(0, before?.length ?? 0)).toEqual(before ?? [])
        before = sent
        counted(next, then)
        await one.settle(turn.session)
      }
      // The size that was counted before it, is none of what came of it.
      expect(await compactions(store, turn.session)).toBe(1)
    })

    it('is made before the request is sent where replicas share the store', async () => {
      const shared = { heard: async () => {}, heardOf: async () => undefined }
      const store: GatewayStore = { ...memoryGatewayStore(), ...shared }
      const one = replica(store, [], window)
      let did = ''
      for (let steps = 6; did !== 'compacted'; steps++) {
        expect(steps).toBeLessThan(90)
        const request = requestAfter(agent, history(agent, steps))
        const turn = (await one.follow(request)) as Turn
        did = turn.did
        await one.settle(turn.session)
        const made = await compactions(store, turn.session)
        expect([did, made, turn.body === undefined]).toEqual(
          made === 0 ? ['nothing', 0, true] : ['compacted', 1, false],
        )
        counted(request, turn)
      }
    })

    it('is what a refusal of the request gets, and no second one is made', async () => {
      const store = memoryGatewayStore()
      const one = replica(store, [], window)
      const { request, turn } = await untilDue(store, one)
      const again = (await turn.recover(refused)) as Buffer
      expect(again.length).toBeLessThan(request.body.length)
      expect(await compactions(store, turn.session)).toBe(1)
      // What is refused again, is made smaller still.
      const smaller = await turn.recover(refused)
      expect(smaller?.length ?? 0).toBeLessThan(again.length)
    })
  },
)

describe.each(wireAgents)('a compaction over $name that takes its time', (agent) => {
  it('keeps no request waiting that fits, and has behind it what came meanwhile', async () => {
    const held = memoryGatewayStore()
    const begun = Promise.withResolvers<true>()
    const goes = Promise.withResolvers<void>()
    const append: typeof held.logs.append = async (session, drafts, ...more) => {
      if (drafts.some(({ kind }) => kind === 'checkpoint' || kind === 'prune')) {
        begun.resolve(true)
        await goes.promise
      }
      return held.logs.append(session, drafts, ...more)
    }
    const store = { ...held, logs: { ...held.logs, append } }
    const sessions = replica(store, [], { context: 64_000 })
    const follow = async (request: ModelRequest): Promise<Turn> => {
      const turn = (await sessions.follow(request)) as Turn
      counted(request, turn)
      return turn
    }
    let steps = 100
    for (let isBegun = false; !isBegun; steps++) {
      expect(steps).toBeLessThan(400)
      const { session, did } = await follow(requestAfter(agent, history(agent, steps)))
      expect(did).toBe('nothing')
      const isWritten = sessions.settle(session).then(() => false)
      isBegun = await Promise.race([begun.promise, isWritten])
    }
    for (let more = 1; more <= 3; more++) {
      const { did, body } = await follow(requestAfter(agent, history(agent, steps++)))
      expect([did, body]).toEqual(['nothing', undefined])
    }
    const [{ id: session } = { id: '' }] = await store.sessions()
    const written = await store.logs.read(session, { kinds: ['message'] })
    expect(JSON.stringify(written)).not.toContain(`part-${steps - 2}.ts`)
    goes.resolve()
    await sessions.settle(session)
    expect(await store.logs.read(session, { kinds: ['checkpoint', 'prune'] })).toHaveLength(1)
    const behind = await store.logs.read(session, { kinds: ['message'] })
    expect(JSON.stringify(behind)).toContain(`part-${steps - 2}.ts`)
    const next = requestAfter(agent, history(agent, steps))
    const { did, body } = await follow(next)
    expect(did).toBe('compacted')
    const [came, sent] = [next.body, body ?? next.body].map((one) => listIn(next.wire, one))
    expect(sent?.length).toBeLessThan(came?.length ?? 0)
    // Steps of what came meanwhile, and of this request.
    expect(sent?.slice(-8)).toEqual(came?.slice(-8))
    expect(await store.sessions()).toHaveLength(1)
  })
})

describe('the end of a gateway', () => {
  it('does not wait for a model that is still to write the summary of what was sent', async () => {
    const agent = wireAgents[0] as WireAgent
    const store = memoryGatewayStore()
    const send: Upstream['send'] = () => new Promise(() => {})
    const sessions = new Sessions({
      store,
      upstream: { send, close: async () => {} },
      settings: () => ({ window: { context: 24_000 } }),
    })
    let session = ''
    for (let steps = 6; steps <= 54; steps++) {
      const request = requestAfter(agent, history(agent, steps))
      const turn = (await sessions.follow(request)) as Turn
      session = turn.session
      counted(request, turn)
    }
    await sessions.close()
    expect(JSON.stringify(await store.logs.read(session))).toContain('part-53.ts')
    expect(await store.logs.read(session, { kinds: ['checkpoint'] })).toEqual([])
  }, 60_000)
})

describe('a log that is behind', () => {
  const agent = wireAgents[0] as WireAgent

  it('is written soon, without a further request', async () => {
    const store = memoryGatewayStore()
    const one = replica(store)
    const turn = (await one.follow(requestAfter(agent, history(agent, 10)))) as Turn
    await one.settle(turn.session)
    await one.follow(requestAfter(agent, history(agent, 11)))
    await vi.waitFor(
      async () =>
        expect(JSON.stringify(await store.logs.read(turn.session))).toContain('part-10.ts'),
      { timeout: 60_000 },
    )
  })

  it('is not begun for a conversation that surely fits, until someone asks for it', async () => {
    const store = memoryGatewayStore()
    const append = vi.fn(store.logs.append)
    const one = replica({ ...store, logs: { ...store.logs, append } })
    const sessions = new Set<string>()
    for (let steps = 10; steps <= 20; steps++) {
      const request = requestAfter(agent, history(agent, steps))
      const turn = (await one.follow(request)) as Turn
      expect([turn.body, turn.did]).toEqual([undefined, 'nothing'])
      counted(request, turn)
      sessions.add(turn.session)
    }
    expect(sessions.size).toBe(1)
    expect(append).not.toHaveBeenCalled()
    const [session = ''] = sessions
    await one.settle(session)
    const said = JSON.stringify(await store.logs.read(session))
    for (const step of [0, 9, 19]) expect(said).toContain(`part-${step}.ts`)
  })

  it('begins near its window, of a conversation that goes on for some time', async () => {
    let clock = 0
    const store = memoryGatewayStore()
    const append = vi.fn(store.logs.append)
    const one = new Sessions({
      store: { ...store, logs: { ...store.logs, append } },
      upstream: unasked,
      settings: () => ({ window: { context: 16_000 }, summaryModel: false }),
      writesBehind: 1,
      now: () => clock,
    })
    open.push(one)
    let tokens = 0
    for (let steps = 10; tokens < 8_400; steps++) {
      expect(append).not.toHaveBeenCalled()
      clock += 1_000
      const request = requestAfter(agent, history(agent, steps))
      const turn = (await one.follow(request)) as Turn
      tokens = turn.tokens
      counted(request, turn)
    }
    await vi.waitFor(() => expect(append).toHaveBeenCalled(), { timeout: 60_000 })
  })

  it('may be written at the moment when another replica goes on', async () => {
    const store = memoryGatewayStore()
    const one = replica(store)
    const { session } = (await one.follow(requestAfter(agent, history(agent, 10)))) as Turn
    await one.follow(requestAfter(agent, history(agent, 11)))
    const move = vi.fn<GatewayStore['move']>(async (...moved) => {
      // Between the look at where the session stands and the move from there.
      await one.settle(session)
      return store.move(...moved)
    })
    const next = requestAfter(agent, history(agent, 12))
    const turn = (await replica({ ...store, move }).follow(next)) as Turn
    expect([turn.session, turn.how]).toEqual([session, 'same'])
    expect(move).toHaveBeenCalledTimes(2)
    expect(await store.sessions()).toHaveLength(1)
  })

  it('is given up where another replica has gone on, and makes no session of its own', async () => {
    const store = memoryGatewayStore()
    const [one, other] = [replica(store), replica(store)]
    const { session } = (await one.follow(requestAfter(agent, history(agent, 10)))) as Turn
    await one.follow(requestAfter(agent, history(agent, 11)))
    await other.follow(requestAfter(agent, history(agent, 12)))
    await one.settle(session)
    expect(await store.sessions()).toHaveLength(1)
    const next = (await one.follow(requestAfter(agent, history(agent, 13)))) as Turn
    expect([next.session, next.how]).toEqual([session, 'same'])
  })

  it('is written before a conversation goes back to an earlier place', async () => {
    const store = memoryGatewayStore()
    const one = replica(store)
    await one.follow(requestAfter(agent, history(agent, 10)))
    const { session } = (await one.follow(requestAfter(agent, history(agent, 11)))) as Turn
    const back = [...history(agent, 10), ...agent.ask('Do something else.')]
    const fork = (await one.follow(requestAfter(agent, back))) as Turn
    expect(fork.how).toBe('fork')
    expect(JSON.stringify(await store.logs.read(session))).toContain('part-10.ts')
    expect(JSON.stringify(await store.logs.read(session))).not.toContain('something else')
  })

  it('is written when the gateway closes', async () => {
    const store = memoryGatewayStore()
    const one = replica(store)
    await one.follow(requestAfter(agent, history(agent, 10)))
    const { session } = (await one.follow(requestAfter(agent, history(agent, 11)))) as Turn
    await one.close()
    expect(JSON.stringify(await store.logs.read(session))).toContain('part-10.ts')
  })
})
