import Anthropic from '@anthropic-ai/sdk'
import OpenAI from 'openai'
import { APICallError, generateText, RetryError, streamText, type LanguageModel } from 'ai'
import { createAnthropic } from '@ai-sdk/anthropic'
import { createGoogle } from '@ai-sdk/google'
import { createOpenAI } from '@ai-sdk/openai'
import { createServer, type Server } from 'node:http'
import { afterEach, describe, expect, it } from 'vitest'
import { overflowOf } from './overflow.ts'

const servers: Server[] = []

afterEach(() => {
  for (const server of servers.splice(0)) {
    server.close()
    server.closeAllConnections()
  }
})

/** A server that gives every request the same answer. */
async function serving(status: number, body: string, type = 'application/json'): Promise<string> {
  const server = createServer((request, response) => {
    request.resume()
    response.writeHead(status, { 'content-type': type })
    response.end(body)
  })
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  return `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`
}

async function thrownBy(work: () => Promise<unknown>): Promise<unknown> {
  try {
    await work()
  } catch (error) {
    return error
  }
  throw new Error('Nothing was thrown.')
}

async function streamed(model: LanguageModel): Promise<unknown> {
  const { stream } = streamText({ model, prompt: 'hi', maxRetries: 0, onError: () => {} })
  for await (const part of stream) if (part.type === 'error') throw part.error
  return undefined
}

const events = (...data: readonly object[]): string =>
  data.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('')

const exceeded = {
  code: 'context_length_exceeded',
  message: 'Your input exceeds the context window of this model. Please adjust your input.',
}
const created = {
  type: 'response.created',
  sequence_number: 0,
  response: { id: 'r', object: 'response', created_at: 0, model: 'm', output: [] },
}
const failed = {
  type: 'response.failed',
  sequence_number: 1,
  response: { ...created.response, status: 'failed', error: exceeded },
}
const errorEvent = { type: 'error', sequence_number: 1, param: null, ...exceeded }
const tooLong = {
  type: 'error',
  error: {
    type: 'invalid_request_error',
    message: 'prompt is too long: 208310 tokens > 200000 maximum',
  },
}
const chatError = {
  error: {
    message:
      "This model's maximum context length is 128000 tokens. However, your messages resulted in 202868 tokens.",
    type: 'invalid_request_error',
    param: 'messages',
    code: 'context_length_exceeded',
  },
}
const geminiError = [
  {
    error: {
      code: 400,
      message:
        'The input token count (1200293) exceeds the maximum number of tokens allowed (1048576).',
      errors: [{ message: 'The input token count', domain: 'global', reason: 'badRequest' }],
      status: 'INVALID_ARGUMENT',
    },
  },
]

