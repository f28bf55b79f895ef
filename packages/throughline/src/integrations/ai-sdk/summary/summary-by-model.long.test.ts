import { createAnthropic } from '@ai-sdk/anthropic'
import { afterEach, describe, expect, test } from 'vitest'
import {
  cachedAgent,
  question,
  type CachedAgent,
  type CachedAgentOptions,
} from '../../../testing/cached-agent.ts'
import { lines, tools } from '../../../testing/generate/agent.ts'
import { scriptedModel } from '../../../testing/scripted/scripted-model.ts'
import { plainSummary } from '../../../testing/scripted/summary-request.ts'
import { modelSummarizer, type ModelSummarizerOptions } from './model-summarizer.ts'
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

describe('a summary is asked for behind the live conversation', () => {
  async function bodies(
    given: CachedAgentOptions,
    before: (made: CachedAgent) => Promise<unknown> = async () => {},
  ) {
    const made = await readFiles(anthropic, given)
    await before(made)
    const from = made.provider.requests.length
    const report = await made.session.compact()
    const asked = made.provider.requests.slice(from).map(({ body }) => JSON.stringify(body))
    return { report, behindLive: asked.map((body) => body.includes(question)) }
  }

  test('while the cache is warm', async () => {
    await expect(bodies({})).resolves.toMatchObject({ behindLive: [true] })
  })

  test('and leaves its answer no more than the window has', async () => {
    const settings: ModelSummarizerOptions = {
      livePrefix: { tools },
      maxOutputTokens: 50_000,
      window: { context: 40_000 },
    }
    const { session, provider } = await readFiles(anthropic, { settings })
    await session.compact()
    const { max_tokens } = provider.requests.at(-1)?.body ?? {}
    expect(max_tokens).toBeLessThan(40_000 - 25_000)
  })

  test('not where nobody said what the prefix is', async () => {
    const settings = { livePrefix: undefined } as unknown as ModelSummarizerOptions
    await expect(bodies({ settings })).resolves.toMatchObject({ behindLive: [false] })
  })

  test('not where the model must call a tool', async () => {
    const settings: ModelSummarizerOptions = { livePrefix: { tools, toolChoice: 'required' } }
    await expect(bodies({ settings })).resolves.toMatchObject({ behindLive: [false] })
  })

  test('not for another model than the session’s', async () => {
    const session = { model: 'claude-opus-4-5' }
    await expect(bodies({ session })).resolves.toMatchObject({ behindLive: [false] })
  })

  test('not five minutes later', async () => {
    let now = 0
    const { behindLive } = await bodies({ session: { now: () => now } }, async () => {
      now += 5 * 60_000
    })
    expect(behindLive).toEqual([false])
  })

  test('not where the conversation has media, and those are not sent', async () => {
    const { behindLive } = await bodies({}, ({ session }) =>
      session.say([
        { type: 'text', text: 'What is that?' },
        { type: 'image', image: 'aW1hZ2U=', mediaType: 'image/png' },
      ]),
    )
    expect(behindLive).toEqual([false])
  })

  test('not while a call waits for its result', async () => {
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

  test('and runs no tool that is called in answer, and is asked for in the other shape then', async () => {
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

  test('and in the other shape at once where the provider refuses it', async () => {
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
  expect(asked).toContain('An earlier summary comes at the beginning')
})
