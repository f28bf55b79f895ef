import { afterEach, expect, it } from 'vitest'
import { asked, started, type Started } from '../testing/started.ts'
import { drawnId, wireAgents } from '../testing/agents.ts'
import type { SessionSettings } from './settings.ts'

const running: Started[] = []

afterEach(async () => {
  await Promise.all(running.splice(0).map((each) => each.close()))
})

const agent = wireAgents.find(({ name }) => name === 'gemini')
const words = '<state_snapshot>'
/** In tokens, as the provider counts: from here on, the client asks for a summary before each step. */
const threshold = 20_000
const bytesForToken = 4

/** A client like Gemini CLI: it can cut only before the human's words, and these stand at the beginning. */
async function client(sessions: SessionSettings) {
  if (!agent) throw new Error('No agent speaks over Gemini’s API.')
  const one = await started(
    {
      script: ({ body }) => ({
        text: words,
        usage: { input: Math.ceil(JSON.stringify(body).length / bytesForToken), output: 2 },
      }),
    },
    { sessions: { when: 'rescue', ...sessions } },
  )
  running.push(one)
  const said: object[] = [...agent.ask('Read all parts.')]
  const send = async (body: object): Promise<number> => {
    const { text } = await asked(one.gateway, agent.path('m', false), body, agent.headers)
    return (JSON.parse(text) as { usageMetadata: { promptTokenCount: number } }).usageMetadata
      .promptTokenCount
  }
  let told = 0
  let summaries = 0
  let steps = 0
  const step = async (): Promise<void> => {
    if (told >= threshold) {
      summaries += 1
      await send({
        systemInstruction: { parts: [{ text: `Write a ${words}.` }] },
        contents: agent.ask('Read all parts.'),
      })
    }
    steps += 1
    said.push(...agent.step(drawnId(steps, 'a'), { path: `${steps}` }, 'word '.repeat(800)))
    told = await send(agent.body({ model: 'm', said, streams: false, tools: true }))
  }
  return {
    step,
    says: async (text: string) => {
      said.push(...agent.says('Done.'), ...agent.ask(text))
      told = await send(agent.body({ model: 'm', said, streams: false, tools: true }))
    },
    told: () => told,
    summaries: () => summaries,
  }
}

async function summariesOf(sessions: SessionSettings): Promise<number> {
  const { step, summaries } = await client(sessions)
  for (let at = 0; at < 40; at++) await step()
  return summaries()
}

it('lets a client ask once for a summary that is too short to help, and not again before each step', async () => {
  expect(await summariesOf({})).toBeGreaterThan(15)
  const spared = await summariesOf({ ownSummary: words })
  expect(spared).toBeGreaterThan(0)
  expect(spared).toBeLessThanOrEqual(4)
})

it('tells a client the truth as soon as the human has spoken: there it can cut', async () => {
  const { step, says, told, summaries } = await client({ ownSummary: words })
  while (summaries() === 0) await step()
  expect(told()).toBeLessThan(threshold)
  await says('Read on.')
  expect(told()).toBeGreaterThan(threshold)
})
