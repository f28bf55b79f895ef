import { afterEach, describe, expect, it } from 'vitest'
import { createAnthropic } from '@ai-sdk/anthropic'
import { jsonSchema, tool } from 'ai'
import { openSession } from '../../session/session.ts'
import { run } from '../../session/loop/loop.ts'
import { memoryStore } from '../../stores/memory.ts'
import { tools } from '../../testing/generate/agent.ts'
import { startProvider, type ScriptedProvider } from '../../testing/provider/index.ts'
import { aiSdkGenerateStep } from './ai-sdk-generate-step.ts'
import { aiSdkStep } from './ai-sdk-step.ts'
import type { Session } from '../../session/session.ts'

const running: ScriptedProvider[] = []

afterEach(async () => {
  await Promise.all(running.splice(0).map((provider) => provider.close()))
  Reflect.deleteProperty(globalThis, 'AI_SDK_DEFAULT_PROVIDER')
})

const script = [
  { reasoning: 'A look first.', text: 'I look.', calls: [{ name: 'read', input: { path: 'a' } }] },
  { text: 'Done.' },
]

async function provider(): Promise<ScriptedProvider> {
  const started = await startProvider({ script, rules: { strict: true, bindsThinking: true } })
  running.push(started)
  return started
}

async function session(): Promise<Session> {
  const options = { store: memoryStore(), id: 'a', window: { context: 100_000 }, now: () => 7 }
  const opened = await openSession(options)
  await opened.say('Look at a.')
  return opened
}

function modelAt({ url }: ScriptedProvider): ReturnType<ReturnType<typeof createAnthropic>> {
  return createAnthropic({ baseURL: `${url}/v1`, apiKey: 'x' })('scripted')
}

describe('a step that does not stream', () => {
  it('asks for whole answers, and writes the same log as one that streams', async () => {
    const logs: unknown[] = []
    for (const stepOf of [aiSdkGenerateStep, aiSdkStep]) {
      const scripted = await provider()
      const opened = await session()
      const result = run({
        session: opened,
        step: stepOf({ model: modelAt(scripted), tools, maxOutputTokens: 1_000 }),
      })
      await expect(result).resolves.toEqual({ reason: 'finished', steps: 2 })
      const streams = scripted.requests.map(({ body }) => body['stream'] === true)
      expect(streams).toEqual(stepOf === aiSdkStep ? [true, true] : [false, false])
      logs.push((await opened.history()).map(({ message }) => message))
    }
    expect(logs[0]).toEqual(logs[1])
    expect(JSON.stringify(logs[0])).toContain('A look first.')
  })

  it.each([aiSdkGenerateStep, aiSdkStep])(
    'writes the answer down before its tools run, like one that streams: %o',
    async (stepOf) => {
      const opened = await session()
      let written: unknown
      const read = tool({
        inputSchema: jsonSchema<object>({ type: 'object' }),
        execute: async () => {
          written = (await opened.history()).at(-1)?.message
          return 'found'
        },
      })
      await run({
        session: opened,
        step: stepOf({ model: modelAt(await provider()), tools: { read }, maxOutputTokens: 1_000 }),
      })
      expect(written).toMatchObject({ role: 'assistant' })
    },
  )

  it('takes a model by its name, and one that a step chooses', async () => {
    const scripted = await provider()
    const anthropic = createAnthropic({ baseURL: `${scripted.url}/v1`, apiKey: 'x' })
    globalThis.AI_SDK_DEFAULT_PROVIDER = anthropic
    const opened = await session()
    const prepareStep = (): { model: string } => ({ model: 'chosen' })
    await run({
      session: opened,
      step: aiSdkGenerateStep({ model: 'named', tools, prepareStep, maxOutputTokens: 1_000 }),
    })
    expect(scripted.requests.map(({ model }) => model)).toEqual(['chosen', 'chosen'])
    expect(scripted.requests.every(({ body }) => body['stream'] !== true)).toBe(true)
  })
})
