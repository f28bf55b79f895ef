import {
  generateText,
  isStepCount,
  streamText,
  wrapLanguageModel,
  type LanguageModelMiddleware,
  type ModelMessage,
} from 'ai'
import { describe, expect, test } from 'vitest'
import { aiSdkCompaction, type AiSdkCompactionOptions } from './ai-sdk-compaction.ts'
import { defaultPolicy } from '../../../compaction/policy.ts'
import { memoryStore } from '../../../stores/memory.ts'
import { openSession } from '../../../session/session.ts'
import { overflowError } from '../../../testing/overflow-errors.ts'
import {
  scriptedModel,
  type Script,
  type ScriptedRules,
} from '../../../testing/scripted/scripted-model.ts'
import { summaryAsSystem } from '../../../compaction/render/summary-block.ts'
import { modelOn } from '../../../promises/faults/wires.ts'
import { startProvider } from '../../../testing/provider/index.ts'
import type { ProviderModel } from '../../../testing/scripted/model-types.ts'
import { tools } from '../../../testing/generate/agent.ts'

const ask: ModelMessage = { role: 'user', content: 'Read all files.' }
const stopWhen = isStepCount(60)

/** Reads so many files, one in each request, and is done. */
function reading(files: number, tokens = 1_500): Script {
  return ({ number }) =>
    number > files
      ? { text: 'Done.' }
      : { calls: [{ name: 'read', input: { path: `src/file-${number}.ts`, tokens } }] }
}

function setUp(
  script: Script,
  options: Partial<AiSdkCompactionOptions> = {},
  rules: ScriptedRules = {},
) {
  const inner = scriptedModel({ script, rules })
  const compaction = aiSdkCompaction({
    store: memoryStore(),
    id: 'a',
    window: { context: 16_000 },
    ...options,
    model: inner,
  } as AiSdkCompactionOptions)
  return { inner, compaction }
}

describe('an overflow that comes inside the stream', () => {
  const error = overflowError('anthropic', { tokens: 12_000, limit: 10_000 })

  test('before the first word is recovered from, and nothing of it is seen', async () => {
    const { inner, compaction } = setUp(
      ({ number }) => {
        if (number === 5) return { breaks: error }
        return number > 5
          ? { text: 'Done.' }
          : { calls: [{ name: 'read', input: { tokens: 2_000 } }] }
      },
      { window: { context: 100_000 } },
    )
    const { model, prepareStep } = compaction
    const seen: string[] = []
    const result = streamText({ model, prepareStep, tools, messages: [ask], stopWhen })
    for await (const part of result.stream) seen.push(part.type)
    expect(seen).not.toContain('error')
    expect(await result.text).toBe('Done.')
    expect(inner.requests).toHaveLength(6)
    expect(inner.requests[5]?.tokens).toBeLessThan(inner.requests[4]?.tokens ?? 0)
    expect((await compaction.session()).window.context).toBe(10_000)
  })

  test.each(['anthropic' as const, 'chat' as const, 'responses' as const])(
    'behind the beginning of an answer is recovered from: %s',
    async (wire) => {
      const provider = await startProvider({
        script: ({ number }) => {
          if (number === 5) return { refuses: 'overflow', late: true }
          return number > 5
            ? { text: 'Done.' }
            : { calls: [{ name: 'read', input: { tokens: 2_000 } }] }
        },
      })
      const compaction = aiSdkCompaction({
        store: memoryStore(),
        id: 'a',
        window: { context: 100_000 },
        model: modelOn(wire, provider.url, 'scripted') as ProviderModel,
      })
      const { model, prepareStep } = compaction
      const seen: string[] = []
      const result = streamText({ model, prepareStep, tools, messages: [ask], stopWhen })
      for await (const part of result.stream) seen.push(part.type)
      await provider.close()
      expect(seen).not.toContain('error')
      expect(await result.text).toBe('Done.')
      expect(provider.requests).toHaveLength(6)
    },
  )

  test('behind the first word stays an error: what was said is not said twice', async () => {
    const { inner, compaction } = setUp([{ text: 'So far', breaks: error }])
    const { model, prepareStep } = compaction
    const errors: unknown[] = []
    const result = streamText({
      model,
      prepareStep,
      messages: [ask],
      onError: (event) => void errors.push(event.error),
    })
    await result.consumeStream()
    expect(errors).toEqual([error])
    expect(inner.requests).toHaveLength(1)
  })
})

describe('a request that is none of the session’s', () => {
  test('passes as it is, whatever its provider says', async () => {
    const error = overflowError('openai', { tokens: 9, limit: 5 })
    const { inner, compaction } = setUp(({ number }) => (number === 2 ? { error } : { text: 'x' }))
    await generateText({ ...compaction, messages: [ask] })
    const title = generateText({ model: compaction.model, prompt: 'A title for: read all files' })
    await expect(title).rejects.toThrow(error.message)
    expect(inner.requests).toHaveLength(2)
    expect(await (await compaction.session()).history()).toHaveLength(2)
  })
})

describe('a prepareStep of one’s own', () => {
  test('has the last word, and is asked again when a request is repeated', async () => {
    const { inner, compaction } = setUp(
      reading(12),
      { window: { context: 100_000 } },
      { window: 10_000 },
    )
    const reminder: ModelMessage = { role: 'user', content: 'Be quick.' }
    let asked = 0
    await generateText({
      model: compaction.model,
      tools,
      messages: [ask],
      stopWhen,
      prepareStep: compaction.prepareStepWith(({ messages, stepNumber }) => {
        asked += 1
        return stepNumber === 0 ? {} : { messages: [...messages, reminder], temperature: 0.5 }
      }),
    })
    expect(asked).toBe(inner.requests.length)
    for (const { prompt, temperature } of inner.requests.slice(1)) {
      expect(temperature).toBe(0.5)
      expect(JSON.stringify(prompt.at(-1))).toContain('Be quick.')
    }
  })
})

