import { describe, expect, it } from 'vitest'
import { overflowOf } from './overflow.ts'

describe('an error', () => {
  const words = 'prompt is too long: 9000 tokens > 8000 maximum'

  it.each([
    ['a text', words],
    ['a body as text', JSON.stringify({ error: { message: words } })],
    ['a body', { error: { message: words } }],
    ['in a cause', new Error('The step failed.', { cause: new Error(words) })],
    ['among others', new AggregateError([new Error('x'), new Error(words)])],
    ['in data', { message: 'failed', data: { error: { message: words } } }],
    [
      'raw, as OpenRouter passes it on',
      {
        error: {
          message: 'Provider returned error',
          code: 400,
          metadata: { raw: JSON.stringify({ message: words }), provider_name: 'Amazon Bedrock' },
        },
      },
    ],
    [
      'printed by a proxy',
      new Error(
        `litellm.BadRequestError: AnthropicException - b'{"error":{"message":"${words}"}}'`,
      ),
    ],
    ['printed in another language', new Error(`Error code: 400 - {'message': "${words}", 'x': 1}`)],
    ['in a stream of events', `event: error\ndata: {"error":"${words}"}\n\ndata: {}\n`],
  ])('that is %s is understood', (_, error) => {
    expect(overflowOf(error)).toEqual({ limit: 8_000, unit: 'tokens' })
  })

  it('of the status 413 without words is one of bytes', () => {
    expect(overflowOf({ statusCode: 413, message: 'Request Entity Too Large' })).toEqual({
      unit: 'bytes',
    })
  })
})
