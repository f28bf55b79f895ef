import { createAnthropic } from '@ai-sdk/anthropic'
import { createOpenAI } from '@ai-sdk/openai'
import { generateText } from 'ai'
import { afterEach, describe, expect, test } from 'vitest'
import { agent, lines, tools, type Agent } from '../../testing/generate/agent.ts'
import { startProvider, type ScriptedProvider } from '../../testing/provider/scripted-provider.ts'
import { scriptedModel } from '../../testing/scripted-model.ts'
import { plainSummary } from '../../testing/summary-request.ts'
import { aiSdkStep } from './ai-sdk-step.ts'
import { modelPrompt } from './model-prompt.ts'
import { modelSummarizer, type ModelSummarizerOptions } from './model-summarizer.ts'
import type { LanguageModel } from 'ai'
import type { ScriptedAnswer } from '../../testing/scripted-answer.ts'
import type { SessionOptions } from '../../session/session.ts'

const running: ScriptedProvider[] = []

afterEach(async () => {
  await Promise.all(running.splice(0).map((provider) => provider.close()))
})

// Behind fewer of them the head is so short that reading it again costs less.
const files = 10

const question = 'This message comes from the program'

/** An agent that has read some files, all of them in the provider's cache. */
async function readFiles(
  modelOf: (url: string) => Exclude<LanguageModel, string>,
  {
    settings = {},
    session: options = {},
    summary = () => ({ text: plainSummary }),
  }: {
    settings?: ModelSummarizerOptions
    session?: Partial<SessionOptions>
    summary?: (number: number) => ScriptedAnswer
  } = {},
) {
  let summaries = 0
  const provider = await startProvider({
    script: ({ said, number }): ScriptedAnswer => {
      const texts = said.flatMap((part) => (part.type === 'text' ? [part.text] : []))
      if (texts.some((text) => /The data ends here|This message comes from/.test(text))) {
        return summary(++summaries)
      }
      const usage = { input: number * 2_500, output: 100, cacheRead: number * 2_400 }
      if (number > files) return { text: 'Done.', usage }
      return {
        reasoning: `Let me think about file ${number}.`,
        text: `I read file ${number}.`,
        calls: [{ name: 'read', input: { path: `f${number}.ts`, tokens: 2_000 } }],
        usage,
      }
    },
  })
  running.push(provider)
  const model = modelOf(provider.url)
  const made = await agent({
    script: [],
    system: 'You are a careful agent.',
    tools,
    model: model.modelId,
    window: { context: 200_000 },
    summarizer: modelSummarizer(model, { livePrefix: { tools }, maxRetries: 0, ...settings }),
    step: { model },
    ...options,
  })
  await made.session.say('Read all files. Never push to main.')
  await made.run()
  return { ...made, provider, model }
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

  async function bodies(
    given: Parameters<typeof readFiles>[1],
    before: (made: Pick<Agent, 'session'>) => Promise<unknown> = async () => {},
  ) {
    const made = await readFiles(anthropic, given)
    await before(made)
    const from = made.provider.requests.length
    const report = await made.session.compact()
    const asked = made.provider.requests.slice(from).map(({ body }) => JSON.stringify(body))
    return { report, behindLive: asked.map((body) => body.includes(question)) }
  }

  test('is chosen while the cache is warm', async () => {
    await expect(bodies({})).resolves.toMatchObject({ behindLive: [true] })
  })

  test('is not chosen where nobody said what the prefix is', async () => {
    const settings = { livePrefix: undefined } as unknown as ModelSummarizerOptions
    await expect(bodies({ settings })).resolves.toMatchObject({ behindLive: [false] })
  })

  test('is not chosen where the model must call a tool', async () => {
    const settings: ModelSummarizerOptions = { livePrefix: { tools, toolChoice: 'required' } }
    await expect(bodies({ settings })).resolves.toMatchObject({ behindLive: [false] })
  })

  test('is not chosen for another model than the session’s', async () => {
    const session = { model: 'claude-opus-4-5' }
    await expect(bodies({ session })).resolves.toMatchObject({ behindLive: [false] })
  })

  test('is not chosen five minutes later', async () => {
    let now = 0
    const { behindLive } = await bodies({ session: { now: () => now } }, async () => {
      now += 5 * 60_000
    })
    expect(behindLive).toEqual([false])
  })

  test('is not chosen where the conversation has media, and those are not sent', async () => {
    const { behindLive } = await bodies({}, ({ session }) =>
      session.say([
        { type: 'text', text: 'What is that?' },
        { type: 'image', image: 'aW1hZ2U=', mediaType: 'image/png' },
      ]),
    )
    expect(behindLive).toEqual([false])
  })

  test('is not chosen while a call waits for its result', async () => {
    const { behindLive } = await bodies({}, async ({ session }) => {
      await session.say('Delete it.')
      await session.append({
        kind: 'message',
        at: 1,
        origin: 'model',
        message: {
          role: 'assistant',
          content: [{ type: 'tool-call', toolCallId: 'p1', toolName: 'remove', input: {} }],
        },
      })
    })
    expect(behindLive).toEqual([false])
  })

  test('runs no tool that is called in answer, and is asked for in the other shape then', async () => {
    let runs = 0
    const { execute: _, ...read } = tools.read
    const counted = {
      ...tools,
      read: { ...read, execute: async () => lines(`run ${++runs}`, 2_000) },
    } as typeof tools
    const { report, behindLive } = await bodies({
      settings: { livePrefix: { tools: counted } },
      summary: (number) =>
        number === 1 ? { calls: [{ name: 'read', input: {} }] } : { text: plainSummary },
    })
    expect(runs).toBe(0)
    expect(behindLive).toEqual([true, false])
    expect(report.attempts.map(({ problems }) => problems)).toEqual([
      ['it was a tool call instead of a summary'],
      [],
    ])
  })

  test('is asked for in the other shape at once where the provider refuses it', async () => {
    const refusal = Object.assign(new Error('messages: text content blocks must be non-empty'), {
      statusCode: 400,
    })
    const { report, behindLive } = await bodies({
      summary: (number) => (number === 1 ? { error: refusal } : { text: plainSummary }),
    })
    expect(behindLive).toEqual([true, false])
    expect(report.attempts).toHaveLength(1)
    expect(report.attempts[0]?.calls.map(({ failed }) => failed === true)).toEqual([true, false])
  })
})

