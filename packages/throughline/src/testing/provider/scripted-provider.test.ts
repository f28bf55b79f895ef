import { afterEach, describe, expect, it } from 'vitest'
import { overflowError } from '../overflow-errors.ts'
import { startProvider, type ProviderScript, type ScriptedProvider } from './scripted-provider.ts'

const running: ScriptedProvider[] = []

afterEach(async () => {
  await Promise.all(running.splice(0).map((provider) => provider.close()))
})

async function start(script: ProviderScript): Promise<ScriptedProvider> {
  const provider = await startProvider({ script })
  running.push(provider)
  return provider
}

/** The same conversation as each API has it: a question, a call with its result, the next question. */
const conversations = [
  {
    wire: 'anthropic-messages',
    path: '/v1/messages',
    body: {
      system: 'be brief',
      tools: [{ name: 'read' }],
      messages: [
        { role: 'user', content: 'look' },
        {
          role: 'assistant',
          content: [
            { type: 'text', text: 'I look.' },
            { type: 'tool_use', id: 'c1', name: 'read', input: { path: 'a' } },
          ],
        },
        {
          role: 'user',
          content: [
            { type: 'tool_result', tool_use_id: 'c1', content: [{ type: 'text', text: 'found' }] },
            { type: 'text', text: 'and now' },
          ],
        },
      ],
    },
  },
  {
    wire: 'chat-completions',
    path: '/v1/chat/completions',
    body: {
      tools: [{ type: 'function', function: { name: 'read' } }],
      messages: [
        { role: 'system', content: 'be brief' },
        { role: 'user', content: [{ type: 'text', text: 'look' }] },
        {
          role: 'assistant',
          content: 'I look.',
          tool_calls: [{ id: 'c1', function: { name: 'read', arguments: '{"path":"a"}' } }],
        },
        { role: 'tool', tool_call_id: 'c1', content: 'found' },
        { role: 'user', content: 'and now' },
      ],
    },
  },
  {
    wire: 'responses',
    path: '/v1/responses',
    body: {
      instructions: 'be brief',
      tools: [{ type: 'function', name: 'read' }],
      input: [
        { role: 'user', content: [{ type: 'input_text', text: 'look' }] },
        { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'I look.' }] },
        { type: 'function_call', call_id: 'c1', name: 'read', arguments: '{"path":"a"}' },
        { type: 'function_call_output', call_id: 'c1', output: 'found' },
        { type: 'message', role: 'user', content: 'and now' },
      ],
    },
  },
  {
    wire: 'gemini',
    path: '/v1beta/models/scripted:generateContent',
    body: {
      systemInstruction: { parts: [{ text: 'be brief' }] },
      tools: [{ functionDeclarations: [{ name: 'read' }] }],
      contents: [
        { role: 'user', parts: [{ text: 'look' }] },
        {
          role: 'model',
          parts: [
            { text: 'I look.' },
            { functionCall: { id: 'c1', name: 'read', args: { path: 'a' } } },
          ],
        },
        {
          role: 'user',
          parts: [
            { functionResponse: { id: 'c1', name: 'read', response: { output: 'found' } } },
            { text: 'and now' },
          ],
        },
      ],
    },
  },
]

async function ask(url: string, body: unknown): Promise<{ status: number; text: string }> {
  const response = await fetch(url, { method: 'POST', body: JSON.stringify(body) })
  return { status: response.status, text: await response.text() }
}

function streaming(path: string, body: object): { path: string; body: object } {
  return path.endsWith(':generateContent')
    ? { path: path.replace(':generateContent', ':streamGenerateContent?alt=sse'), body }
    : { path, body: { ...body, stream: true } }
}

const answer = {
  text: 'A text of several pieces.',
  calls: [{ id: 'c2', name: 'read', input: { path: 'b' } }],
}

it('knows the tools of a namespace by both names, and calls them by both', async () => {
  const name = 'mcp__notes.find'
  const provider = await start([{ calls: [{ name, id: 'c2', input: {} }] }])
  const tools = [
    { type: 'namespace', name: 'mcp__notes', tools: [{ type: 'function', name: 'find' }] },
  ]
  const call = { namespace: 'mcp__notes', name: 'find', call_id: 'c1', arguments: '{}' }
  const input = [
    { type: 'function_call', ...call },
    { type: 'function_call_output', call_id: 'c1', output: 'found' },
  ]
  const answer = await ask(`${provider.url}/v1/responses`, { tools, input })
  expect(provider.requests[0]).toMatchObject({ tools: [name], said: [{ name }, { id: 'c1' }] })
  expect(JSON.parse(answer.text)).toMatchObject({
    output: [{ type: 'function_call', namespace: 'mcp__notes', name: 'find' }],
  })
})

