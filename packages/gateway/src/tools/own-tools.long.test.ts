import Anthropic from '@anthropic-ai/sdk'
import { GoogleGenAI, type Content } from '@google/genai'
import OpenAI from 'openai'
import { Readable } from 'node:stream'
import { afterEach, describe, expect, it } from 'vitest'
import { asked, started, type Started } from '../testing/started.ts'
import { drawnId, wireAgents, type WireAgent } from '../testing/agents.ts'
import { memoryGatewayStore } from '../store/sqlite-gateway-store.ts'
import type { GatewayOptions } from '../server/gateway.ts'
import type { Upstream } from '../upstream/upstream.ts'
import type { ProviderRules, ServedAnswer, ServedRequest } from 'throughline/testing/provider'

const running: Started[] = []

afterEach(async () => {
  await Promise.all(running.splice(0).map((each) => each.close()))
})

/** What a client has of an answer: all of it as its SDK tells, for the next request. */
interface Seen {
  natives: object[]
  text: string
  calls: { id: string; name: string }[]
}

interface Client {
  name: string
  rules: ProviderRules
  ask: (url: string, natives: readonly object[], streams: boolean) => Promise<Seen>
  result: (call: { id: string; name: string }, text: string) => object
}

const schema = { type: 'object', properties: { path: { type: 'string' } } } as const

const chat: Client = {
  name: 'openai-chat',
  rules: { strict: true, demandsThinking: true },
  async ask(url, natives, streams) {
    const { chat: api } = new OpenAI({ baseURL: `${url}/v1`, apiKey: 'key-1', maxRetries: 0 })
    const body = {
      model: 'm',
      messages: natives as never,
      tools: [{ type: 'function', function: { name: 'read', parameters: schema } }] as never,
    }
    const whole = streams
      ? await api.completions.stream(body).finalChatCompletion()
      : await api.completions.create(body)
    const message = whole.choices[0]?.message
    const { role, content, tool_calls: calls } = message ?? {}
    const { reasoning_content: thought } = message as unknown as { reasoning_content: string }
    return {
      natives: [{ role, content, reasoning_content: thought, ...(calls && { tool_calls: calls }) }],
      text: content ?? '',
      calls: (calls ?? []).flatMap((call) =>
        call.type === 'function' ? [{ id: call.id, name: call.function.name }] : [],
      ),
    }
  },
  result: ({ id }, content) => ({ role: 'tool', tool_call_id: id, content }),
}

const anthropic: Client = {
  name: 'anthropic',
  rules: { strict: true, demandsThinking: true, bindsThinking: true },
  async ask(url, natives, streams) {
    const { messages: api } = new Anthropic({ baseURL: url, apiKey: 'key-1', maxRetries: 0 })
    const body = {
      model: 'm',
      max_tokens: 1_000,
      messages: natives as never,
      tools: [{ name: 'read', input_schema: schema }] as never,
    }
    const { role, content } = streams
      ? await api.stream(body).finalMessage()
      : await api.create(body)
    return {
      natives: [{ role, content }],
      text: content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join(''),
      calls: content.flatMap((block) => (block.type === 'tool_use' ? [block] : [])),
    }
  },
  result: ({ id }, content) => ({
    role: 'user',
    content: [{ type: 'tool_result', tool_use_id: id, content }],
  }),
}

const responses: Client = {
  name: 'openai-responses',
  rules: { strict: true },
  async ask(url, natives, streams) {
    const { responses: api } = new OpenAI({ baseURL: `${url}/v1`, apiKey: 'key-1', maxRetries: 0 })
    const body = {
      model: 'm',
      input: natives as never,
      store: false,
      tools: [{ type: 'function', name: 'read', parameters: schema, strict: false }] as never,
    }
    const { output } = streams ? await api.stream(body).finalResponse() : await api.create(body)
    const messages = output.flatMap((item) => (item.type === 'message' ? item.content : []))
    return {
      natives: output.map((item) => {
        const { parsed_arguments: _, ...plain } = item as { parsed_arguments?: unknown }
        return plain
      }),
      text: messages.flatMap((part) => (part.type === 'output_text' ? [part.text] : [])).join(''),
      calls: output.flatMap((item) =>
        item.type === 'function_call' ? [{ id: item.call_id, name: item.name }] : [],
      ),
    }
  },
  result: ({ id }, output) => ({ type: 'function_call_output', call_id: id, output }),
}

