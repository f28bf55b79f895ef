import { afterEach, describe, expect, it } from 'vitest'
import { overflowOf } from '../../compaction/overflow/overflow.ts'
import { startProvider, type ScriptedProvider } from './scripted-provider.ts'
import type { ScriptedProviderOptions } from './scripted-provider.ts'

const running: ScriptedProvider[] = []

afterEach(async () => {
  await Promise.all(running.splice(0).map((provider) => provider.close()))
})

async function start(options: ScriptedProviderOptions): Promise<string> {
  const provider = await startProvider(options)
  running.push(provider)
  return provider.url
}

const long = 'words '.repeat(2_000)

const apis = [
  {
    wire: 'anthropic-messages',
    path: '/v1/messages',
    body: (text: string) => ({ messages: [{ role: 'user', content: text }] }),
    overloaded: 529,
  },
  {
    wire: 'chat-completions',
    path: '/v1/chat/completions',
    body: (text: string) => ({ messages: [{ role: 'user', content: text }] }),
    overloaded: 503,
  },
  {
    wire: 'responses',
    path: '/v1/responses',
    body: (text: string) => ({ input: [{ role: 'user', content: text }] }),
    overloaded: 503,
  },
  {
    wire: 'gemini',
    path: '/v1beta/models/scripted:generateContent',
    body: (text: string) => ({ contents: [{ role: 'user', parts: [{ text }] }] }),
    overloaded: 503,
  },
]

async function ask(
  url: string,
  body: unknown,
): Promise<{ status: number; text: string; headers: Headers }> {
  const response = await fetch(url, { method: 'POST', body: JSON.stringify(body) })
  return { status: response.status, text: await response.text(), headers: response.headers }
}

describe.each(apis)('over $wire', ({ wire, path, body, overloaded }) => {
  it('what is above the window overflows, what is below is answered', async () => {
    const url = await start({ script: () => ({ text: 'Well.' }), rules: { window: 1_000 } })
    const refused = await ask(url + path, body(long))
    const overflow = overflowOf({ statusCode: refused.status, responseBody: refused.text })
    expect(refused.status).toBe(400)
    expect(overflow).toEqual({ unit: 'tokens', ...(wire !== 'responses' && { limit: 1_000 }) })
    expect((await ask(url + path, body('short'))).status).toBe(200)
  })

  it('an overflow comes inside of a stream too', async () => {
    const url = await start({ script: [{ text: 'I look.', refuses: 'overflow', late: true }] })
    const [streamPath, streamBody] =
      wire === 'gemini'
        ? [path.replace(':generate', ':streamGenerate'), body(long)]
        : [path, { ...body(long), stream: true }]
    const { status, text } = await ask(url + streamPath, streamBody)
    expect(status).toBe(200)
    expect(text).toContain('I look.')
    expect(overflowOf(text)).toBeDefined()
  })

  it('every other refusal has its status, its words and its wait, and is no overflow', async () => {
    const script = [
      { refuses: 'rate-limit', retryAfter: 1_500 },
      { refuses: 'failure' },
      { refuses: 'overloaded' },
    ] as const
    const url = await start({ script })
    const answers = []
    for (const _ of script) answers.push(await ask(url + path, body('x')))
    expect(answers.map(({ status }) => status)).toEqual([429, 500, overloaded])
    expect(answers[0]?.headers.get('retry-after-ms')).toBe('1500')
    expect(answers[0]?.headers.get('retry-after')).toBe('2')
    for (const { status, text } of answers) {
      expect(overflowOf({ statusCode: status, responseBody: text })).toBeUndefined()
    }
  })
})

describe('a strict provider', () => {
  it.each([
    [
      '/v1/messages',
      {
        messages: [
          {
            role: 'user',
            content: [{ type: 'tool_result', tool_use_id: 'c1', content: 'found' }],
          },
        ],
      },
    ],
    ['/v1/chat/completions', { messages: [{ role: 'tool', tool_call_id: 'c1', content: 'x' }] }],
    [
      '/v1beta/models/any:generateContent',
      {
        contents: [
          {
            role: 'user',
            parts: [{ functionResponse: { name: 'c1', response: { output: 'x' } } }],
          },
        ],
      },
    ],
    ['/v1/responses', { input: [{ type: 'function_call_output', call_id: 'c1', output: 'x' }] }],
  ])('refuses a result without its call at %s', async (path, body) => {
    const url = await start({ script: [{ text: 'Well.' }], rules: { strict: true } })
    const { status, text } = await ask(url + path, body)
    expect(status).toBe(400)
    expect(text).toMatch(/no call before it|results of c1|responses of c1/)
  })
})

describe('a provider that binds thinking', () => {
  async function conversation(): Promise<{ url: string; messages: unknown[] }> {
    const script = [{ reasoning: 'Let me see.', text: 'Yes.' }, { text: 'Still yes.' }]
    const url = `${await start({ script, rules: { bindsThinking: true } })}/v1/messages`
    const question = { role: 'user', content: [{ type: 'text', text: 'Is it?' }] }
    const { text } = await ask(url, { system: 'be brief', messages: [question] })
    const answer = { role: 'assistant', content: JSON.parse(text).content }
    return { url, messages: [question, answer, { role: 'user', content: 'Sure?' }] }
  }

  it('takes it behind the messages that it answered, wherever their cache ends', async () => {
    const { url, messages } = await conversation()
    const cached = JSON.parse(
      JSON.stringify(messages).replace('"Is it?"', '"Is it?","cache_control":{"type":"ephemeral"}'),
    )
    const { status } = await ask(url, { system: 'be brief', messages: cached })
    expect(status).toBe(200)
  })

  it.each([
    ['another message', 'be brief', '"Is it?"', '"Was it?"'],
    ['another system prompt', 'be long', 'Is it?', 'Is it?'],
  ])('refuses it behind %s', async (_, system, said, instead) => {
    const { url, messages } = await conversation()
    const changed = JSON.parse(JSON.stringify(messages).replace(said, instead))
    const { status, text } = await ask(url, { system, messages: changed })
    expect(status).toBe(400)
    expect(text).toContain('cannot be modified')
  })
})

it('a provider that hangs behind a text says nothing to who wants it whole', async () => {
  const provider = await startProvider({ script: [{ text: 'x', hangs: 'after-text' }] })
  const waiting = ask(`${provider.url}/v1/messages`, { messages: [] }).catch(() => 'cut off')
  while (provider.requests.length === 0) await new Promise(setImmediate)
  await provider.close()
  expect(await waiting).toBe('cut off')
})
