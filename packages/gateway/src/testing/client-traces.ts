import { drawnId } from './agents.ts'

/** A request as a client makes it, and whose conversation it is. */
export interface TracedRequest {
  /** Of which conversation: two requests of one are of the same session. */
  conversation: string
  wire: 'openai-chat' | 'openai-responses' | 'anthropic' | 'gemini'
  headers: Record<string, string>
  body: Record<string, unknown>
}

type Trace = TracedRequest[]
type Element = Record<string, unknown>

interface Steps {
  conversation: string
  count: number
}

/**
 * What the clients are known to do on the wire, made by hand in their shapes: their ids, and what
 * they change in what they have said before. Both conversations of each have the same system prompt,
 * the same first request, and tools that give the same.
 */
export const clientTraces: Readonly<Record<string, (run: string) => Trace>> = {
  codex: (run) => responses(run, (id) => ({ 'session-id': `s-${id}`, 'thread-id': `t-${id}` })),
  'codex without a name': (run) => responses(run, () => ({})),
  opencode: (run) => chat(run, { headers: (id) => ({ 'x-session-id': `ses_${id}` }) }),
  pi: (run) => chat(run, {}),
  'claude-code': (run) => claude(run),
  'copilot-cli': (run) => chat(run, { each: copilotFields }),
  'qwen-code': (run) => chat(run, {}),
  'kimi-code': (run) => chat(run, { callId: (step) => `functions.read:${step}` }),
  cn: (run) => chat(run, { callId: (step) => `call_${step}` }),
  cline: (run) => chat(run, { each: (element) => element }),
  'gemini-cli': (run) => gemini(run),
}

const asked = 'Read the notes and tell me the word of each.'
const error = 'Error: ENOENT: no such file or directory, open notes.txt'

function history(
  { conversation, count }: Steps,
  begin: Element[],
  step: (at: number, words: string) => Element[],
): Element[] {
  const words = (at: number) =>
    `${conversation} decides on ${(at * 7919 + conversation.length) % 97}.`
  return [...begin, ...Array.from({ length: count }, (_, at) => step(at, words(at))).flat()]
}

/** A conversation grows step by step; two of them run at the same time. */
function grown(run: string, made: (steps: Steps) => Omit<TracedRequest, 'conversation'>): Trace {
  const trace: Trace = []
  for (let count = 0; count < 6; count++) {
    for (const name of ['one', 'two']) {
      const conversation = `${run}-${name}`
      trace.push({ conversation, ...made({ conversation, count }) })
    }
  }
  return trace
}

function chat(
  run: string,
  {
    headers = () => ({}),
    each = (element) => element,
    callId = (step, whose) => drawnId(step, whose),
  }: {
    headers?: (id: string) => Record<string, string>
    each?: (element: Element, at: number) => Element
    callId?: (step: number, whose: string) => string
  },
): Trace {
  return grown(run, (steps) => {
    const { conversation } = steps
    const begin = [
      { role: 'system', content: 'You are an agent.' },
      { role: 'user', content: asked },
    ]
    const messages = history(steps, begin, (step, words) => {
      const id = callId(step, conversation)
      const called = { name: 'read', arguments: '{"path":"notes.txt"}' }
      return [
        {
          role: 'assistant',
          content: words,
          tool_calls: [{ id, type: 'function', function: called }],
        },
        { role: 'tool', tool_call_id: id, content: error },
      ]
    })
    return {
      wire: 'openai-chat',
      headers: headers(conversation),
      body: { model: 'm', messages: messages.map((one, at) => each(one, at + steps.count)) },
    }
  })
}

/** Fields of its own, that are not there in every request. */
function copilotFields(element: Element, at: number): Element {
  return element['role'] === 'assistant' && at % 2 === 0
    ? { ...element, refusal: null, __copilotMessageSource: 'model' }
    : element
}

function responses(run: string, headers: (id: string) => Record<string, string>): Trace {
  return grown(run, (steps) => {
    const { conversation } = steps
    const said = (role: string, text: string) => ({
      type: 'message',
      role,
      content: [{ type: role === 'assistant' ? 'output_text' : 'input_text', text }],
    })
    const input = history(
      steps,
      [said('developer', 'Sandboxed.'), said('user', asked)],
      (step, words) => {
        const call_id = drawnId(step, conversation)
        return [
          { type: 'reasoning', id: `rs_${step}`, summary: [], encrypted_content: words },
          said('assistant', words),
          { type: 'function_call', call_id, name: 'shell', arguments: '{"cmd":"cat notes.txt"}' },
          { type: 'function_call_output', call_id, output: error },
        ]
      },
    )
    const named = headers(conversation)
    const key = named['thread-id']
    return {
      wire: 'openai-responses',
      headers: named,
      body: {
        model: 'm',
        instructions: 'You are an agent.',
        input,
        ...(key !== undefined && { prompt_cache_key: key }),
      },
    }
  })
}

/** The mark of the cache wanders, a text is now a string and now a block, and a line bills. */
function claude(run: string): Trace {
  const main = claudeTrace(run, 'main', 'You are Claude Code.')
  const agents = ['sub-1', 'sub-2'].flatMap((name) => claudeTrace(run, name, 'You search files.'))
  const titles = main.map(({ headers }, at): TracedRequest => ({
    conversation: `${run}-title-${at}`,
    wire: 'anthropic',
    headers,
    body: {
      model: 'small',
      system: 'Give this a title.',
      messages: [{ role: 'user', content: `${asked} ${at}` }],
    },
  }))
  return [main, agents, titles].flat()
}

function claudeTrace(run: string, name: string, system: string): Trace {
  let requests = 0
  return grown(`${run}-${name}`, (steps) => {
    requests += 1
    // All agents of one window have one session.
    const session = `session-${run}-${steps.conversation.endsWith('one') ? 1 : 2}`
    const marked = { cache_control: { type: 'ephemeral' } }
    const messages = history(
      steps,
      [
        {
          role: 'user',
          content: steps.count === 0 ? [{ type: 'text', text: asked, ...marked }] : asked,
        },
      ],
      (step, words) => {
        const id = `toolu_${drawnId(step, steps.conversation)}`
        const isLast = step === steps.count - 1
        return [
          {
            role: 'assistant',
            content: [
              { type: 'text', text: words },
              { type: 'tool_use', id, name: 'Read', input: { path: 'notes.txt' } },
            ],
          },
          {
            role: 'user',
            content: [
              { type: 'tool_result', tool_use_id: id, content: error, ...(isLast && marked) },
            ],
          },
        ]
      },
    )
    const billed = {
      type: 'text',
      text: `x-anthropic-billing-header: cc_version=2; cch=${requests};`,
    }
    return {
      wire: 'anthropic',
      headers: { 'x-claude-code-session-id': session },
      body: {
        model: 'm',
        system: [billed, { type: 'text', text: system, ...marked }],
        metadata: { user_id: `user_1_session_${session}` },
        messages,
      },
    }
  })
}

function gemini(run: string): Trace {
  return grown(run, (steps) => ({
    wire: 'gemini',
    headers: {},
    body: {
      systemInstruction: { role: 'user', parts: [{ text: 'You are an agent.' }] },
      contents: history(steps, [{ role: 'user', parts: [{ text: asked }] }], (_, words) => [
        {
          role: 'model',
          parts: [{ text: words }, { functionCall: { name: 'read', args: { path: 'notes.txt' } } }],
        },
        {
          role: 'user',
          parts: [{ functionResponse: { name: 'read', response: { error } } }],
        },
      ]),
    },
  }))
}