const gemini: Client = {
  name: 'gemini',
  rules: { strict: true },
  async ask(url, natives, streams) {
    const { models } = new GoogleGenAI({ apiKey: 'key-1', httpOptions: { baseUrl: url } })
    const body = {
      model: 'm',
      contents: natives as Content[],
      config: { tools: [{ functionDeclarations: [{ name: 'read' }] }] },
    }
    const parts: NonNullable<Content['parts']> = []
    if (streams) {
      for await (const piece of await models.generateContentStream(body)) {
        parts.push(...(piece.candidates?.[0]?.content?.parts ?? []))
      }
    } else {
      const whole = await models.generateContent(body)
      parts.push(...(whole.candidates?.[0]?.content?.parts ?? []))
    }
    const said = parts.filter(({ text }) => text !== '')
    return {
      natives: [{ role: 'model', parts: said }],
      text: said.flatMap(({ text, thought }) => (thought ? [] : [text ?? ''])).join(''),
      calls: said.flatMap(({ functionCall: call }) =>
        call ? [{ id: call.id ?? '', name: call.name ?? '' }] : [],
      ),
    }
  },
  result: ({ id, name }, output) => ({
    role: 'user',
    parts: [{ functionResponse: { id, name, response: { output } } }],
  }),
}

const clients = [chat, responses, anthropic, gemini]
const agentOf = ({ name }: Client) => wireAgents.find((one) => one.name === name) as WireAgent

const read = { name: 'read', input: { path: 'a.ts' } }
const recall = { name: 'recall', input: { words: 'marigold' } }

/** Looks something up before it goes on. */
function looksUp({ said, tools }: ServedRequest): ServedAnswer {
  if (!tools.includes('recall')) return { text: 'A title.' }
  const last = said.at(-1)
  if (last?.type !== 'result') {
    return { reasoning: 'Hm. ', text: 'Let me look. ', calls: [recall] }
  }
  const calls = said.filter((part) => part.type === 'call')
  if (calls.at(-1)?.name === 'read') return { text: 'Done.' }
  return { reasoning: 'So. ', text: 'It is here.', calls: [read] }
}

async function gatewayWith(
  client: Client,
  script: (request: ServedRequest) => ServedAnswer,
  options: Partial<GatewayOptions> = {},
): Promise<Started> {
  const sessions = {
    window: { context: 100_000 },
    summaryModel: false as const,
    tools: ['recall', 'compact'] as const,
  }
  const one = await started({ script, rules: client.rules }, { sessions, ...options })
  running.push(one)
  return one
}

const callsIn = ({ said }: ServedRequest) =>
  said.flatMap((part) => (part.type === 'call' ? [part.name] : []))

const ways = clients.flatMap((client) => [true, false].map((streams) => ({ client, streams })))