describe('middleware of one’s own', () => {
  test('goes around and into the compaction’s', async () => {
    const { inner, compaction } = setUp(
      reading(12),
      { window: { context: 100_000 } },
      { window: 10_000 },
    )
    const order: string[] = []
    const noted = (name: string): LanguageModelMiddleware => ({
      transformParams: async ({ params }) => {
        order.push(name)
        return params
      },
    })
    const model = wrapLanguageModel({
      model: inner,
      middleware: [noted('outer'), compaction.middleware, noted('inner')],
    })
    const { prepareStep } = compaction
    await generateText({ model, prepareStep, tools, messages: [ask], stopWhen })
    const steps = inner.requests.length - 1
    expect(order.filter((name) => name === 'outer')).toHaveLength(steps)
    expect(order.filter((name) => name === 'inner')).toHaveLength(steps + 1)
  })
})

describe('instructions', () => {
  test('hold the summary where the policy wants it there, the newest alone, behind the initial ones', async () => {
    const { inner, compaction } = setUp(reading(40), {
      policy: { ...defaultPolicy, summaryRole: summaryAsSystem, prune: () => undefined },
    })
    const { model, prepareStep, onStepEnd } = compaction
    await generateText({
      model,
      prepareStep,
      onStepEnd,
      tools,
      messages: [ask],
      stopWhen,
      instructions: 'Be brief.',
    })
    const systems = inner.requests.map(({ prompt }) =>
      prompt.filter(({ role }) => role === 'system').map(({ content }) => String(content)),
    )
    for (const [first, ...summaries] of systems) {
      expect(first).toBe('Be brief.')
      expect(summaries.length).toBeLessThan(2)
    }
    const last = systems.at(-1)?.[1]
    expect(last).toContain('<prior-conversation-summary>')
    expect(new Set(systems.map(([, summary]) => summary)).size).toBeGreaterThan(2)
    const log = await (await compaction.session()).log()
    expect(log.filter(({ kind }) => kind === 'rewind')).toEqual([])
  })

  test('and tools are measured', async () => {
    const { compaction } = setUp(reading(2))
    const instructions = 'Be brief. '.repeat(400)
    await generateText({ ...compaction, tools, messages: [ask], stopWhen, instructions })
    const { system, tools: toolTokens } = (await compaction.session()).measure()
    expect(system).toBeGreaterThan(600)
    expect(toolTokens).toBeGreaterThan(50)
  })
})

describe('the window', () => {
  test('is that of the table where none is given', async () => {
    const model = scriptedModel({ script: [{ text: 'x' }], modelId: 'claude-sonnet-4-5' })
    const { session } = aiSdkCompaction({ store: memoryStore(), id: 'a', model })
    expect((await session()).window.context).toBe(200_000)
  })

  test('has to be given where the table does not know the model', () => {
    const model = scriptedModel({ script: [] })
    expect(() => aiSdkCompaction({ store: memoryStore(), id: 'a', model })).toThrow(
      /window of the model "scripted" is not in the table/,
    )
  })
})

test('compaction that is off is off: nothing is compacted, and an overflow says so', async () => {
  const policy = { ...defaultPolicy, auto: false }
  const { inner, compaction } = setUp(reading(12), { policy }, { window: 10_000 })
  const { model, prepareStep } = compaction
  await expect(
    generateText({ model, prepareStep, tools, messages: [ask], stopWhen }),
  ).rejects.toMatchObject({ code: 'OVERFLOW' })
  expect(inner.requests.filter(({ tokens }) => tokens > 10_000)).toHaveLength(1)
})

test('usage is kept with the answer that it was reported for, and teaches the counting', async () => {
  const { inner, compaction } = setUp(({ number, tokens }) => {
    const usage = { input: tokens * 2, output: 5 }
    return number > 2 ? { text: 'Done.', usage } : { calls: [{ name: 'read' }], usage }
  })
  await generateText({ ...compaction, tools, messages: [ask], stopWhen })
  const log = await (await compaction.session()).log()
  const usages = log.flatMap((entry) =>
    entry.kind === 'message' && entry.usage ? [entry.usage] : [],
  )
  expect(usages.map(({ inputTokens }) => inputTokens)).toEqual(
    inner.requests.map(({ tokens }) => tokens * 2),
  )
  expect(
    log.some((entry) => entry.kind === 'observation' && entry.observation.type === 'calibration'),
  ).toBe(true)
})

test('a session that is open already is gone on with', async () => {
  const session = await openSession({ store: memoryStore(), id: 'a', window: { context: 8_000 } })
  await session.say('Read all files.')
  const inner = scriptedModel({ script: reading(9) })
  const { model, prepareStep, onStepEnd } = aiSdkCompaction({ session, model: inner })
  await generateText({ model, prepareStep, onStepEnd, tools, messages: [ask], stopWhen })
  expect((await session.history()).filter(({ origin }) => origin === 'human')).toHaveLength(1)
  expect(session.context().changedAt).toBeGreaterThan(0)
})

test('a host says of a message that no human said it', async () => {
  const { compaction } = setUp([{ text: 'x' }], {
    describe: ({ role }) => (role === 'user' ? { origin: 'harness' } : {}),
  })
  await generateText({ ...compaction, messages: [ask] })
  expect(await (await compaction.session()).history()).toMatchObject([
    { origin: 'harness' },
    { origin: 'model' },
  ])
})
