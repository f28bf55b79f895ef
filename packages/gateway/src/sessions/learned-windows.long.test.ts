import { afterEach, describe, expect, it } from 'vitest'
import { asked, started, type Started } from '../testing/started.ts'
import { drawnId, wireAgents, type WireAgent } from '../testing/agents.ts'
import { LearnedWindows } from './learned-windows.ts'
import { memoryGatewayStore } from '../store/sqlite-gateway-store.ts'
import type { GatewayStore } from '../store/gateway-store.ts'
import type { ServedRequest } from 'throughline/testing/provider'

const running: Started[] = []

afterEach(async () => {
  await Promise.all(running.splice(0).map((each) => each.close()))
})

const isMain = ({ tools }: ServedRequest) => tools.includes('read')
const script = (request: ServedRequest) => ({ text: isMain(request) ? 'Next.' : 'no summary' })
const rules = { window: 20_000, strict: true }

/** A gateway that knows no window, as `run` starts one for each run. */
async function start(store: GatewayStore): Promise<Started> {
  const one = await started({ script, rules }, { store })
  running.push(one)
  return one
}

/** Asks once for each step, from one to another, and says what was done for each. */
async function dids({ gateway }: Started, agent: WireAgent, [from, to]: [number, number]) {
  const done: (string | null)[] = []
  let session: string | null = null
  for (let steps = from; steps <= to; steps += 1) {
    const said = [
      ...agent.ask('Read all parts.'),
      ...Array.from({ length: steps }, (_, step) =>
        agent.step(drawnId(step, 'a'), { path: `part-${step}.ts` }, 'word '.repeat(600)),
      ).flat(),
    ]
    const body = agent.body({ model: 'm', said, streams: true, tools: true })
    const answer = await asked(gateway, agent.path('m', true), body, agent.headers)
    expect(answer.status, answer.text).toBe(200)
    done.push(answer.did)
    session = answer.session ?? session
  }
  return { done, session: session as string }
}

describe.each(wireAgents)('a window that only a refusal shows over $name', (agent) => {
  it('is learned from one refusal, and each compaction lasts for several requests', async () => {
    const one = await start(memoryGatewayStore())
    const { done } = await dids(one, agent, [10, 70])
    const main = one.provider.requests.filter(isMain)
    expect(main.filter(({ refused }) => refused !== undefined)).toHaveLength(1)
    const compactions = done.filter((did) => did === 'compacted' || did === 'recovered').length
    expect(compactions).toBeGreaterThan(1)
    expect(compactions).toBeLessThan(15)
  })

  it('costs a session nothing that was compacted before: it goes on as it stands', async () => {
    const store = memoryGatewayStore()
    const { done, session } = await dids(await start(store), agent, [10, 33])
    const before = await store.logs.read(session, { kinds: ['checkpoint', 'prune'] })
    expect(done).toContain('recovered')
    const next = await start(store)
    const { done: then } = await dids(next, agent, [34, 35])
    expect(then[0]).toBe('recovered')
    expect(then[1]).toBe('kept')
    const after = await store.logs.read(session, { kinds: ['checkpoint', 'prune'] })
    expect(after).toHaveLength(before.length)
  })
})

describe('what is only assumed of a window', () => {
  const of = { base: 'http://p', model: 'm', caller: 'a' }
  const refusal = { message: 'Your input exceeds the context window of this model.' }

  it('is less than what was refused, and no less than what was taken', () => {
    const windows = new LearnedWindows()
    windows.refused(of, refusal, 10_000)
    expect(windows.windowOf(of, undefined)).toEqual({ context: 9_000 })
    windows.taken(of, 9_500)
    expect(windows.windowOf(of, undefined)).toEqual({ context: 9_500 })
    windows.taken(of, 3_000)
    expect(windows.windowOf(of, { context: 200_000, input: 5 })).toEqual({
      context: 9_500,
      input: 5,
    })
  })

  it('is no less than what was taken before it was refused', () => {
    const windows = new LearnedWindows()
    windows.taken(of, 9_800)
    windows.refused(of, refusal, 10_000)
    expect(windows.windowOf(of, undefined)).toEqual({ context: 9_800 })
  })

  it('gives way to a limit that is named, and says nothing of another model', () => {
    const windows = new LearnedWindows()
    windows.refused(of, refusal, 10_000)
    const named =
      "This model's maximum context length is 8000 tokens. However, your messages resulted in 9100 tokens."
    windows.refused(of, { message: named }, 9_100)
    windows.taken(of, 7_500)
    expect(windows.windowOf(of, undefined)).toEqual({ context: 8_000 })
    expect(windows.windowOf({ ...of, model: 'n' }, undefined)).toBeUndefined()
  })

  const echoed = (limit: number) => ({
    message: `prompt is too long: 5000 tokens > ${limit} maximum`,
  })

  it('is learned for the caller that was refused, and for nobody else', () => {
    const windows = new LearnedWindows()
    windows.refused(of, echoed(2_000), 32_000)
    expect(windows.windowOf({ ...of, caller: 'b' }, { context: 200_000 })).toEqual({
      context: 200_000,
    })
  })

  it('is never below what was taken, below what an operator has set, or far above what was refused', () => {
    const windows = new LearnedWindows()
    windows.taken(of, 30_000)
    windows.refused(of, echoed(2_000), 32_000)
    expect(windows.windowOf(of, undefined)).toBeUndefined()
    const other = { ...of, caller: 'c' }
    windows.refused(other, echoed(2_000), 32_000)
    expect(windows.windowOf(other, { context: 128_000 }, true)).toEqual({ context: 128_000 })
    expect(windows.windowOf(other, { context: 128_000 })).toEqual({ context: 2_000 })
    // What is taken later shows that it was not so.
    windows.taken(other, 9_000)
    expect(windows.windowOf(other, { context: 128_000 })).toEqual({ context: 128_000 })
    windows.refused(other, echoed(90_000), 1_000)
    expect(windows.windowOf(other, { context: 128_000 })).toEqual({ context: 128_000 })
  })
})