describe.each(ways)('over $client.name (streams: $streams)', ({ client, streams }) => {
  const question = agentOf(client).ask('What was said of marigold?')

  it('a call of ours is answered without the client ever seeing it', async () => {
    const { gateway, provider, problems } = await gatewayWith(client, looksUp)
    const first = await client.ask(gateway.url, question, streams)
    expect(first.text).toBe('Let me look. It is here.')
    expect(first.calls.map(({ name }) => name)).toEqual(['read'])
    expect(JSON.stringify(first.natives)).not.toContain('recall')
    expect(provider.requests).toHaveLength(2)

    const [call] = first.calls as [{ id: string; name: string }]
    const natives = [...question, ...first.natives, client.result(call, 'text of a.ts')]
    const second = await client.ask(gateway.url, natives, streams)
    expect(second.text).toBe('Done.')
    expect(problems).toEqual([])
    // The provider finds what it has said, as it has said it, and nothing of it twice.
    const [, again, third] = provider.requests as [ServedRequest, ServedRequest, ServedRequest]
    expect(third.refused).toBeUndefined()
    expect(callsIn(third)).toEqual(['recall', 'read'])
    const texts = third.said.flatMap((part) => (part.type === 'text' ? [part.text] : []))
    expect(texts.filter((text) => text.includes('Let me look.'))).toHaveLength(1)
    const sent = (request: ServedRequest) =>
      (request.body['messages'] ?? request.body['input'] ?? request.body['contents']) as object[]
    expect(JSON.stringify(sent(third).slice(0, sent(again).length))).toBe(
      JSON.stringify(sent(again)),
    )
  })

  it('another replica finds what the client has not seen', async () => {
    const store = memoryGatewayStore()
    const one = await gatewayWith(client, looksUp, { store })
    const other = await gatewayWith(client, looksUp, { store })
    const first = await client.ask(one.gateway.url, question, streams)
    const [call] = first.calls as [{ id: string; name: string }]
    const natives = [...question, ...first.natives, client.result(call, 'text of a.ts')]
    const second = await client.ask(other.gateway.url, natives, streams)
    expect(second.text).toBe('Done.')
    expect([...one.problems, ...other.problems]).toEqual([])
    expect(other.provider.requests[0]?.refused).toBeUndefined()
    expect(callsIn(other.provider.requests[0] as ServedRequest)).toEqual(['recall', 'read'])
  })

  it('a conversation that goes on in two ways has it in both', async () => {
    const { gateway, provider, problems } = await gatewayWith(client, looksUp)
    const first = await client.ask(gateway.url, question, streams)
    const [call] = first.calls as [{ id: string; name: string }]
    for (const text of ['text of a.ts', 'text of a.ts, read again']) {
      const natives = [...question, ...first.natives, client.result(call, text)]
      expect((await client.ask(gateway.url, natives, streams)).text).toBe('Done.')
      expect(callsIn(provider.requests.at(-1) as ServedRequest)).toEqual(['recall', 'read'])
    }
    expect(problems).toEqual([])
  })

  it('where it cannot be kept, the answer goes on all the same', async () => {
    const store = memoryGatewayStore()
    store.hide = () => Promise.reject(new Error('The disk is full.'))
    const { gateway, problems } = await gatewayWith(client, looksUp, { store })
    const { text, calls } = await client.ask(gateway.url, question, streams)
    expect([text, calls.length]).toEqual(['Let me look. It is here.', 1])
    expect(problems).toHaveLength(1)
  })

  it('a call of ours beside one of the client is answered with the next request', async () => {
    const script = ({ said }: ServedRequest): ServedAnswer =>
      said.at(-1)?.type === 'result'
        ? { text: 'Done.' }
        : { reasoning: 'Hm. ', text: 'Both. ', calls: [recall, read] }
    const { gateway, provider, problems } = await gatewayWith(client, script)
    const first = await client.ask(gateway.url, question, streams)
    expect(first.calls.map(({ name }) => name)).toEqual(['read'])
    expect(JSON.stringify(first.natives)).not.toContain('recall')
    const [call] = first.calls as [{ id: string; name: string }]
    const natives = [...question, ...first.natives, client.result(call, 'text of a.ts')]
    expect((await client.ask(gateway.url, natives, streams)).text).toBe('Done.')
    expect(problems).toEqual([])
    expect(provider.requests).toHaveLength(2)
    expect(callsIn(provider.requests[1] as ServedRequest).toSorted()).toEqual(['read', 'recall'])
  })

  it('a model that calls without an end is stopped', async () => {
    const { gateway, provider } = await gatewayWith(client, () => ({
      reasoning: 'Hm. ',
      text: 'Again. ',
      calls: [recall],
    }))
    const { calls, text } = await client.ask(gateway.url, question, streams)
    expect(calls).toEqual([])
    expect(text).toContain('Again.')
    expect(provider.requests).toHaveLength(9)
  })
})

