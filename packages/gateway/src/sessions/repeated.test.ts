import { describe, expect, it } from 'vitest'
import { callerOf } from '../identity/caller.ts'
import { memoryGatewayStore } from '../store/memory-gateway-store.ts'
import { requestOf, type ModelRequest } from '../server/model-request.ts'
import { Sessions } from './sessions.ts'
import { wireAgents, type WireAgent } from '../testing/agents.ts'
import { wireFor } from '../wires/wires.ts'
import type { GatewayStore } from '../store/gateway-store.ts'
import type { Upstream } from '../upstream/upstream.ts'

const unasked: Upstream = {
  send: () => Promise.reject(new Error('Nobody is asked.')),
  close: async () => {},
}
const steps = 90

/** A request whose calls have ids that others may have as well, as in evals and replays. */
function requestAt(agent: WireAgent, step: number): ModelRequest {
  const said = [
    ...agent.ask('Read all parts. Never edit main.ts.'),
    ...Array.from({ length: step }, (_, at) =>
      agent.step(
        `call_${at}`,
        { path: `${at}.ts` },
        `part ${at}: ${'word '.repeat(120 + ((at * 37) % 200))}`,
      ),
    ).flat(),
  ]
  const [path = ''] = agent.path('m', true).split('?')
  const { wire, route } = wireFor(path) ?? {}
  const body = Buffer.from(
    JSON.stringify(agent.body({ model: 'm', said, streams: true, tools: true })),
  )
  const caller = callerOf({ headers: agent.headers, search: '' })
  const { headers } = agent
  const request =
    wire &&
    route &&
    requestOf({ wire, route, body, headers, caller, base: 'http://p', path, search: '' })
  if (!request) throw new TypeError('No request.')
  return request
}

/** How often what is sent for a history begins otherwise than what was sent before, replicas in turn. */
async function cuts(agent: WireAgent, replicas: number, runs: number): Promise<number[]> {
  const store: GatewayStore = memoryGatewayStore()
  const shared: GatewayStore = { ...store, heard: async () => {}, heardOf: async () => undefined }
  const all = Array.from(
    { length: replicas },
    () =>
      new Sessions({
        store: replicas > 1 ? shared : store,
        upstream: unasked,
        settings: () => ({ window: { context: 16_000 }, summaryModel: false }),
        writesBehind: 0,
      }),
  )
  const counts: number[] = []
  let asked = 0
  for (let run = 0; run < runs; run++) {
    let before: readonly string[] = []
    let count = 0
    for (let step = 6; step <= steps; step++) {
      const request = requestAt(agent, step)
      const turn = await all[asked++ % replicas]?.follow(request)
      const sent = turn?.body ?? request.body
      const list =
        (JSON.parse(sent.toString()) as Record<string, object[]>)[request.wire.list] ?? []
      const now = list.map((one) => JSON.stringify(one))
      if (before.some((one, at) => one !== now[at])) count += 1
      before = now
      turn?.answered({ inputTokens: Math.ceil(sent.length / 4), outputTokens: 20 }, 'm')
      if (turn) await all[(asked + replicas - 1) % replicas]?.settle(turn.session)
    }
    counts.push(count)
  }
  await Promise.all(all.map((one) => one.close()))
  return counts
}

describe.each(wireAgents.filter(({ name }) => name !== 'gemini'))(
  'a history over $name that is run again',
  (agent) => {
    it('is cut no more often over two replicas than on one, the first time and again', async () => {
      const sum = (counts: readonly number[]) => counts.reduce((all, one) => all + one, 0)
      const one = await cuts(agent, 1, 3)
      expect(sum(one)).toBeGreaterThan(0)
      expect(sum(await cuts(agent, 2, 3))).toBeLessThanOrEqual(sum(one))
    })
  },
)
