import { APICallError } from '@ai-sdk/provider'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { tools } from '../../testing/generate/agent.ts'
import { overflowError } from '../../testing/overflow-errors.ts'
import { scriptedModel, type ScriptedModel } from '../../testing/scripted/scripted-model.ts'
import { aiSdkStep } from './ai-sdk-step.ts'
import type { AiSdkStepOptions } from './step-options.ts'
import { partsOf, type Message } from '../../log/message.ts'
import type { StepResult } from '../../session/loop/step-record.ts'
import type { ScriptedAnswer } from '../../testing/scripted/scripted-answer.ts'

const hello: Message = { role: 'user', content: 'hello' }

interface Asked {
  result: Promise<StepResult>
  model: ScriptedModel
  parts: { type: string }[]
}

function ask(
  answer: ScriptedAnswer,
  {
    messages = [hello],
    system,
    signal,
    ...options
  }: Partial<AiSdkStepOptions> & {
    messages?: Message[]
    system?: string
    signal?: AbortSignal
  } = {},
): Asked {
  const model = scriptedModel({ script: [answer, answer, answer], modelId: 'scripted-1' })
  const parts: { type: string }[] = []
  const result = aiSdkStep({ model, tools, ...options })(
    { messages, ...(system !== undefined && { system }) },
    { onPart: (part) => parts.push(part as { type: string }), ...(signal && { signal }) },
  )
  return { result, model, parts }
}

/** Aborts when parts of all these kinds were streamed. */
async function askUntil(answer: ScriptedAnswer, ...types: string[]): Promise<StepResult> {
  const controller = new AbortController()
  const awaited = new Set(types)
  const onPart = (part: unknown): void => {
    awaited.delete((part as { type: string }).type)
    if (awaited.size === 0) controller.abort()
  }
  const model = scriptedModel({ script: [answer] })
  return aiSdkStep({ model, tools })({ messages: [hello] }, { signal: controller.signal, onPart })
}

describe('a step', () => {
  test('streams its parts and gives the message, the reason, the usage and the model', async () => {
    const { result, parts } = ask({ text: 'Hello, world.', reasoning: 'hm', chunk: 5 })
    await expect(result).resolves.toEqual({
      messages: [
        {
          role: 'assistant',
          content: [
            { type: 'reasoning', text: 'hm' },
            { type: 'text', text: 'Hello, world.' },
          ],
        },
      ],
      finish: 'stop',
      usage: { inputTokens: expect.any(Number), outputTokens: expect.any(Number) },
      model: 'scripted-1',
    })
    const text = parts.flatMap((part) => (part.type === 'text-delta' ? [part] : []))
    expect(text).toHaveLength(3)
  })

  test('has no usage where the provider reported none', async () => {
    expect(await ask({ text: 'x', usage: 'none' }).result).not.toHaveProperty('usage')
    expect(await ask({ text: 'x', usage: { input: 0 } }).result).not.toHaveProperty('usage')
    expect(await ask({ text: 'x', usage: { input: Number.NaN } }).result).not.toHaveProperty(
      'usage',
    )
  })

  test('runs tools, at once and in the order of their calls, and says what failed', async () => {
    const { result } = ask({
      text: 'Let me look.',
      calls: [
        { name: 'read', input: { path: 'a', tokens: 1 } },
        { name: 'broken' },
        { name: 'read', input: { path: 'b', tokens: 1 } },
        { name: 'missing' },
      ],
    })
    const { messages, finish } = await result
    expect(finish).toBe('tool-calls')
    expect(messages.map(({ role }) => role)).toEqual(['assistant', 'tool'])
    expect(messages[1]?.content).toMatchObject([
      { toolCallId: 'call-1', output: { type: 'text', value: expect.stringContaining('a line') } },
      {
        toolCallId: 'call-2',
        output: { type: 'error-text', value: 'Error: ENOENT: no such file' },
      },
      { toolCallId: 'call-3', output: { type: 'text', value: expect.stringContaining('b line') } },
      { toolCallId: 'call-4', output: { type: 'error-text' } },
    ])
  })

  test('asks the model once, whatever the tools returned', async () => {
    const { result, model } = ask({ calls: [{ name: 'read' }] })
    await result
    expect(model.requests).toHaveLength(1)
  })

  test('puts no field into the log that is undefined', async () => {
    const { messages } = await ask({ text: 'x', calls: [{ name: 'read' }] }).result
    expect(messages).toStrictEqual(JSON.parse(JSON.stringify(messages)))
  })

  test('gives the system prompt and a leading system summary as instructions', async () => {
    const summary: Message = { role: 'system', content: 'what came before' }
    const { result, model } = ask(
      { text: 'x' },
      { system: 'Be brief.', messages: [summary, hello] },
    )
    await result
    expect(model.requests[0]?.prompt.map(({ role }) => role)).toEqual(['system', 'system', 'user'])
  })

  test('passes settings on', async () => {
    const { result, model } = ask({ text: 'x' }, { temperature: 0.5, maxOutputTokens: 99 })
    await result
    expect(model.requests[0]).toMatchObject({ temperature: 0.5, maxOutputTokens: 99 })
  })

  test('lets a host prepare a step', async () => {
    const prepareStep = vi.fn(() => ({ toolChoice: 'none' as const }))
    const { result, model } = ask({ text: 'x' }, { prepareStep })
    await result
    expect(prepareStep).toHaveBeenCalledOnce()
    expect(model.requests[0]?.toolChoice).toEqual({ type: 'none' })
  })
})

