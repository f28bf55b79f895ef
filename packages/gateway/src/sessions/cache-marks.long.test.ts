import { afterEach, expect, it } from 'vitest'
import { asked, started, type Started } from '../testing/started.ts'
import { drawnId, wireAgents } from '../testing/agents.ts'

const running: Started[] = []
afterEach(async () => {
  await Promise.all(running.splice(0).map((each) => each.close()))
})

const agent = wireAgents.find(({ name }) => name === 'anthropic') as (typeof wireAgents)[number]
const mark = { type: 'ephemeral' }

interface Block {
  cache_control?: object
}

interface Message {
  role: string
  content: string | Block[]
}

/** Marked as Claude Code does it: its instructions, and its newest messages, at each request anew. */
function marked(said: readonly object[]): Message[] {
  const messages = structuredClone(said) as Message[]
  for (const message of messages.slice(-3)) {
    const blocks = message.content
    const last = typeof blocks === 'string' ? undefined : blocks.at(-1)
    if (last) last.cache_control = mark
  }
  return messages
}

const marksIn = (body: unknown): number => JSON.stringify(body).split('"cache_control"').length - 1

it.each([false, true])(
  'A request has no more marks of the cache than its client has set (in a thread: %s).',
  async (thread) => {
    const { gateway, provider, problems, ...rest } = await started(
      { script: () => ({ text: 'Next.' }), rules: { strict: true } },
      { sessions: { window: { context: 16_000 }, summaryModel: false }, thread },
    )
    running.push({ gateway, provider, problems, ...rest })
    const dids = new Set<string | null>()
    for (let steps = 0; steps <= 90; steps += 1) {
      const said = [
        ...agent.ask('Read all parts. Never edit main.ts.'),
        ...Array.from({ length: steps }, (_, step) => {
          const text = `part ${step}: ${'word '.repeat(120 + ((step * 37) % 200))}`
          return agent.step(drawnId(step), { path: `src/part-${step}.ts` }, text)
        }).flat(),
      ]
      const body = agent.body({ model: 'm', said: marked(said), streams: false, tools: true })
      const answer = await asked(gateway, agent.path('m', false), body, agent.headers)
      expect(answer.text).toContain('Next.')
      dids.add(answer.did)
      const sent = provider.requests.at(-1)?.body as { messages: Message[] }
      expect(marksIn(sent)).toBeLessThanOrEqual(marksIn(body))
      // What is written to the cache is all that was sent.
      if (steps > 0) expect(marksIn(sent.messages.at(-1))).toBe(1)
    }
    expect(dids).toContain('compacted')
    expect(problems).toEqual([])
  },
  60_000,
)