test('the session’s own model is asked behind the live conversation where a small one fails', async () => {
  const down = scriptedModel({ script: () => ({ error: new Error('401') }), modelId: 'small' })
  const { session, provider } = await readFiles(anthropic, {
    session: {
      summarizer: {
        name: 'lazy',
        summarize: (request, options) =>
          modelSummarizer(down, {
            fallback: anthropic(provider.url),
            livePrefix: { tools },
            maxRetries: 0,
          }).summarize(request, options),
      },
    },
  })
  const report = await session.compact()
  expect(report.attempts[0]?.calls).toMatchObject([
    { model: 'small', failed: true },
    { model: 'claude-sonnet-4-5', cost: expect.any(Number) },
  ])
  expect(JSON.stringify(provider.requests.at(-1)?.body)).toContain(question)
})

test('an abort ends the question at once, and leaves the context as it was', async () => {
  const { session } = await readFiles(anthropic, { summary: () => ({ hangs: 'before' }) })
  const before = JSON.stringify(session.messages())
  const signal = AbortSignal.timeout(20)
  await expect(session.compact({ signal })).rejects.toMatchObject({ name: 'TimeoutError' })
  expect(JSON.stringify(session.messages())).toBe(before)
})

test('an earlier summary is updated, in either shape', async () => {
  const { session, provider, run } = await readFiles(anthropic, {
    summary: (number) => ({ text: plainSummary.replace('all is well', `summary ${number}`) }),
  })
  await session.compact()
  await session.say('Go on.')
  await run()
  await session.compact()
  const asked = JSON.stringify(provider.requests.at(-1)?.body)
  expect(asked).toContain('summary 1')
  expect(asked).toContain('An earlier summary stands at the beginning')
})
