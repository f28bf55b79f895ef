import { jsonSchema, tool, type ToolSet } from 'ai'
import fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'
import { memoryStore } from '../../stores/memory.ts'
import { agent, tools, type Agent } from '../../testing/generate/agent.ts'
import { runs } from '../../testing/generate/runs.ts'
import { illegalities } from '../../testing/legal.ts'
import { openCallIds } from '../../testing/open-calls.ts'
import { scriptedModel } from '../../testing/scripted/scripted-model.ts'
import { run, type RunStep } from '../../session/loop/loop.ts'
import { aiSdkStep } from './ai-sdk-step.ts'
import type { ProviderModel, ProviderStreamPart } from '../../testing/scripted/model-types.ts'
import type { ScriptedAnswer } from '../../testing/scripted/scripted-answer.ts'
import type { StepResult } from '../../session/loop/step-record.ts'
import type { SessionEvent } from '../../session/events.ts'

const input = jsonSchema<object>({ type: 'object' })
const rolesIn = async ({ session }: Agent): Promise<string[]> =>
  (await session.history()).map(({ message }) => message.role)

describe('the answer of a model', () => {
  test('stands in the log before a tool runs, and each result when it has come', async () => {
    const seen: string[][] = []
    const look = async (): Promise<string> => {
      seen.push(await rolesIn(looking))
      return 'seen'
    }
    const looking = await agent({
      script: [{ calls: [{ name: 'look' }, { name: 'look' }] }, { text: 'Done.' }],
      step: {
        tools: { look: tool({ inputSchema: input, execute: look }) },
        toolCallConcurrency: 1,
      },
    })
    await looking.session.say('go')
    await looking.run()
    expect(seen[0]).toEqual(['user', 'assistant'])
    expect(await rolesIn(looking)).toEqual(['user', 'assistant', 'tool', 'tool', 'assistant'])
  })

  test('carries its usage, its reason and its model', async () => {
    const { session, run } = await agent({
      script: [{ calls: [{ name: 'read' }] }, { text: 'Done.' }],
    })
    await session.say('go')
    await run()
    const [, answer] = await session.history()
    expect(answer).toMatchObject({ finish: 'tool-calls', model: 'scripted' })
    expect(answer?.usage?.inputTokens).toBeGreaterThan(0)
  })

  test('is what the SDK makes of it at the end, whatever the model says', async () => {
    const metadata = fc.option(fc.constant({ provider: { signature: 'x' } }), { nil: undefined })
    const arbitraryPart = fc.oneof(
      fc.record({
        type: fc.constantFrom('text' as const, 'reasoning' as const),
        texts: fc.array(fc.constantFrom('', 'a', 'hello there\n', '漢字'), { maxLength: 3 }),
        metadata,
      }),
      fc.record({
        type: fc.constant('call' as const),
        name: fc.constantFrom('read', 'broken', 'missing', 'remove'),
        input: fc.constantFrom('{}', '{"path":"a","tokens":1}', '[]', '"text"', 'no json', ''),
        metadata,
      }),
      fc.record({ type: fc.constantFrom('source' as const, 'file' as const, 'provider' as const) }),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(arbitraryPart, { maxLength: 6 }), async (parts) => {
        const stream = parts.flatMap((part, index) => streamOf(part, `${index}`))
        const whole = await stepOf(stream)
        const kept: StepResult[] = []
        const rest = await stepOf(stream, async (part) => {
          kept.push(part)
        })
        const all = [...kept, rest].flatMap(({ messages }) => messages)
        expect(joined(all)).toEqual(joined(whole.messages))
        const asked = JSON.stringify(whole.messages).includes('tool-approval-request')
        if (asked) expect(kept).toEqual([])
      }),
      runs(150),
    )
  })

  test('and its results are sent as if they had been kept at the end', async () => {
    const script: ScriptedAnswer[] = [
      { text: 'Let me look.', calls: [{ name: 'read', input: { tokens: 9 } }, { name: 'broken' }] },
      { reasoning: 'hm', calls: [{ name: 'missing' }, { name: 'read', input: { tokens: 9 } }] },
      { text: 'Done.' },
    ]
    const early = await agent({ script, step: { toolCallConcurrency: 1 } })
    const late = await agent({ script })
    const step = aiSdkStep({ model: late.model, tools })
    const keepsNothing: RunStep = (request, { onPart }) => step(request, { onPart })
    await early.session.say('go')
    await late.session.say('go')
    await early.run()
    await run({ session: late.session, step: keepsNothing })
    expect(await rolesIn(late)).not.toEqual(await rolesIn(early))
    expect(early.model.requests.map(({ prompt }) => prompt)).toEqual(
      late.model.requests.map(({ prompt }) => prompt),
    )
  })

  test('with a call that must be approved is kept with the question', async () => {
    const asking = await agent({
      script: [{ calls: [{ name: 'remove' }, { name: 'read', input: { tokens: 1 } }] }],
    })
    await asking.session.say('go')
    await expect(asking.run()).resolves.toMatchObject({ reason: 'pending' })
    expect(JSON.stringify(asking.session.messages())).toContain('tool-approval-request')
    expect(await rolesIn(asking)).toEqual(['user', 'assistant', 'tool'])
  })
})

