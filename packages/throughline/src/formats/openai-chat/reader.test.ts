import { describe, expect, test } from 'vitest'
import { draftsOf } from '../../testing/conformance/format-conformance.ts'
import { factsIn, outline } from '../testing/outline.ts'
import { openaiChat } from './format.ts'

type Fields = Record<string, unknown>

function call(id: string, name = 'read', args = '{"path":"/a"}'): Fields {
  return { id, type: 'function', function: { name, arguments: args } }
}

const user = { role: 'user', content: 'Read it.' }
const asked = { role: 'assistant', content: 'I do.', tool_calls: [call('c1'), call('c2')] }
const answers = [
  { role: 'tool', tool_call_id: 'c2', content: 'b' },
  { role: 'tool', tool_call_id: 'c1', content: [{ type: 'text', text: 'a' }] },
]

describe('messages', () => {
  test('a call is decoded, and the results of a reply stand together behind it', () => {
    const broken = { ...asked, tool_calls: [call('c1'), call('c2', 'read', 'not JSON')] }
    const drafts = draftsOf(openaiChat, [user, broken, ...answers])
    expect(drafts).toMatchObject([
      { origin: 'human', message: { role: 'user', content: 'Read it.' }, at: 0 },
      {
        origin: 'model',
        finish: 'tool-calls',
        message: {
          content: [
            { type: 'text', text: 'I do.' },
            { type: 'tool-call', toolCallId: 'c1', toolName: 'read', input: { path: '/a' } },
            { type: 'tool-call', toolCallId: 'c2', input: 'not JSON' },
          ],
        },
      },
      {
        origin: 'tool',
        message: {
          role: 'tool',
          content: [
            { toolCallId: 'c2', toolName: 'read', output: { type: 'text', value: 'b' } },
            { toolCallId: 'c1', output: { type: 'text', value: 'a' } },
          ],
        },
      },
    ])
  })

  test('what stands first is the system prompt, and what comes later the harness says', () => {
    const records = [
      { role: 'system', content: 'Be brief.' },
      { role: 'developer', content: [{ type: 'text', text: 'Be kind.' }] },
      user,
      { role: 'system', content: 'Time is up.' },
    ]
    expect(factsIn(openaiChat, records).system).toBe('Be brief.\n\nBe kind.')
    expect(outline(openaiChat, records)).toEqual(['human: Read it.', 'harness: Time is up.'])
  })

  test('images, sounds and files become parts, and a new kind of block is kept as JSON', () => {
    const content = [
      { type: 'image_url', image_url: { url: 'https://x.y/a.png' } },
      { type: 'image_url', image_url: 'data:image/png;base64,AA' },
      { type: 'input_audio', input_audio: { data: 'AA', format: 'mp3' } },
      { type: 'file', file: { file_id: 'file_1' } },
      { type: 'hologram', x: 1 },
    ]
    expect(draftsOf(openaiChat, [{ role: 'user', content }])).toMatchObject([
      {
        origin: 'human',
        message: {
          content: [
            { type: 'image', image: 'https://x.y/a.png' },
            { type: 'image', image: 'AA', mediaType: 'image/png' },
            { type: 'file', data: 'AA', mediaType: 'audio/mpeg' },
            { type: 'file', data: { type: 'reference', reference: { openai: 'file_1' } } },
          ],
        },
      },
      {
        origin: 'harness',
        message: {
          content: [{ type: 'file', data: { type: 'text', text: '{"type":"hologram","x":1}' } }],
        },
      },
    ])
  })

  test.each([
    [{ reasoning_content: 'Hm.' }, { type: 'reasoning', text: 'Hm.' }],
    [
      { thinking_blocks: [{ type: 'thinking', thinking: 'Hm.', signature: 's' }] },
      { type: 'reasoning', text: 'Hm.', providerOptions: { anthropic: { signature: 's' } } },
    ],
    [
      { reasoning: 'Hm.', reasoning_details: [{ type: 'reasoning.text', text: 'Hm.' }] },
      {
        type: 'reasoning',
        text: 'Hm.',
        providerOptions: {
          openrouter: { reasoning_details: [{ type: 'reasoning.text', text: 'Hm.' }] },
        },
      },
    ],
  ])('what a model thought is kept as its server wants it back: %j', (fields, part) => {
    const drafts = draftsOf(openaiChat, [{ role: 'assistant', content: 'So.', ...fields }])
    expect(drafts).toMatchObject([{ message: { content: [part, { type: 'text', text: 'So.' }] } }])
  })

  test('a call of the first models has a result, though it has no id', () => {
    const records = [
      { role: 'assistant', content: null, function_call: { name: 'old', arguments: '{}' } },
      { role: 'function', name: 'old', content: 'x' },
    ]
    expect(outline(openaiChat, records)).toEqual([
      'model: tool-call function_call_1',
      'tool: tool-result function_call_1',
    ])
  })

  test('what holds nothing is counted', () => {
    const records = [
      user,
      { role: 'assistant', content: '' },
      { role: 'user', content: [] },
      { role: 'tool', content: 'x' },
      { role: 'narrator', content: 'x' },
    ]
    expect(outline(openaiChat, records)).toEqual(['human: Read it.'])
    expect(factsIn(openaiChat, records).omitted).toEqual({
      empty: 2,
      'result-without-call': 1,
      'unknown-record': 1,
    })
  })
})