describe('an error', () => {
  afterEach(() => vi.restoreAllMocks())

  test('is thrown as the provider threw it, and nothing is printed', async () => {
    const printed = (['log', 'warn', 'error', 'info'] as const).map((method) =>
      vi.spyOn(console, method).mockImplementation(() => {}),
    )
    const warned = vi.spyOn(process, 'emitWarning').mockImplementation(() => {})
    const image: Message = { role: 'user', content: [{ type: 'image', image: 'QUJD' }] }
    const error = overflowError('anthropic', { tokens: 10, limit: 5 })
    await expect(ask({ error }, { messages: [image] }).result).rejects.toBe(error)
    await expect(ask({ text: 'so far', breaks: error }).result).rejects.toBe(error)
    for (const spy of [...printed, warned]) expect(spy).not.toHaveBeenCalled()
  })

  test('is the provider’s own also after retries', async () => {
    const error = new APICallError({
      message: 'overloaded',
      url: 'http://127.0.0.1/',
      requestBodyValues: {},
      statusCode: 529,
      isRetryable: true,
      responseHeaders: { 'retry-after-ms': '1' },
    })
    const { result, model } = ask({ error }, { maxRetries: 2 })
    await expect(result).rejects.toBe(error)
    expect(model.requests).toHaveLength(3)
  })

  test('of time is an error and no abort by the user', async () => {
    const { result } = ask({ text: 'so far', hangs: 'after-text' }, { timeout: 20 })
    await expect(result).rejects.toMatchObject({ name: 'TimeoutError' })
  })
})

describe('an aborted step', () => {
  test('keeps the text so far', async () => {
    const { messages, finish } = await askUntil(
      { text: 'one two three four', chunk: 4, pace: 1, hangs: 'after-text' },
      'text-delta',
    )
    expect(finish).toBe('aborted')
    expect(messages).toEqual([
      { role: 'assistant', content: [{ type: 'text', text: expect.stringMatching(/^one /) }] },
    ])
  })

  test('keeps nothing where nothing was said', async () => {
    const stopped = await askUntil({ hangs: 'before' }, 'start')
    expect(stopped).toEqual({ messages: [], finish: 'aborted' })
  })

  test('keeps reasoning whole or not at all', async () => {
    const cut = await askUntil(
      { reasoning: 'a long thought', chunk: 2, pace: 1 },
      'reasoning-delta',
    )
    expect(cut.messages).toEqual([])
    const whole = await askUntil(
      { reasoning: 'a thought', text: 'And so', hangs: 'after-text' },
      'text-end',
    )
    expect(whole.messages[0]?.content).toEqual([
      { type: 'reasoning', text: 'a thought' },
      { type: 'text', text: 'And so' },
    ])
  })

  test('keeps the calls that were made and the results that arrived, and waits for no tool', async () => {
    const { messages } = await askUntil(
      { calls: [{ name: 'read', input: { tokens: 1 } }, { name: 'broken' }, { name: 'stuck' }] },
      'tool-error',
      'tool-result',
    )
    expect(messages[0]?.content).toMatchObject([
      { type: 'tool-call', toolName: 'read', input: { tokens: 1 } },
      { type: 'tool-call', toolName: 'broken' },
      { type: 'tool-call', toolName: 'stuck' },
    ])
    expect(messages[1]).toMatchObject({
      role: 'tool',
      content: [
        { toolName: 'read', output: { type: 'text' } },
        {
          toolName: 'broken',
          output: { type: 'error-text', value: 'Error: ENOENT: no such file' },
        },
      ],
    })
    expect(messages[1]?.content).toHaveLength(2)
  })
})

describe('approval', () => {
  const call = { name: 'remove', input: { path: 'old.ts' } }

  async function requested(): Promise<{ messages: Message[]; approvalId: string }> {
    const { messages } = await ask({ calls: [call] }).result
    const request = messages.flatMap(partsOf).find((part) => part.type === 'tool-approval-request')
    return { messages, approvalId: request?.approvalId ?? '' }
  }

  test('is asked for, and the tool is not run', async () => {
    const { messages } = await requested()
    expect(messages).toHaveLength(1)
    expect(messages[0]?.content).toMatchObject([
      { type: 'tool-call', toolName: 'remove' },
      { type: 'tool-approval-request', toolCallId: 'call-1' },
    ])
  })

  test.each([
    { approved: true, output: { type: 'text', value: 'deleted old.ts' } },
    { approved: false, output: { type: 'execution-denied', reason: 'no!' } },
  ])(
    'given ($approved) brings the result before the model is asked',
    async ({ approved, output }) => {
      const { messages, approvalId } = await requested()
      const { result, model } = ask(
        { text: 'Done.' },
        {
          messages: [
            hello,
            ...messages,
            {
              role: 'tool',
              content: [{ type: 'tool-approval-response', approvalId, approved, reason: 'no!' }],
            },
          ],
        },
      )
      await expect(result).resolves.toMatchObject({
        messages: [{ role: 'tool', content: [{ toolCallId: 'call-1', output }] }],
        finish: 'tool-calls',
      })
      expect(model.requests).toHaveLength(0)
    },
  )
})