describe('what the AI SDK throws', () => {
  it.each([
    ['of Anthropic', 400, JSON.stringify(tooLong), 200_000],
    ['of Anthropic in a stream', 200, `event: error\n${events(tooLong)}`, 200_000],
    [
      'of Anthropic for its bytes',
      413,
      '{"error":{"type":"request_too_large","message":"Request exceeds the maximum size"}}',
      undefined,
    ],
  ])('%s is an overflow', async (_, status, body, limit) => {
    const type = status === 200 ? 'text/event-stream' : 'application/json'
    const baseURL = await serving(status, body, type)
    const error = await thrownBy(() => streamed(createAnthropic({ baseURL, apiKey: 'x' })('m')))
    expect(overflowOf(error)).toEqual(
      limit === undefined ? { unit: 'bytes' } : { limit, unit: 'tokens' },
    )
  })

  it.each([
    ['an answer', 400, JSON.stringify({ error: exceeded })],
    ['response.failed', 200, events(created, failed)],
    ['an error event', 200, events(created, errorEvent)],
    ['response.failed behind a text', 200, textThen(failed)],
    ['an error event behind a text', 200, textThen(errorEvent)],
  ])('of OpenAI’s Responses as %s is an overflow', async (_, status, body) => {
    const type = status === 200 ? 'text/event-stream' : 'application/json'
    const baseURL = await serving(status, body, type)
    const openai = createOpenAI({ baseURL, apiKey: 'x' })
    const error = await thrownBy(() => streamed(openai.responses('m')))
    expect(overflowOf(error)).toEqual({ unit: 'tokens' })
  })

  it.each([400, 200])('of OpenAI’s Chat with the status %d is an overflow', async (status) => {
    const body = status === 200 ? events(chatError) : JSON.stringify(chatError)
    const type = status === 200 ? 'text/event-stream' : 'application/json'
    const baseURL = await serving(status, body, type)
    const error = await thrownBy(() => streamed(createOpenAI({ baseURL, apiKey: 'x' }).chat('m')))
    expect(overflowOf(error)).toEqual({ limit: 128_000, unit: 'tokens' })
  })

  it('of Gemini is an overflow', async () => {
    const baseURL = await serving(400, JSON.stringify(geminiError))
    const google = createGoogle({ baseURL, apiKey: 'x' })
    const error = await thrownBy(() =>
      generateText({ model: google('gemini-2.5-pro'), prompt: 'hi', maxRetries: 0 }),
    )
    expect(overflowOf(error)).toEqual({ limit: 1_048_576, unit: 'tokens' })
  })

  it('after retries is what came last', () => {
    const call = (statusCode: number, message: string): unknown =>
      new APICallError({ message, url: '/', requestBodyValues: {}, statusCode })
    const overflow = call(400, 'prompt is too long: 9000 tokens > 8000 maximum')
    const limited = call(429, 'slow down')
    const retried = (...errors: unknown[]): RetryError =>
      new RetryError({ message: 'Failed.', reason: 'maxRetriesExceeded', errors })
    expect(overflowOf(retried(limited, overflow))).toEqual({ limit: 8_000, unit: 'tokens' })
    expect(overflowOf(retried(overflow, limited))).toBeUndefined()
  })
})

describe('what the provider’s own packages throw', () => {
  it.each([400, 200])('@anthropic-ai/sdk, status %d: an overflow', async (status) => {
    const body = JSON.stringify(tooLong)
    const baseURL = await (status === 200
      ? serving(200, `event: error\ndata: ${body}\n\n`, 'text/event-stream')
      : serving(400, body))
    const client = new Anthropic({ baseURL, apiKey: 'x', maxRetries: 0 })
    const error = await thrownBy(async () => {
      const stream = await client.messages.create({
        model: 'm',
        max_tokens: 1,
        stream: true,
        messages: [{ role: 'user', content: 'hi' }],
      })
      for await (const _ of stream);
    })
    expect(overflowOf(error)).toEqual({ limit: 200_000, unit: 'tokens' })
  })

  it('openai, Chat: an overflow', async () => {
    const baseURL = await serving(400, JSON.stringify(chatError))
    const client = new OpenAI({ baseURL, apiKey: 'x', maxRetries: 0 })
    const error = await thrownBy(() =>
      client.chat.completions.create({ model: 'm', messages: [{ role: 'user', content: 'hi' }] }),
    )
    expect(overflowOf(error)).toEqual({ limit: 128_000, unit: 'tokens' })
  })

  it.each([
    ['an error event', errorEvent],
    ['response.failed', failed],
  ])('openai, Responses, %s: an overflow', async (_, event) => {
    const baseURL = await serving(200, events(created, event), 'text/event-stream')
    const client = new OpenAI({ baseURL, apiKey: 'x', maxRetries: 0 })
    const error = await thrownBy(async () => {
      const stream = await client.responses.create({ model: 'm', input: 'hi', stream: true })
      for await (const one of stream) {
        // This one is an event like any other to the package.
        if (one.type === 'response.failed' || one.type === 'error') throw one
      }
    })
    expect(overflowOf(error)).toEqual({ unit: 'tokens' })
  })
})

function textThen(event: object): string {
  const item = { type: 'message', id: 'i', role: 'assistant', status: 'in_progress', content: [] }
  return events(
    created,
    { type: 'response.output_item.added', sequence_number: 1, output_index: 0, item },
    {
      type: 'response.output_text.delta',
      sequence_number: 2,
      item_id: 'i',
      output_index: 0,
      content_index: 0,
      delta: 'Well',
    },
    event,
  )
}
