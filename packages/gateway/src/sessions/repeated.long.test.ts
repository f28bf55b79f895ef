import { describe, expect, it } from 'vitest'
import { callerOf } from '../identity/caller.ts'
import { memoryGatewayStore } from '../store/sqlite-gateway-store.ts'
import { requestOf, type ModelRequest } from '../server/model-request.ts'
import { Sessions } from './sessions.ts'
import { wireAgents, type WireAgent } from '../testing/agents.ts'
import { wireFor } from '../wires/wires.ts'
import type { GatewayStore, HeardAnswer } from '../store/gateway-store.ts'
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

/** A store in which replicas find what others have heard. */
function sharing(store: GatewayStore): GatewayStore {
  const answers = new Map<string, HeardAnswer>()
  return {
    ...store,
    heard: async (id, answer) => void answers.set(id, answer),
    async heardOf(id, to) {
      const answer = answers.get(id)
      return answer?.to === to ? answer : undefined
    },
  }
}

/** How often what is sent for a history begins otherwise than what was sent before, replicas in turn. */
async function cuts(
  agent: WireAgent,
  replicas: number,
  runs: number,
  isBehind = false,
): Promise<number[]> {
  const store: GatewayStore = memoryGatewayStore()
  const shared: GatewayStore = isBehind
    ? sharing(store)
    : { ...store, heard: async () => {}, heardOf: async () => undefined }
  const all = Array.from(
    { length: replicas },
    () =>
      new Sessions({
        store: replicas > 1 ? shared : store,
        upstream: unasked,
        settings: () => ({ window: { context: 16_000 }, summaryModel: false }),
        writesBehind: isBehind ? 2 ** 31 - 1 : 0,
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
      if (turn && !isBehind) await all[(asked + replicas - 1) % replicas]?.settle(turn.session)
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

    it('is cut at most five times a run where replicas have not written what they have sent', async () => {
      const counts = await cuts(agent, 2, 3, true)
      expect(Math.min(...counts)).toBeGreaterThan(0)
      expect(Math.max(...counts)).toBeLessThanOrEqual(5)
    })
  },
)

it('a request is sent in the same bytes by two replicas, whichever looks at its session first', async () => {
  const agent = wireAgents[0] as WireAgent
  const store = sharing(memoryGatewayStore())
  const held = Promise.withResolvers<void>()
  const moved = Promise.withResolvers<void>()
  let isHeld = false
  const slow: GatewayStore = {
    ...store,
    async move(...moving) {
      const has = await store.move(...moving)
      moved.resolve()
      if (isHeld) await held.promise
      return has
    },
  }
  const [one, other] = [slow, store].map(
    (each) =>
      new Sessions({
        store: each,
        upstream: unasked,
        settings: () => ({ window: { context: 16_000 }, summaryModel: false }),
        writesBehind: 2 ** 31 - 1,
      }),
  ) as [Sessions, Sessions]
  const before = requestAt(agent, 24)
  for (const replica of [one, other]) {
    const turn = await replica.follow(before)
    // More than anyone would estimate: only who has heard it knows that a compaction is due.
    turn?.answered({ inputTokens: 11_900, outputTokens: 20 }, 'm')
  }
  isHeld = true
  const next = requestAt(agent, 25)
  const first = one.follow(next)
  await moved.promise
  const second = await other.follow(next)
  held.resolve()
  expect(second?.did).toBe('compacted')
  expect((await first)?.body?.toString()).toBe(second?.body?.toString())
  await Promise.all([one.close(), other.close()])
})
