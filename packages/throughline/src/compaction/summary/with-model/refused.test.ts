import { createServer } from 'node:http'
import { describe, expect, it } from 'vitest'
import { refusedAlways, refusedIn } from './refused.ts'

function answer(status: number, message = 'refused') {
  return Object.assign(new Error(message), { status })
}

describe('what a provider refuses whatever it is asked', () => {
  it.each([
    ['a status of the provider’s own client', answer(401), 'key'],
    ['a permission that the key lacks', answer(403), 'key'],
    ['a wrapped error', new Error('it failed', { cause: answer(401) }), 'key'],
    ['the AI SDK’s last try', { lastError: { statusCode: 401, message: 'Unauthorized' } }, 'key'],
    ['Google’s words', answer(400, 'API key not valid. Please pass a valid API key.'), 'key'],
    ['no key at all', Object.assign(new Error('no key'), { name: 'AI_LoadAPIKeyError' }), 'key'],
    ['Google’s code', answer(400, 'reason: API_KEY_INVALID'), 'key'],
    ['xAI’s words', answer(400, 'Incorrect API key provided: x'), 'key'],
    ['other words for it', answer(400, 'Invalid API key'), 'key'],
    ['no such model', Object.assign(new Error('no'), { name: 'AI_NoSuchModelError' }), 'model'],
    ['Mistral’s words', answer(400, 'Invalid model: mistral-nine'), 'model'],
    ['Mistral’s code', answer(400, 'type: invalid_model'), 'model'],
    ['OpenAI’s code', answer(400, 'code: model_not_found'), 'model'],
    ['words in a sentence', answer(400, 'The model not found here'), 'model'],
    ['the first status that is none of success', { status: 200, error: { code: 401 } }, 'key'],
    ['a model that is not there', answer(404, 'model: claude-nine'), 'model'],
    ['DeepSeek’s words', answer(400, 'Model Not Exist'), 'model'],
    ['OpenRouter’s words', answer(400, 'x/y is not a valid model ID'), 'model'],
    ['a request that is too long', answer(400, 'prompt is too long: 9 tokens > 8 maximum'), 'size'],
    ['too many bytes', answer(413), 'size'],
    ['words inside a name', answer(400, 'myinvalid_models, xapi_key_invalidated'), 'request'],
    ['a field that is not known', answer(400, 'max_tokens is not supported'), 'request'],
    ['an account without money', answer(402, 'Insufficient credits'), 'money'],
    ['OpenAI’s code', answer(429, 'You exceeded your quota. insufficient_quota'), 'money'],
    ['Anthropic’s words', answer(400, 'Your credit balance is too low'), 'money'],
    ['an answer to another request', answer(422, 'Unprocessable'), 'request'],
    ['a proxy that wants a password', answer(407), 'proxy'],
    [
      'Node’s error for such a proxy',
      new TypeError('fetch failed', { cause: new Error('') }),
      'proxy',
    ],
    [
      'the AI SDK’s error for it, after its retries',
      Object.assign(new Error('Failed after 3 attempts.'), {
        lastError: new Error('Cannot connect to API: ', { cause: new Error('') }),
      }),
      'proxy',
    ],
    [
      'a certificate that nobody vouches for',
      new TypeError('fetch failed', {
        cause: Object.assign(new Error('self-signed certificate'), {
          code: 'DEPTH_ZERO_SELF_SIGNED_CERT',
        }),
      }),
      'certificate',
    ],
  ])('reads it from %s', (_, error, refused) => expect(refusedIn(error)).toBe(refused))

  it.each([
    ['too many requests', answer(429, 'Rate limit reached')],
    ['Google’s words for a minute’s limit', answer(429, 'You exceeded your current quota')],
    ['the words for a key in an outage', answer(500, 'invalid api key cache: try again')],
    ['the words for a model in an outage', answer(503, 'model not found on this node')],
    ['another status first', { status: 429, error: { code: 401 } }],
    ['a request that took too long to come', answer(408, 'Request timeout')],
    ['Bedrock’s throttling, which came as 400', answer(400, 'ThrottlingException: wait')],
    ['a provider that is down', answer(503, 'Service unavailable')],
    ['a connection that nobody takes', new TypeError('fetch failed', { cause: new Error('bad') })],
    ['an error without a word', new Error('it failed', { cause: new Error('') })],
    ['what comes too early', answer(425)],
    ['a broken connection', new Error('socket hang up')],
    ['a word', 'the model was not found'],
    ['nothing', undefined],
  ])('does not take %s for it', (_, error) => expect(refusedIn(error)).toBeUndefined())

  it.each([
    [answer(401), 'key'],
    [answer(404), 'model'],
    [answer(407), 'proxy'],
    [answer(400, 'no such field'), undefined],
    [answer(413), undefined],
    [answer(500), undefined],
  ])('says what only other settings help: %o', (error, refused) =>
    expect(refusedAlways(error)).toBe(refused),
  )
})

it('reads a proxy that wants a password from what the fetch of this Node makes of it', async () => {
  const server = createServer((_, response) => void response.writeHead(407).end())
  await new Promise<void>((listening) => void server.listen(0, '127.0.0.1', listening))
  const { port } = server.address() as { port: number }
  const refused = await fetch(`http://127.0.0.1:${port}`, { method: 'POST', body: '{}' }).then(
    ({ status }) => answer(status),
    (error: unknown) => error,
  )
  server.close()
  expect(refusedAlways(refused)).toBe('proxy')
})
