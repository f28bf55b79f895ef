import { describe, expect, test } from 'vitest'
import { draftsOf, logOf, pairProblems } from '../../testing/conformance/format-conformance.ts'
import { partsOf } from '../../log/message.ts'
import { codex } from './format.ts'

type Fields = Record<string, unknown>

function item(payload: Fields): Fields {
  return { timestamp: '2026-04-08T12:58:59.756Z', type: 'response_item', payload }
}

function event(payload: Fields): Fields {
  return { timestamp: '2026-04-08T12:59:00.000Z', type: 'event_msg', payload }
}

function said(role: string, ...texts: string[]): Fields {
  const type = role === 'assistant' ? 'output_text' : 'input_text'
  return item({ type: 'message', role, content: texts.map((text) => ({ type, text })) })
}

function call(call_id: string, args = '{"cmd":"pwd"}'): Fields {
  return item({ type: 'function_call', name: 'exec_command', arguments: args, call_id })
}

function output(call_id: string, value: unknown = 'done'): Fields {
  return item({ type: 'function_call_output', call_id, output: value })
}

const reasoning = item({ type: 'reasoning', summary: [], content: null, encrypted_content: 'xyz' })

function tokens(total_tokens: number, input_tokens = 100): Fields {
  const last_token_usage = { input_tokens, cached_input_tokens: 60, output_tokens: 7 }
  const info = {
    total_token_usage: { total_tokens },
    last_token_usage,
    model_context_window: 258_400,
  }
  return event({ type: 'token_count', info })
}

function outline(records: Fields[]): string[] {
  return draftsOf(codex, records).flatMap((draft) => {
    if (draft.kind !== 'message') return [draft.kind]
    const parts = partsOf(draft.message).map((part) =>
      part.type === 'text' ? part.text : 'toolCallId' in part ? part.toolCallId : part.type,
    )
    return `${draft.origin}: ${parts.join(' | ')}`
  })
}

describe('steps', () => {
  test('a response is one message, with its usage and its model', () => {
    const drafts = draftsOf(codex, [
      { type: 'turn_context', payload: { model: 'gpt-x' } },
      said('user', 'Look.'),
      reasoning,
      said('assistant', 'I look.'),
      call('c1'),
      call('c2', 'not JSON'),
      tokens(110),
      output('c1', [{ type: 'input_text', text: 'here' }]),
      output('c2'),
      tokens(110),
      said('assistant', 'Done.'),
      tokens(300, 200),
    ])
    expect(drafts).toHaveLength(4)
    expect(drafts[1]).toMatchObject({
      origin: 'model',
      model: 'gpt-x',
      finish: 'tool-calls',
      usage: { inputTokens: 100, outputTokens: 7, cacheReadTokens: 60 },
      message: {
        content: [
          { type: 'reasoning', providerOptions: { openai: { reasoningEncryptedContent: 'xyz' } } },
          { type: 'text', text: 'I look.' },
          { type: 'tool-call', toolCallId: 'c1', toolName: 'exec_command', input: { cmd: 'pwd' } },
          { type: 'tool-call', toolCallId: 'c2', input: 'not JSON' },
        ],
      },
    })
    expect(drafts[2]).toMatchObject({
      message: { content: [{ output: { type: 'text', value: 'here' } }, { toolCallId: 'c2' }] },
    })
    expect(drafts[3]).toMatchObject({ finish: 'stop', usage: { inputTokens: 200 } })
  })

  test('the next response waits until the calls of the last one are answered', () => {
    const records = [
      said('user', 'Go.'),
      call('c1'),
      call('c2'),
      output('c1'),
      said('developer', 'Approved command prefix saved.'),
      said('assistant', 'Meanwhile.'),
      call('c3'),
      output('c2'),
      output('c3'),
    ]
    expect(outline(records)).toEqual([
      'human: Go.',
      'model: c1 | c2',
      'tool: c1 | c2',
      'harness: Approved command prefix saved.',
      'model: Meanwhile. | c3',
      'tool: c3',
    ])
    expect(pairProblems(logOf(draftsOf(codex, records)))).toEqual([])
  })

  test('a call that is never answered holds up neither the model nor the human', () => {
    const went = [
      call('c1'),
      call('c2'),
      output('c1'),
      said('assistant', 'On.'),
      call('c3'),
      output('c3'),
    ]
    expect(outline(went)).toEqual(['model: c1 | c2', 'tool: c1', 'model: On. | c3', 'tool: c3'])
    const asked = [
      call('c1'),
      said('developer', 'Note.'),
      said('user', 'Well?'),
      said('assistant', 'Hm.'),
    ]
    expect(outline(asked)).toEqual(['model: c1', 'harness: Note.', 'human: Well?', 'model: Hm.'])
  })

  test('an interrupted response is aborted', () => {
    const records = [
      call('c1'),
      said('user', '<turn_aborted>\nThe user interrupted.'),
      said('user', 'No.'),
    ]
    expect(draftsOf(codex, records)[0]).toMatchObject({ finish: 'aborted' })
  })

  test('two responses without calls are two messages', () => {
    const records = [said('assistant', 'One.'), tokens(100), said('assistant', 'Two.'), tokens(200)]
    expect(outline(records)).toEqual(['model: One.', 'model: Two.'])
  })

  test('a search by the provider is a whole pair, and reasoning that is empty is nothing', () => {
    const search = item({ type: 'web_search_call', status: 'completed', action: { query: 'x' } })
    const empty = item({ type: 'reasoning', summary: [], content: null })
    const [draft, ...rest] = draftsOf(codex, [empty, search, search, said('assistant', 'Found.')])
    expect(rest).toEqual([])
    expect(draft).toMatchObject({
      finish: 'stop',
      message: {
        content: [
          {
            type: 'tool-call',
            toolCallId: 'web_search_1',
            providerExecuted: true,
            input: { query: 'x' },
          },
          { type: 'tool-result', toolCallId: 'web_search_1', output: { type: 'text', value: '' } },
          { type: 'tool-call', toolCallId: 'web_search_2' },
          { type: 'tool-result', toolCallId: 'web_search_2' },
          { type: 'text', text: 'Found.' },
        ],
      },
    })
  })
})

