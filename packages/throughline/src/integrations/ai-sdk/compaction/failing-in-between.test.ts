import { APICallError, generateText, isStepCount, streamText, type ModelMessage } from 'ai'
import { describe, expect, test } from 'vitest'
import { aiSdkCompaction, type AiSdkCompactionOptions } from './ai-sdk-compaction.ts'
import { defaultPolicy } from '../../../compaction/policy.ts'
import { memoryStore } from '../../../stores/memory.ts'
import { overflowError } from '../../../testing/overflow-errors.ts'
import { scriptedModel, type Script } from '../../../testing/scripted/scripted-model.ts'
import { tools } from '../../../testing/generate/agent.ts'

const ask: ModelMessage = { role: 'user', content: 'Read all files.' }
const stopWhen = isStepCount(60)

function setUp(script: Script, options: Partial<AiSdkCompactionOptions> = {}) {
  const inner = scriptedModel({ script })
  const compaction = aiSdkCompaction({
    store: memoryStore(),
    id: 'a',
    window: { context: 16_000 },
    ...options,
    model: inner,
  } as AiSdkCompactionOptions)
  return { inner, compaction }
}

describe('a provider that fails in another way behind an overflow', () => {
  const overflow = overflowError('anthropic', { tokens: 12_000, limit: 10_000 })
  const failure = new APICallError({
    message: 'try later',
    url: 'http://provider.test',
    requestBodyValues: {},
    statusCode: 500,
    responseHeaders: { 'retry-after-ms': '0' },
  })
  const script: Script = ({ number }) => {
    if (number === 5) return { error: overflow }
    if (number === 6) return { error: failure }
    if (number > 6) return { text: 'Done.' }
    return { calls: [{ name: 'read', input: { tokens: 2_000 } }] }
  }

  test.each(['whole', 'streamed'])(
    'is sent what was compacted when the SDK tries again: %s',
    async (sent) => {
      const { inner, compaction } = setUp(script, { window: { context: 100_000 } })
      const { model, prepareStep } = compaction
      const request = { model, prepareStep, tools, messages: [ask], stopWhen }
      const answer = sent === 'whole' ? await generateText(request) : streamText(request)
      expect(await answer.text).toBe('Done.')
      expect(inner.requests).toHaveLength(7)
      expect(inner.requests[6]?.prompt).toEqual(inner.requests[5]?.prompt)
      const log = await (await compaction.session()).log()
      expect(log.filter(({ kind }) => kind === 'checkpoint')).toHaveLength(1)
    },
  )
})

const reading: Script = () => ({ calls: [{ name: 'read', input: { tokens: 1_500 } }] })

test.each(['whole', 'streamed'])(
  'an abort does not wait for a summary, and leaves the context as it was: %s',
  async (sent) => {
    const controller = new AbortController()
    let asked = 0
    const { compaction } = setUp(reading, {
      policy: { ...defaultPolicy, prune: () => undefined, prepareAt: (usable) => usable },
      summarizer: {
        name: 'slow',
        summarize: () => {
          asked += 1
          controller.abort()
          return new Promise<never>(() => {})
        },
      },
    })
    const { model, prepareStep } = compaction
    const { signal: abortSignal } = controller
    const request = { model, prepareStep, tools, messages: [ask], stopWhen, abortSignal }
    if (sent === 'whole') {
      await expect(generateText(request)).rejects.toMatchObject({ name: 'AbortError' })
    } else {
      const parts: string[] = []
      const result = streamText({ ...request, onError: () => {} })
      for await (const part of result.stream) parts.push(part.type)
      expect(parts.at(-1)).toBe('abort')
    }
    expect(asked).toBe(1)
    const log = await (await compaction.session()).log()
    expect(log.map(({ kind }) => kind)).not.toContain('checkpoint')
  },
)

test('a store that does not answer once is asked again by the next turn', async () => {
  const store = memoryStore()
  let reads = 0
  const { compaction } = setUp([{ text: 'Done.' }], {
    store: {
      ...store,
      read: async (...request) => {
        reads += 1
        if (reads === 1) throw new Error('busy')
        return store.read(...request)
      },
    },
  })
  const { model, prepareStep } = compaction
  const turn = () => generateText({ model, prepareStep, messages: [ask] })
  await expect(turn()).rejects.toThrow('busy')
  expect((await turn()).text).toBe('Done.')
})
