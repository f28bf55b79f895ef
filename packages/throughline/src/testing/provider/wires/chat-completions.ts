import { chatProblems } from '../../request-rules/openai.ts'
import { chatRefusal } from '../refusal-body.ts'
import { fieldsOf, nameOf, objectsOf, decodedInput } from '../../../json/fields.ts'
import { saidTexts, textIn } from '../said-texts.ts'
import type { Wire, WireAnswer, WireEvent } from '../wire.ts'
import type { Fields } from '../refusal-body.ts'
import type { SaidPart } from '../served-request.ts'

/** `POST /v1/chat/completions`. */
export const chatCompletions: Wire = {
  name: 'chat-completions',
  serves: (path) => path.endsWith('/chat/completions'),
  said: ({ messages }) => objectsOf(messages).flatMap(saidIn),
  tools: ({ tools }) =>
    objectsOf(tools).flatMap((tool) => nameOf(fieldsOf(tool['function'])?.['name']) ?? []),
  streams: ({ stream }) => stream === true,
  events,
  whole: (answer) => ({
    ...head(answer, 'chat.completion'),
    choices: [{ index: 0, message: message(answer), finish_reason: reason(answer) }],
    usage: usageOf(answer),
  }),
  refusal: chatRefusal,
  failure: (body) => ({ data: body }),
  problems: ({ messages }) => chatProblems({ messages: objectsOf(messages).map(plain) }),
  // Groq's words.
  unbound: ({ messages }) =>
    objectsOf(messages).flatMap(({ reasoning_content: said }, index) =>
      said === undefined
        ? []
        : `'messages.${index}' : for 'role:assistant' the following must be satisfied[('messages.${index}' : property 'reasoning_content' is unsupported)]`,
    ),
  // DeepSeek's words.
  thoughtless: ({ messages }) => {
    const all = objectsOf(messages)
    const loop = all.slice(1 + all.findLastIndex(({ role }) => role === 'user'))
    const bare = loop.some(
      ({ tool_calls: calls, reasoning_content: said }) => calls !== undefined && !said,
    )
    return bare
      ? ['The `reasoning_content` in the thinking mode must be passed back to the API.']
      : []
  },
}

/** A message as the rules know it: `developer` is the system, and a call needs no text. */
function plain({ role, content, ...rest }: Fields): Fields & { role: string } {
  return {
    ...Object.fromEntries(Object.entries(rest).filter(([name]) => name !== 'reasoning_content')),
    role: role === 'developer' ? 'system' : String(role),
    content: content === '' && rest['tool_calls'] !== undefined ? null : content,
  }
}

function saidIn(message: Fields): SaidPart[] {
  const { role, content } = message
  if (role === 'tool') {
    return [{ type: 'result', id: String(message['tool_call_id']), text: textIn(content) }]
  }
  const calls = objectsOf(message['tool_calls']).map((call): SaidPart => {
    const { name, arguments: input } = fieldsOf(call['function']) ?? {}
    return { type: 'call', id: String(call['id']), name: String(name), input: decodedInput(input) }
  })
  return [...saidTexts(String(role), content), ...calls]
}

function head({ id, model }: WireAnswer, object: string): Fields {
  return { id: `chatcmpl-${id}`, object, created: 0, model }
}

function message({ chunks, reasoning, calls }: WireAnswer): Fields {
  return {
    role: 'assistant',
    content: chunks.length === 0 ? null : chunks.join(''),
    ...(reasoning !== '' && { reasoning_content: reasoning }),
    ...(calls.length > 0 && { tool_calls: calls.map(toolCall) }),
  }
}

function toolCall({ id, name, input }: WireAnswer['calls'][number], index: number): Fields {
  return { index, id, type: 'function', function: { name, arguments: JSON.stringify(input) } }
}

function events(answer: WireAnswer): WireEvent[] {
  const { chunks, reasoning, calls } = answer
  const chunk = (delta: Fields, finish_reason: string | null = null): WireEvent => ({
    data: {
      ...head(answer, 'chat.completion.chunk'),
      choices: [{ index: 0, delta, finish_reason }],
    },
  })
  return [
    chunk({ role: 'assistant', content: '' }),
    ...(reasoning === '' ? [] : [chunk({ reasoning_content: reasoning })]),
    ...chunks.map((content) => ({ ...chunk({ content }), isText: true })),
    ...calls.map((call, index) => chunk({ tool_calls: [toolCall(call, index)] })),
    chunk({}, reason(answer)),
    {
      data: { ...head(answer, 'chat.completion.chunk'), choices: [], usage: usageOf(answer) },
    },
    { data: '[DONE]' },
  ]
}

const reasons: ReadonlyMap<string, string> = new Map([
  ['tool-calls', 'tool_calls'],
  ['length', 'length'],
  ['content-filter', 'content_filter'],
])

function reason({ finish }: WireAnswer): string {
  return reasons.get(finish) ?? 'stop'
}

function usageOf({ usage }: WireAnswer): Fields | null {
  if (!usage) return null
  return {
    prompt_tokens: usage.input,
    completion_tokens: usage.output,
    total_tokens: usage.input + usage.output,
    prompt_tokens_details: { cached_tokens: usage.cacheRead },
  }
}
