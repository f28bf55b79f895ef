import {
  APICallError,
  generateText,
  isStepCount,
  streamText,
  ToolLoopAgent,
  wrapLanguageModel,
  type ModelMessage,
} from 'ai'
import { describe, expect, test } from 'vitest'
import { aiSdkCompaction, type AiSdkCompactionOptions } from './ai-sdk-compaction.ts'
import { illegalities } from '../../../testing/legal.ts'
import { memoryStore } from '../../../stores/memory.ts'
import { overflowError } from '../../../testing/overflow-errors.ts'
import {
  scriptedModel,
  type Script,
  type ScriptedRules,
} from '../../../testing/scripted/scripted-model.ts'
import { tools } from '../../../testing/generate/agent.ts'
import type { Message } from '../../../log/message.ts'

const window = { context: 16_000 }
const ask: ModelMessage = { role: 'user', content: 'Read all files. Never edit main.ts.' }

/** Reads so many files, one a step, and says that it is done. */
function reading(files: number): Script {
  return ({ prompt }) => {
    const read = prompt.flatMap(({ content }) =>
      typeof content === 'string' ? [] : content.filter((part) => part.type === 'tool-call'),
    )
    const last = read.at(-1)
    const number = last ? Number(/\d+/.exec(JSON.stringify(last.input))?.[0]) + 1 : 1
    if (number > files) return { text: 'All files are read.' }
    return { calls: [{ name: 'read', input: { path: `src/file-${number}.ts`, tokens: 1_500 } }] }
  }
}

function setUp(
  script: Script,
  rules: ScriptedRules = {},
  options: Partial<AiSdkCompactionOptions> = {},
) {
  const inner = scriptedModel({ script, rules })
  const compaction = aiSdkCompaction({
    store: memoryStore(),
    id: 'a',
    window,
    ...options,
    model: inner,
  } as AiSdkCompactionOptions)
  return { inner, compaction }
}

type Compaction = ReturnType<typeof setUp>['compaction']
type Run = (compaction: Compaction, messages: ModelMessage[]) => Promise<ModelMessage[]>

const settings = ({ model, prepareStep, onStepEnd }: Compaction) => ({
  model,
  prepareStep,
  onStepEnd,
  tools,
  instructions: 'Be brief.',
  stopWhen: isStepCount(100),
})

const loops: Record<string, Run> = {
  generateText: async (compaction, messages) =>
    (await generateText({ ...settings(compaction), messages })).responseMessages,
  streamText: async (compaction, messages) => {
    const result = streamText({ ...settings(compaction), messages, onError: () => {} })
    for await (const part of result.stream) if (part.type === 'error') throw part.error
    return result.responseMessages
  },
  ToolLoopAgent: async (compaction, messages) =>
    (await new ToolLoopAgent(settings(compaction)).generate({ messages })).responseMessages,
}

async function history({ session }: Compaction): Promise<Message[]> {
  return (await (await session()).history()).map(({ message }) => message)
}

describe.each(Object.entries(loops))('%s', (_, loop) => {
  test('goes on past its window, and its log holds each message once', async () => {
    const { inner, compaction } = setUp(reading(30), { window: 16_000 })
    const said = await loop(compaction, [ask])
    expect(said.at(-1)).toMatchObject({ content: [{ text: 'All files are read.' }] })
    expect(await history(compaction)).toEqual(JSON.parse(JSON.stringify([ask, ...said])))
    expect(inner.requests).toHaveLength(31)
    const session = await compaction.session()
    expect(
      (await session.log()).filter(({ kind }) => kind === 'prune' || kind === 'checkpoint').length,
    ).toBeGreaterThan(1)
    expect((await session.log()).filter(({ kind }) => kind === 'rewind')).toEqual([])
    expect(illegalities(session.messages())).toEqual([])
    expect(JSON.stringify(inner.requests.at(-1)?.prompt)).toContain('Never edit main.ts.')
  })

  test('goes on with its own full history in another turn', async () => {
    const { inner, compaction } = setUp(reading(30), { window: 16_000 })
    const messages: ModelMessage[] = [ask, ...(await loop(compaction, [ask]))]
    const next: ModelMessage = { role: 'user', content: 'Thank you.' }
    const copy: ModelMessage[] = JSON.parse(JSON.stringify([...messages, next]))
    const more = await loop(compaction, copy)
    expect(inner.requests.at(-1)?.tokens).toBeLessThan(16_000)
    expect(await history(compaction)).toEqual(JSON.parse(JSON.stringify([...copy, ...more])))
  })

  test('recovers from an overflow that nobody saw coming, and learns the window', async () => {
    const { inner, compaction } = setUp(
      reading(12),
      { window: 10_000 },
      { window: { context: 100_000 } },
    )
    const said = await loop(compaction, [ask])
    expect(said.at(-1)).toMatchObject({ content: [{ text: 'All files are read.' }] })
    const session = await compaction.session()
    expect(session.window.context).toBe(10_000)
    expect(inner.requests.filter(({ tokens }) => tokens > 10_000)).toHaveLength(1)
    expect(await history(compaction)).toEqual(JSON.parse(JSON.stringify([ask, ...said])))
  })

  test('says what to do where the compacted context is refused, too', async () => {
    const error = overflowError('openai', { tokens: 200_000, limit: 128_000 })
    const many = setUp(({ number }) =>
      number < 4 ? { calls: [{ name: 'read', input: { tokens: 3_000 } }] } : { error },
    )
    await expect(loop(many.compaction, [ask])).rejects.toMatchObject({ code: 'OVERFLOW' })
    expect(many.inner.requests).toHaveLength(5)
  })

  test('asks once where a proxy wants a password', async () => {
    const cause = new TypeError('fetch failed', { cause: new Error('') })
    const call = { message: 'Cannot connect to API: ', url: '', requestBodyValues: {}, cause }
    const error = new APICallError({ ...call, isRetryable: true })
    const { inner, compaction } = setUp([{ error }, { error }, { error }])
    const own = wrapLanguageModel({ model: inner, middleware: compaction.middleware })
    for (const model of [compaction.model, own]) {
      const before = inner.requests.length
      const asked = loop({ ...compaction, model }, [ask])
      await expect(asked).rejects.toThrow('Cannot connect to API')
      expect(inner.requests).toHaveLength(before + 1)
    }
  })

  test('throws any other error as it is', async () => {
    const error = new Error('no such model')
    const { inner, compaction } = setUp([{ error }])
    await expect(loop(compaction, [ask])).rejects.toThrow('no such model')
    expect(inner.requests).toHaveLength(1)
  })
})
