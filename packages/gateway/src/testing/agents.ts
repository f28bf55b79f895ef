import { createHash } from 'node:crypto'

/** How an agent speaks over one of the APIs: it keeps its whole history and sends it each time. */
export interface WireAgent {
  name: string
  path: (model: string, streams: boolean) => string
  body: (asked: {
    model: string
    said: readonly object[]
    streams: boolean
    tools: boolean
  }) => object
  ask: (text: string) => object[]
  says: (text: string) => object[]
  /** A call with its result. */
  step: (id: string, input: object, output: string) => object[]
  headers: Record<string, string>
}

const system = 'You are an agent. Work.'

const chat: WireAgent = {
  name: 'openai-chat',
  path: () => '/v1/chat/completions',
  body: ({ model, said, streams, tools }) => ({
    model,
    messages: [{ role: 'system', content: system }, ...said],
    ...(tools && { tools: [{ type: 'function', function: { name: 'read', parameters: {} } }] }),
    ...(streams && { stream: true, stream_options: { include_usage: true } }),
  }),
  says: (content) => [{ role: 'assistant', content }],
  ask: (content) => [{ role: 'user', content }],
  step: (id, input, content) => [
    {
      role: 'assistant',
      content: null,
      tool_calls: [
        { id, type: 'function', function: { name: 'read', arguments: JSON.stringify(input) } },
      ],
    },
    { role: 'tool', tool_call_id: id, content },
  ],
  headers: { authorization: 'Bearer key-1' },
}

const responses: WireAgent = {
  name: 'openai-responses',
  path: () => '/v1/responses',
  body: ({ model, said, streams, tools }) => ({
    model,
    instructions: system,
    input: said,
    ...(tools && { tools: [{ type: 'function', name: 'read', parameters: {} }] }),
    store: false,
    stream: streams,
  }),
  says: (text) => [
    { type: 'message', role: 'assistant', content: [{ type: 'output_text', text }] },
  ],
  ask: (text) => [{ type: 'message', role: 'user', content: [{ type: 'input_text', text }] }],
  step: (call_id, input, output) => [
    { type: 'function_call', call_id, name: 'read', arguments: JSON.stringify(input) },
    { type: 'function_call_output', call_id, output },
  ],
  headers: { authorization: 'Bearer key-1' },
}

const anthropic: WireAgent = {
  name: 'anthropic',
  path: () => '/v1/messages',
  body: ({ model, said, streams, tools }) => ({
    model,
    max_tokens: 1_000,
    system: [{ type: 'text', text: system, cache_control: { type: 'ephemeral' } }],
    messages: said,
    ...(tools && { tools: [{ name: 'read', input_schema: { type: 'object' } }] }),
    stream: streams,
  }),
  says: (content) => [{ role: 'assistant', content }],
  ask: (content) => [{ role: 'user', content }],
  step: (id, input, content) => [
    { role: 'assistant', content: [{ type: 'tool_use', id, name: 'read', input }] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content }] },
  ],
  headers: { 'x-api-key': 'key-1', 'anthropic-version': '2023-06-01' },
}

const gemini: WireAgent = {
  name: 'gemini',
  path: (model, streams) =>
    `/v1beta/models/${model}:${streams ? 'streamGenerateContent?alt=sse' : 'generateContent'}`,
  body: ({ said, tools }) => ({
    systemInstruction: { parts: [{ text: system }] },
    contents: said,
    ...(tools && { tools: [{ functionDeclarations: [{ name: 'read' }] }] }),
  }),
  says: (text) => [{ role: 'model', parts: [{ text }] }],
  ask: (text) => [{ role: 'user', parts: [{ text }] }],
  step: (id, args, output) => [
    { role: 'model', parts: [{ functionCall: { id, name: 'read', args } }] },
    { role: 'user', parts: [{ functionResponse: { id, name: 'read', response: { output } } }] },
  ],
  headers: { 'x-goog-api-key': 'key-1' },
}

export const wireAgents: readonly WireAgent[] = [chat, responses, anthropic, gemini]

/** An id as providers draw them. */
export function drawnId(number: number, whose = 'a'): string {
  const drawn = createHash('sha256').update(`${whose} ${number}`).digest('base64url')
  return `call_${drawn.replace(/[-_]/g, 'x').slice(0, 24)}1a`
}
