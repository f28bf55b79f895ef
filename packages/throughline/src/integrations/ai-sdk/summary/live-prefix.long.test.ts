import { createAnthropic } from '@ai-sdk/anthropic'
import { createOpenAI } from '@ai-sdk/openai'
import { generateText } from 'ai'
import { afterEach, describe, expect, test } from 'vitest'
import { cachedAgent, question, type CachedAgent } from '../../../testing/cached-agent.ts'
import { tools } from '../../../testing/generate/agent.ts'
import { aiSdkStep } from '../ai-sdk-step.ts'
import { modelPrompt } from './model-prompt.ts'
import type { LanguageModel } from 'ai'
import type { ScriptedProvider } from '../../../testing/provider/scripted-provider.ts'

const running: ScriptedProvider[] = []

afterEach(async () => {
  await Promise.all(running.splice(0).map((provider) => provider.close()))
})

async function readFiles(...given: Parameters<typeof cachedAgent>): Promise<CachedAgent> {
  const made = await cachedAgent(...given)
  running.push(made.provider)
  return made
}

const anthropic = (url: string): Exclude<LanguageModel, string> =>
  createAnthropic({ baseURL: `${url}/v1`, apiKey: 'none' })('claude-sonnet-4-5')

const providers = [
  { name: 'Anthropic Messages', modelOf: anthropic },
  {
    name: 'OpenAI Responses',
    modelOf: (url: string) => createOpenAI({ baseURL: `${url}/v1`, apiKey: 'none' })('gpt-5.4'),
  },
  {
    name: 'Chat Completions',
    modelOf: (url: string) =>
      createOpenAI({ baseURL: `${url}/v1`, apiKey: 'none' }).chat('gpt-5.2'),
  },
]

/** All that is said, in order, whatever is grouped with what. */
function saidIn(body: Readonly<Record<string, unknown>>): string[] {
  const messages = (body['messages'] ?? body['input']) as { role?: string; content?: unknown }[]
  return messages.flatMap(({ content, ...message }) =>
    Array.isArray(content)
      ? content.map((part) => JSON.stringify({ ...message, part }))
      : [JSON.stringify({ ...message, content })],
  )
}

describe('a summary asked for behind the live conversation', () => {
  test.each(providers)('says the very same to $name before its question', async ({ modelOf }) => {
    const { session, provider, model } = await readFiles(modelOf)
    await session.say('What now?')
    const ask = aiSdkStep({ model, tools })
    const request = { system: session.frame.system, messages: session.messages() }
    await ask(request as Parameters<typeof ask>[0], { onPart: () => {} })
    const live = provider.requests.at(-1)?.body ?? {}
    const report = await session.compact()
    expect(report).toMatchObject({ action: 'summary', rung: 'model' })
    const asked = provider.requests.at(-1)?.body ?? {}
    for (const field of [
      'system',
      'tools',
      'tool_choice',
      'instructions',
      'thinking',
      'reasoning',
    ]) {
      expect(JSON.stringify(asked[field])).toBe(JSON.stringify(live[field]))
    }
    const before = saidIn(live)
    const said = saidIn(asked)
    expect(said.slice(0, before.length)).toEqual(before)
    expect(said).toHaveLength(before.length + 1)
    expect(said.at(-1)).toContain(question)
    expect(report.spent).toMatchObject({ calls: 1 })
  })

  test.each(providers)('asks $name once where the key is refused', async ({ modelOf }) => {
    const { session, provider } = await readFiles(modelOf, { summary: () => ({ refuses: 'key' }) })
    const before = provider.requests.length
    const report = await session.compact()
    expect(report).toMatchObject({ summarizer: 'local', attempts: [{ refused: 'key' }] })
    expect(provider.requests).toHaveLength(before + 1)
  })

  test('says it as the session does where that has its answers as a whole', async () => {
    const livePrefix = { tools, sent: 'whole' } as const
    const { session, provider, model } = await readFiles(anthropic, { settings: { livePrefix } })
    await session.say('What now?')
    const { instructions = [], messages } = modelPrompt({
      system: session.frame.system,
      messages: session.messages(),
    })
    await generateText({ model, instructions, messages, tools })
    const live = provider.requests.at(-1)?.body ?? {}
    await session.compact()
    const asked = provider.requests.at(-1)?.body ?? {}
    expect(JSON.stringify(asked['tools'])).toBe(JSON.stringify(live['tools']))
    expect(saidIn(asked).slice(0, -1)).toEqual(saidIn(live))
  })
})