describe('who said it', () => {
  test.each([
    ['<system-reminder>Be kind.</system-reminder>\nRead it.', ['harness', 'human']],
    ['<environment_context>x</environment_context>', ['harness']],
    [
      'Please continue working on the task on whatever approach you think is suitable.',
      ['harness'],
    ],
    ['Read <system-reminder> and say what it is.', ['human']],
  ])('%j', (content, origins) => {
    const drafts = draftsOf(openaiChat, [{ role: 'user', content }])
    expect(drafts.map((draft) => draft.kind === 'message' && draft.origin)).toEqual(origins)
  })

  const summary = '<prior-conversation-summary>\n## Goal\nx\n</prior-conversation-summary>'

  test("Throughline's own summary is a checkpoint again where a session begins with it", () => {
    const records = [{ role: 'user', content: summary }, user]
    const seen = ['checkpoint: ## Goal\nx, kept ', 'human: Read it.']
    expect(outline(openaiChat, records)).toEqual(seen)
    expect(outline(openaiChat, [{ messages: records }])).toEqual(seen)
  })

  test('a summary that somebody pasted later hides nothing', () => {
    const records = [user, { role: 'user', content: summary }]
    const seen = ['human: Read it.', `harness: ${summary}`]
    expect(outline(openaiChat, records)).toEqual(seen)
    expect(outline(openaiChat, [{ messages: records }])).toEqual(seen)
  })
})

const completion = {
  id: 'cc1',
  object: 'chat.completion',
  created: 1_757_015_069,
  model: 'model-x',
  choices: [
    {
      finish_reason: 'stop',
      message: { role: 'assistant', content: '', tool_calls: [call('c1')] },
    },
  ],
  usage: { prompt_tokens: 9, completion_tokens: 2, prompt_tokens_details: { cached_tokens: 4 } },
}

describe('a request with its completion', () => {
  test.each([
    { messages: [user], tools: [], response: completion, context_window: 1000 },
    {
      request: { body: { messages: [user] } },
      response: { body: completion },
      context_window: 1000,
    },
  ])('gives model, usage, time and window', (record) => {
    const drafts = draftsOf(openaiChat, [record])
    expect(drafts[1]).toEqual({
      kind: 'message',
      at: 1_757_015_069_000,
      origin: 'model',
      model: 'model-x',
      finish: 'tool-calls',
      usage: { inputTokens: 9, outputTokens: 2, cacheReadTokens: 4 },
      message: {
        role: 'assistant',
        content: [{ type: 'tool-call', toolCallId: 'c1', toolName: 'read', input: { path: '/a' } }],
      },
      metadata: { source: { message: 'cc1' } },
    })
    expect(factsIn(openaiChat, [record])).toEqual({ model: 'model-x', window: 1000 })
  })
})

describe('calls that were written as text', () => {
  const written = (name: string, ...parameters: string[]): Fields => ({
    role: 'assistant',
    content: `I look.\n\n<function=${name}>\n${parameters.join('\n')}\n</function>`,
  })
  const create = written(
    'str_replace_editor',
    '<parameter=command>create</parameter>',
    '<parameter=file_text>\n<function=x>\n</parameter>',
  )
  const result = { role: 'user', content: 'EXECUTION RESULT of [str_replace_editor]:\nok' }

  test('are calls where a result shows that they were made', () => {
    const drafts = draftsOf(openaiChat, [user, create, result])
    expect(drafts.slice(1)).toMatchObject([
      {
        message: {
          content: [
            { type: 'text', text: 'I look.' },
            {
              type: 'tool-call',
              toolCallId: 'toolu_01',
              toolName: 'str_replace_editor',
              input: { command: 'create', file_text: '<function=x>' },
            },
          ],
        },
      },
      { message: { content: [{ toolCallId: 'toolu_01', output: { value: 'ok' } }] } },
    ])
  })

  test('are text where no result of that name follows', () => {
    const talk = [user, create, { role: 'user', content: 'EXECUTION RESULT of [other]:\nok' }]
    expect(outline(openaiChat, talk)).toEqual([
      'human: Read it.',
      `model: ${create['content'] as string}`,
      'tool: EXECUTION RESULT of [other]:\nok',
    ])
    expect(outline(openaiChat, [user, create]).at(-1)).toContain('<function=')
  })

  test('wait for their result at the end, where others had theirs', () => {
    const open = written('terminal', '<parameter=command>ls</parameter>')
    expect(outline(openaiChat, [user, create, result, open]).at(-1)).toBe(
      'model: I look. | tool-call toolu_02',
    )
  })

  test('the first task stands apart from the example around it', () => {
    const example =
      "Here's a running example of how to perform a task with the provided tools.\nx\n"
    const line = '--------------------- NEW TASK DESCRIPTION ---------------------\n'
    const end = '\n--------------------- END OF NEW TASK DESCRIPTION ---------------------\nGo.'
    const content = `${example}${line}Fix it.${end}`
    expect(outline(openaiChat, [{ role: 'user', content }])).toEqual([
      `harness: ${example}${line}`,
      'human: Fix it.',
      `harness: ${end}`,
    ])
  })
})