describe('outputs', () => {
  const patch = (call_id: string): Fields =>
    item({ type: 'custom_tool_call', call_id, name: 'apply_patch', input: '*** Begin Patch' })

  test.each([
    ['plain', { type: 'text', value: 'plain' }],
    ['{"output":"ok","metadata":{"exit_code":0}}', { type: 'text', value: 'ok' }],
    ['{"output":"bad","metadata":{"exit_code":1}}', { type: 'error-text', value: 'bad' }],
    ['{"output":', { type: 'text', value: '{"output":' }],
    ['{"agent_id":"x"}', { type: 'text', value: '{"agent_id":"x"}' }],
    [
      { content: 'denied', success: false },
      { type: 'error-text', value: 'denied' },
    ],
    [
      [
        { type: 'input_text', text: 'see' },
        { type: 'input_image', image_url: 'data:image/png;base64,AA' },
      ],
      {
        type: 'content',
        value: [
          { type: 'text', text: 'see' },
          { type: 'file', mediaType: 'image/png', data: { type: 'data', data: 'AA' } },
        ],
      },
    ],
  ])('%j', (value, wanted) => {
    const [made, given] = draftsOf(codex, [patch('c1'), { ...output('c1', value) }])
    expect(made).toMatchObject({ message: { content: [{ input: '*** Begin Patch' }] } })
    expect(given).toMatchObject({ message: { content: [{ output: wanted }] } })
  })
})

describe('who speaks', () => {
  test.each([
    '<environment_context>\n  <cwd>/a</cwd>\n</environment_context>',
    '<user_instructions>x</user_instructions>',
    '# AGENTS.md instructions for /a\n\n<INSTRUCTIONS>',
    '<turn_aborted>\nThe user interrupted.',
    '<subagent_notification>\n{}',
    '<skill>\n<name>x</name>',
  ])('the harness says %j', (text) => {
    expect(outline([said('user', text)])).toEqual([`harness: ${text}`])
  })

  test('words of the human stand alone', () => {
    const context = '<environment_context>x</environment_context>'
    expect(outline([said('user', 'Do it.', context), said('developer', 'Rules.')])).toEqual([
      'human: Do it.',
      `harness: ${context}`,
      'harness: Rules.',
    ])
  })

  test('an image is the human’s', () => {
    const image = { type: 'input_image', image_url: 'data:image/png;base64,AA' }
    const [draft] = draftsOf(codex, [item({ type: 'message', role: 'user', content: [image] })])
    expect(draft).toMatchObject({
      origin: 'human',
      message: { content: [{ type: 'image', image: 'AA', mediaType: 'image/png' }] },
    })
  })
})

test('events mirror the items and give nothing', () => {
  const mirror = ['agent_message', 'exec_command_end', 'task_complete', 'error']
  expect(
    draftsOf(
      codex,
      mirror.map((type) => event({ type, message: 'x' })),
    ),
  ).toEqual([])
})

test('an event whose item is lost is the human speaking, once', () => {
  const shown = (message: string): Fields => event({ type: 'user_message', message })
  const reply = said('assistant', 'Done.')
  const human = (text: string): Fields => said('user', text)
  const before = [human('One.'), shown('One.'), reply, shown('Two.'), human('Two.'), reply]
  const records = [...before, human('<user_instructions>Never Three.</user_instructions>')]
  expect(outline([...records, shown('Three.'), reply, shown('Four.')])).toEqual([
    'human: One.',
    'model: Done.',
    'human: Two.',
    'model: Done.',
    'harness: <user_instructions>Never Three.</user_instructions>',
    'human: Three.',
    'model: Done.',
    'human: Four.',
  ])
})

test('a fork has the facts of its own, and the newest model and window', () => {
  const reader = codex.reader()
  const meta = { id: 's1', cwd: '/code', base_instructions: { text: 'You are Codex.' } }
  reader.push({ type: 'session_meta', payload: meta })
  reader.push({ type: 'session_meta', payload: { id: 's0', cwd: '/old' } })
  reader.push({ type: 'turn_context', payload: { model: 'gpt-x' } })
  reader.push(event({ type: 'task_started', model_context_window: 258_400 }))
  expect(reader.facts()).toEqual({
    id: 's1',
    directory: '/code',
    system: 'You are Codex.',
    model: 'gpt-x',
    window: 258_400,
  })
})
