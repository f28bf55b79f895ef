import { openSession, type Usage } from 'throughline'
import { describe, expect, it } from 'vitest'
import { callerOf } from '../identity/caller.ts'
import { drawnId, wireAgents, type WireAgent } from '../testing/agents.ts'
import { memoryGatewayStore } from '../store/sqlite-gateway-store.ts'
import { requestOf, type ModelRequest } from '../server/model-request.ts'
import { replicas } from '../testing/replicas.ts'
import type { Sessions } from './sessions.ts'
import { wireFor } from '../wires/wires.ts'
import type { Turn } from './turn.ts'
import type { GatewayStore, HeardAnswer } from '../store/gateway-store.ts'

const replica = replicas({ window: 16_000 })

/** A store that hands over what was heard, as several replicas need it. */
function sharedStore(): GatewayStore {
  const heard = new Map<string, HeardAnswer>()
  return {
    ...memoryGatewayStore(),
    heard: async (id, answer) => void heard.set(id, answer),
    heardOf: async (id, to) => (heard.get(id)?.to === to ? heard.get(id) : undefined),
  }
}

function requestAfter(agent: WireAgent, steps: number, aside?: string): ModelRequest {
  const said = [
    ...agent.ask('Read all parts. Never edit main.ts.'),
    ...Array.from({ length: steps }, (_, step) =>
      agent.step(drawnId(step, 'a'), { path: `part-${step}.ts` }, `${step} ${'word '.repeat(200)}`),
    ).flat(),
    ...(aside === undefined ? [] : agent.ask(aside)),
  ]
  const [path = ''] = agent.path('m', true).split('?')
  const { wire, route } = wireFor(path) ?? {}
  const body = Buffer.from(
    JSON.stringify(agent.body({ model: 'm', said, streams: true, tools: true })),
  )
  const { headers } = agent
  const caller = callerOf({ headers, search: '' })
  const request =
    wire &&
    route &&
    requestOf({ wire, route, body, headers, caller, base: 'http://p', path, search: '' })
  if (!request) throw new TypeError('No request.')
  return request
}

const usageOf = ({ body }: ModelRequest, turn: Turn): Usage => ({
  inputTokens: Math.ceil((turn.body ?? body).length / 4),
  outputTokens: 20,
})

/** Asks until a request went out under a checkpoint, and was answered. */
async function compacted(sessions: Sessions, agent: WireAgent) {
  for (let steps = 6; steps < 90; steps++) {
    const request = requestAfter(agent, steps)
    const turn = (await sessions.follow(request)) as Turn
    const usage = usageOf(request, turn)
    turn.answered(usage, 'm')
    await sessions.settle(turn.session)
    if (turn.did === 'compacted') return { steps, turn, usage }
  }
  throw new Error('Nothing was compacted.')
}

/** What the log believes of the answer that was heard last. */
async function believed(store: GatewayStore, { session }: Turn, { inputTokens }: Usage) {
  const log = await store.logs.read(session, { kinds: ['message'] })
  return log.some((entry) => entry.kind === 'message' && entry.usage?.inputTokens === inputTokens)
}

describe.each(wireAgents)('what was counted over $name', (agent) => {
  it.each([
    ['here', memoryGatewayStore, false],
    ['here, where others serve the session too', sharedStore, false],
    ['by another replica', sharedStore, true],
  ])(
    'under a checkpoint counts no more once that is taken back: heard %s',
    async (_, made, other) => {
      const store = made()
      const one = replica(store)
      const { steps, turn, usage } = await compacted(one, agent)
      // Another process takes it back.
      const session = await openSession({ store: store.logs, id: turn.session, window: { context: 16_000 } }) // prettier-ignore
      await session.undo()
      await session.close()
      const next = (await (other ? replica(store) : one).follow(
        requestAfter(agent, steps + 1),
      )) as Turn
      await one.settle(turn.session)
      expect(next.session).toBe(turn.session)
      expect(await believed(store, turn, usage)).toBe(false)
    },
  )

  it.each([
    ['here', memoryGatewayStore, false],
    ['by another replica', sharedStore, true],
  ])('under a checkpoint that stands is believed: heard %s', async (_, made, other) => {
    const store = made()
    const one = replica(store)
    const { steps, turn, usage } = await compacted(one, agent)
    const sessions = other ? replica(store) : one
    const next = (await sessions.follow(requestAfter(agent, steps + 1))) as Turn
    await sessions.settle(next.session)
    expect(await believed(store, turn, usage)).toBe(true)
  })

  it('lasts where words stand behind each request that are never said again', async () => {
    const store = memoryGatewayStore()
    const sessions = replica(store)
    const dids: string[] = []
    let session = ''
    for (let steps = 30; steps < 130; steps++) {
      const request = requestAfter(agent, steps, `It is ${steps} o’clock.`)
      const turn = (await sessions.follow(request)) as Turn
      turn.answered(usageOf(request, turn), 'm')
      dids.push(turn.did)
      session = turn.session
    }
    // What the provider counts is learned all the same.
    const log = await store.logs.read(session, { kinds: ['observation'] })
    const learned = log.map((entry) => entry.kind === 'observation' && entry.observation.type)
    expect(learned).toContain('calibration')
    const compactions = dids.filter((did) => did === 'compacted').length
    expect(compactions).toBeGreaterThan(1)
    expect(compactions).toBeLessThan(10)
    expect(dids).toContain('kept')
  })
})