describe('a step that fails behind its answer', () => {
  test('gives up what the model asked for, and the next run goes on', async () => {
    // The time is over when the tool has begun, however busy the machine is.
    const time = new AbortController()
    const execute = async (): Promise<string> => {
      time.abort(new DOMException('The time is over.', 'TimeoutError'))
      return new Promise(() => {})
    }
    vi.spyOn(AbortSignal, 'timeout').mockReturnValueOnce(time.signal)
    const { session, run, model } = await agent({
      script: [{ text: 'Let me look.', calls: [{ name: 'stuck' }] }, { text: 'Done.' }],
      step: { timeout: 3_600_000, tools: { stuck: tool({ inputSchema: input, execute }) } },
    })
    await session.say('go')
    await expect(run()).rejects.toMatchObject({ cause: { name: 'TimeoutError' } })
    expect(openCallIds(session.messages())).toEqual([])
    await expect(run()).resolves.toMatchObject({ reason: 'finished' })
    expect(JSON.stringify(model.requests[1]?.prompt)).toContain('Let me look.')
  })

  test('runs no tool where the answer could not be kept', async () => {
    const store = memoryStore()
    let ran = 0
    const broken = await agent({
      store: {
        ...store,
        append: async (id, drafts, condition) => {
          if (JSON.stringify(drafts).includes('tool-call')) throw new Error('disk full')
          return store.append(id, drafts, condition)
        },
      },
      script: [{ calls: [{ name: 'count' }] }],
      step: { tools: { count: tool({ inputSchema: input, execute: async () => ++ran }) } },
    })
    await broken.session.say('go')
    await expect(broken.run()).rejects.toThrow('disk full')
    expect(ran).toBe(0)
    expect(await rolesIn(broken)).toEqual(['user'])
  })

  test('keeps nothing twice when it is aborted', async () => {
    const controller = new AbortController()
    const isResult = (event: SessionEvent): boolean =>
      event.type === 'part' && (event.part as { type: string }).type === 'tool-result'
    let results = 0
    const stopped = await agent({
      script: [{ calls: [{ name: 'read' }, { name: 'stuck' }, { name: 'read' }] }],
      onEvent: (event) => {
        if (isResult(event) && ++results === 2) controller.abort()
      },
    })
    await stopped.session.say('go')
    await expect(stopped.run(controller.signal)).resolves.toMatchObject({ reason: 'aborted' })
    expect(illegalities(stopped.session.messages())).toEqual([])
    expect(openCallIds(stopped.session.messages())).toEqual([])
    const parts = (await stopped.session.log()).flatMap((entry) =>
      entry.kind === 'message' && entry.message.role === 'tool' ? entry.message.content : [],
    )
    expect(parts.map((part) => part.type === 'tool-result' && part.toolCallId)).toEqual([
      'call-1',
      'call-3',
      'call-2',
    ])
  })
})

type Said =
  | { type: 'text' | 'reasoning'; texts: string[]; metadata: Metadata }
  | { type: 'call'; name: string; input: string; metadata: Metadata }
  | { type: 'source' | 'file' | 'provider' }
type Metadata = { provider: { signature: string } } | undefined

function streamOf(part: Said, id: string): ProviderStreamPart[] {
  const call = { type: 'tool-call', toolCallId: `call-${id}` } as const
  switch (part.type) {
    case 'text':
    case 'reasoning': {
      const metadata = part.metadata && { providerMetadata: part.metadata }
      return [
        { type: `${part.type}-start`, id },
        ...part.texts.map((delta) => ({ type: `${part.type}-delta` as const, id, delta })),
        { type: `${part.type}-end`, id, ...metadata },
      ]
    }
    case 'call': {
      const metadata = part.metadata && { providerMetadata: part.metadata }
      return [{ ...call, toolName: part.name, input: part.input, ...metadata }]
    }
    case 'source':
      return [{ type: 'source', sourceType: 'url', id, url: 'http://a.test' }]
    case 'file':
      return [
        { type: 'file', mediaType: 'image/png', data: { type: 'data', data: 'iVBORw0KGgo=' } },
      ]
    case 'provider':
      return [
        { ...call, toolName: 'search', input: '{}', providerExecuted: true },
        { ...call, type: 'tool-result', toolName: 'search', result: 'found' },
      ]
  }
}

async function stepOf(
  stream: ProviderStreamPart[],
  keep?: (part: StepResult) => Promise<void>,
): Promise<StepResult> {
  const usage = {
    inputTokens: { total: 9, noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
    outputTokens: { total: 9, text: undefined, reasoning: undefined },
  }
  const parts: ProviderStreamPart[] = [
    { type: 'stream-start', warnings: [] },
    ...stream,
    { type: 'finish', usage, finishReason: { unified: 'tool-calls', raw: undefined } },
  ]
  const model: ProviderModel = {
    ...scriptedModel({ script: [] }),
    doStream: async () => ({ stream: streamed(parts) }),
  }
  return aiSdkStep({ model, tools: tools as ToolSet, _internal: { generateId: () => 'an-id' } })(
    { messages: [{ role: 'user', content: 'go' }] },
    { onPart: () => {}, ...(keep && { keep }) },
  )
}

function streamed(parts: readonly ProviderStreamPart[]): ReadableStream<ProviderStreamPart> {
  return new ReadableStream({
    start(controller) {
      for (const part of parts) controller.enqueue(part)
      controller.close()
    },
  })
}

/** Tool messages in a row are one to the SDK. */
function joined(messages: StepResult['messages']): unknown[] {
  const answer = messages.filter(({ role }) => role === 'assistant')
  const results = messages.flatMap((message) => (message.role === 'tool' ? message.content : []))
  return [...answer, ...results]
}