describe('an answer of the Responses API', () => {
  it.each([true, false])('gets its reasoning back, encrypted (streams: %s)', async (streams) => {
    const thought = { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'sealed-1' }
    const call = {
      type: 'function_call',
      id: 'fc_1',
      call_id: 'call_1',
      name: 'recall',
      arguments: '{"words":"marigold"}',
    }
    const said = {
      type: 'message',
      id: 'msg_2',
      role: 'assistant',
      content: [{ type: 'output_text', text: 'Done.', annotations: [] }],
    }
    const inputs: object[][] = []
    const upstream: Upstream = {
      async send({ body }) {
        const { input } = JSON.parse(String(body)) as { input: object[] }
        inputs.push(input)
        const output = inputs.length === 1 ? [thought, call] : [said]
        const id = `resp_${inputs.length}`
        const done = { id, object: 'response', status: 'completed', output }
        const events = [
          { type: 'response.created', response: { id } },
          ...output.flatMap((item, output_index) => [
            { type: 'response.output_item.added', output_index, item },
            { type: 'response.output_item.done', output_index, item },
          ]),
          { type: 'response.completed', response: done },
        ].map((event, sequence_number) => `data: ${JSON.stringify({ ...event, sequence_number })}`)
        const type = streams ? 'text/event-stream' : 'application/json'
        const text = streams ? `${events.join('\n\n')}\n\n` : JSON.stringify(done)
        return {
          status: 200,
          headers: { 'content-type': type },
          body: Readable.from([text].map((one) => Buffer.from(one))),
        }
      },
      close: async () => {},
    }
    const one = await started(
      { script: [] },
      { upstream, sessions: { window: { context: 100_000 }, tools: ['recall'] } },
    )
    running.push(one)
    const agent = agentOf(responses)
    const body = agent.body({ model: 'm', said: agent.ask('Go.'), streams, tools: true })
    const { text } = await asked(one.gateway, agent.path('m', streams), body, agent.headers)
    expect(text).toContain('Done.')
    expect(text).not.toContain('recall')
    expect(text).toContain('sealed-1')
    expect(inputs[1]?.slice(1, 3)).toEqual([thought, call])
    const numbers = [...text.matchAll(/"sequence_number":(\d+)/g)].map(([, number]) =>
      Number(number),
    )
    expect(numbers).toEqual(numbers.map((_, index) => index))
  })

  it('that the provider keeps has no tools of ours: it may be gone on from', async () => {
    const { gateway, provider } = await gatewayWith(responses, () => ({ text: 'Well.' }))
    const agent = agentOf(responses)
    const body = agent.body({ model: 'm', said: agent.ask('Go.'), streams: false, tools: true })
    await asked(gateway, agent.path('m', false), { ...body, store: true }, agent.headers)
    expect(provider.requests[0]?.tools).toEqual(['read'])
  })
})

describe('a compaction that the model asks for', () => {
  it.each([1, 2])('is done before the next request (replicas: %s)', async (replicas) => {
    const agent = agentOf(anthropic)
    const script = ({ said }: ServedRequest): ServedAnswer =>
      said.at(-1)?.type === 'result' || JSON.stringify(said.at(-1)).includes('Go on.')
        ? { text: 'Next.' }
        : { calls: [{ name: 'compact', input: { keep: 'The key is marigold.' } }] }
    const store = memoryGatewayStore()
    const all = await Promise.all(
      Array.from({ length: replicas }, () =>
        gatewayWith({ ...anthropic, rules: {} }, script, { store }),
      ),
    )
    const [one, last] = [all[0], all.at(-1)] as [Started, Started]
    const history = (steps: number) => [
      ...agent.ask('Read all parts.'),
      ...Array.from({ length: steps }, (_, step) =>
        agent.step(drawnId(step), { path: `${step}` }, `part ${step}: ${'word '.repeat(900)}`),
      ).flat(),
      ...agent.ask('And now?'),
    ]
    const send = (by: Started, said: object[]) =>
      asked(
        by.gateway,
        agent.path('m', false),
        agent.body({ model: 'm', said, streams: false, tools: true }),
        agent.headers,
      )
    const first = await send(one, history(65))
    expect([first.did, first.text.includes('Next.')]).toEqual(['nothing', true])
    expect(first.text).not.toContain('compact')
    const reply = JSON.parse(first.text) as { content: object[] }
    const more = [
      ...history(65),
      { role: 'assistant', content: reply.content },
      ...agent.ask('Go on.'),
    ]
    const second = await send(last, more)
    expect(all.flatMap(({ problems }) => problems)).toEqual([])
    expect(second.did).toBe('compacted')
    expect(JSON.stringify(last.provider.requests.at(-1)?.body)).toContain('The key is marigold.')
  })
})

describe.each(clients)('a side request over $name', (client) => {
  const agent = agentOf(client)

  it('without tools gets none, and goes out as it came', async () => {
    const { gateway, provider } = await gatewayWith(client, looksUp)
    const said = agent.ask('Title?')
    const body = agent.body({ model: 'm', said, streams: false, tools: false })
    await asked(gateway, agent.path('m', false), body, agent.headers)
    expect(provider.requests[0]?.body).toEqual(body)
    expect(provider.requests[0]?.body).not.toHaveProperty('tools')
  })

  it('gets no tool of ours where nobody asked for them', async () => {
    const one = await started({ script: () => ({ text: 'Well.' }) })
    running.push(one)
    const body = agent.body({ model: 'm', said: agent.ask('Go.'), streams: false, tools: true })
    await asked(one.gateway, agent.path('m', false), body, agent.headers)
    expect(one.provider.requests[0]?.body).toEqual(body)
  })
})