/** What a client puts together of the pieces of a text, whatever the API calls them. */
function streamedText(stream: string): string {
  const events = stream.match(/^data: \{.*$/gm) ?? []
  return events
    .map((line): string => {
      const event = JSON.parse(line.slice('data: '.length))
      if (event.type === 'response.output_text.delta') return event.delta
      const [choice] = event.choices ?? []
      const [part] = event.candidates?.[0].content.parts ?? []
      return choice?.delta.content ?? event.delta?.text ?? part?.text ?? ''
    })
    .join('')
}

describe.each(conversations)('over $wire', ({ wire, path, body }) => {
  it('hears what every other API would say in the same words', async () => {
    const provider = await start([{ text: 'Well.' }])
    await ask(provider.url + path, body)
    const [request] = provider.requests
    expect(request).toMatchObject({ number: 1, wire, tools: ['read'], body })
    const said = request?.said.map((part) => {
      return part.type === 'text'
        ? { ...part, role: part.role.replace('model', 'assistant') }
        : part
    })
    expect(said).toEqual([
      { type: 'text', role: 'system', text: 'be brief' },
      { type: 'text', role: 'user', text: 'look' },
      { type: 'text', role: 'assistant', text: 'I look.' },
      { type: 'call', id: 'c1', name: 'read', input: { path: 'a' } },
      { type: 'result', id: 'c1', text: 'found' },
      { type: 'text', role: 'user', text: 'and now' },
    ])
  })

  it('says the same whole and in events', async () => {
    const provider = await start(() => answer)
    const whole = await ask(provider.url + path, body)
    expect(JSON.parse(whole.text)).toBeTypeOf('object')
    const stream = streaming(path, body)
    const { status, text } = await ask(provider.url + stream.path, stream.body)
    expect([whole.status, status]).toEqual([200, 200])
    expect(streamedText(text)).toBe(answer.text)
    for (const said of [whole.text, text]) {
      expect(said).toMatch(/"c2"/)
      expect(said).toMatch(/path.{1,6}:.{1,6}b/)
    }
    expect(whole.text).toContain(answer.text)
  })

  it('breaks off behind the text where the script says so', async () => {
    const provider = await start([{ ...answer, breaks: 'the line is cut' }])
    const stream = streaming(path, body)
    const response = await fetch(provider.url + stream.path, {
      method: 'POST',
      body: JSON.stringify(stream.body),
    })
    await expect(response.text()).rejects.toThrow()
  })

  it('refuses with the status and the words of the error', async () => {
    const error = overflowError('openai', { tokens: 9, limit: 8 })
    const provider = await start([{ error }])
    const { status, text } = await ask(provider.url + path, body)
    expect([status, text]).toEqual([400, error.responseBody])
  })
})

describe('a scripted provider', () => {
  it('never answers where it hangs, and still closes', async () => {
    const provider = await start([{ hangs: 'before' }])
    const waiting = ask(`${provider.url}/v1/messages`, {}).catch(() => 'cut off')
    while (provider.requests.length === 0) await new Promise(setImmediate)
    await provider.close()
    expect(await waiting).toBe('cut off')
  })

  it('says so when its script is at its end', async () => {
    const provider = await start([])
    const { status, text } = await ask(`${provider.url}/v1/messages`, {})
    expect(status).toBe(500)
    expect(text).toContain('The script has 0 answers, but this is request 1.')
  })

  it('answers what clients ask beside, and names what it does not know', async () => {
    const provider = await start([])
    const models = await fetch(`${provider.url}/v1/models`)
    expect(await models.json()).toMatchObject({ data: [{ id: 'scripted' }] })
    const { text } = await ask(`${provider.url}/v1/messages/count_tokens`, { messages: [] })
    expect(JSON.parse(text)).toEqual({ input_tokens: 4 })
    const lost = await ask(`${provider.url}/v1/elsewhere`, {})
    expect(lost.status).toBe(404)
    expect(lost.text).toContain('Nothing answers POST /v1/elsewhere here.')
    expect(provider.requests).toEqual([])
  })
})
