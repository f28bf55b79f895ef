import { afterEach, describe, expect, it } from 'vitest'
import { asked, started, type Started } from '../testing/started.ts'
import { drawnId, wireAgents, type WireAgent } from '../testing/agents.ts'
import type { ServedRequest } from 'throughline/testing/provider'

const running: Started[] = []

afterEach(async () => {
  await Promise.all(running.splice(0).map((each) => each.close()))
})

async function start(...given: Parameters<typeof started>): Promise<Started> {
  const one = await started(...given)
  running.push(one)
  return one
}

const rule = 'Never edit main.ts.'
const words = (number: number) => `part ${number}: ${'word '.repeat(250)}`

/** What an agent has said and heard after so many steps. */
function history(agent: WireAgent, steps: number, whose = 'a'): object[] {
  return [
    ...agent.ask(`Read all parts of ${whose}. ${rule}`),
    ...Array.from({ length: steps }, (_, step) =>
      agent.step(drawnId(step, whose), { path: `src/part-${step}.ts` }, words(step)),
    ).flat(),
  ]
}

const isMain = ({ tools }: ServedRequest) => tools.includes('read')
const script = (request: ServedRequest) => ({ text: isMain(request) ? 'Next.' : 'no summary' })

function messagesIn({ body }: ServedRequest): string[] {
  const list = body['messages'] ?? body['input'] ?? body['contents']
  return (list as unknown[]).map((one) => JSON.stringify(one))
}

/** How often a request does not begin with all of the one before. */
function changesIn(requests: readonly ServedRequest[]): number {
  return requests.filter((request, index) => {
    const before = requests[index - 1]
    const now = messagesIn(request)
    return before !== undefined && messagesIn(before).some((one, at) => now[at] !== one)
  }).length
}

describe.each(wireAgents)('an agent over $name', (agent) => {
  it.each([false, true])(
    'of 120 steps in a window of 16,000 never hears of it (streams: %s)',
    async (streams) => {
      const rules = { window: 16_000, strict: true }
      const settings = { window: { context: 16_000 }, summaryModel: false as const }
      const { gateway, provider, problems } = await start({ script, rules }, { sessions: settings })
      const done = new Map<string | null, number>()
      const sessions = new Set<string | null>()
      for (let steps = 0; steps <= 120; steps += 1) {
        const said = history(agent, steps)
        const body = agent.body({ model: 'm', said, streams, tools: true })
        const answer = await asked(gateway, agent.path('m', streams), body, agent.headers)
        expect(answer.status).toBe(200)
        expect(answer.text).toContain('Next.')
        done.set(answer.did, (done.get(answer.did) ?? 0) + 1)
        if (answer.session) sessions.add(answer.session)
      }
      expect(problems).toEqual([])
      const main = provider.requests.filter(isMain)
      expect(main.every(({ refused }) => refused === undefined)).toBe(true)
      expect(main.every(({ body }) => JSON.stringify(body).includes(rule))).toBe(true)
      expect(sessions.size).toBe(1)
      const compactions = done.get('compacted') ?? 0
      expect(compactions).toBeGreaterThan(1)
      expect(compactions).toBeLessThan(12)
      expect(changesIn(main)).toBe(compactions)
      expect(done.get('kept')).toBeGreaterThan(50)
    },
  )

  it('whose window nobody knows is rescued when its provider refuses', async () => {
    const rules = { window: 12_000, strict: true }
    const { gateway, provider, problems } = await start({ script, rules })
    const dids: (string | null)[] = []
    for (let steps = 30; steps <= 60; steps += 1) {
      const body = agent.body({
        model: 'unheard-of',
        said: history(agent, steps),
        streams: true,
        tools: true,
      })
      const answer = await asked(gateway, agent.path('unheard-of', true), body, agent.headers)
      expect(
        answer.status,
        `${steps} ${dids.join()} ${answer.did} ${answer.text} ${String(problems)}`,
      ).toBe(200)
      dids.push(answer.did)
    }
    expect(problems).toEqual([])
    // Once refused, its window is known.
    expect(dids.filter((did) => did === 'recovered').length).toBeLessThan(4)
    expect(dids).toContain('recovered')
    expect(dids).toContain('kept')
    expect(provider.requests.filter(({ refused }) => refused === 'illegal')).toEqual([])
  })

  it('gets every byte of it through while it fits', async () => {
    const { gateway, provider } = await start(
      { script },
      { sessions: { window: { context: 400_000 } } },
    )
    const said = history(agent, 40)
    const body = agent.body({ model: 'm', said, streams: false, tools: true })
    const answer = await asked(gateway, agent.path('m', false), body, agent.headers)
    expect(answer.did).toBe('nothing')
    expect(provider.requests[0]?.body).toEqual(body)
  })

  it('takes a summary by its own model and key, made before it is needed', async () => {
    const summary = '## Goal\nRead the parts.\n\n## Accomplished\n- The parts were read, marigold.'
    const { gateway, provider, problems } = await start(
      { script: (request) => ({ text: isMain(request) ? 'Next.' : summary }) },
      { sessions: { window: { context: 16_000 } } },
    )
    for (let steps = 0; steps <= 70; steps += 1) {
      const body = agent.body({
        model: 'm',
        said: history(agent, steps),
        streams: true,
        tools: true,
      })
      await asked(gateway, agent.path('m', true), body, agent.headers)
    }
    expect(problems).toEqual([])
    const main = provider.requests.filter(isMain)
    expect(JSON.stringify(main.at(-1)?.body)).toContain('marigold')
    expect(provider.requests.length - main.length).toBeLessThan(4)
  })
})
