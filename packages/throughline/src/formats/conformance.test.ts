import { describe, test } from 'vitest'
import { formatConformance } from '../testing/format-conformance.ts'
import { claudeCode } from './claude-code/format.ts'
import { codex } from './codex/format.ts'

const at = { timestamp: '2026-02-13T21:53:49.169Z', sessionId: 's', cwd: '/code' }

const claudeCodeRecords = [
  { type: 'summary', summary: 'A title', leafUuid: 'u9' },
  { ...at, type: 'user', uuid: 'u1', parentUuid: null, message: { content: 'Read it.' } },
  {
    ...at,
    type: 'assistant',
    uuid: 'u2',
    parentUuid: 'u1',
    message: {
      id: 'm1',
      model: 'claude-x',
      stop_reason: 'tool_use',
      usage: { input_tokens: 3, cache_read_input_tokens: 5, output_tokens: 2 },
      content: [
        { type: 'thinking', thinking: 'Hm.', signature: 'sig' },
        { type: 'text', text: 'I read it.' },
        { type: 'tool_use', id: 'c1', name: 'Read', input: { file_path: '/a' } },
        { type: 'server_tool_use', id: 'c2', name: 'web_search', input: {} },
        { type: 'web_search_tool_result', tool_use_id: 'c2', content: [] },
      ],
    },
  },
  {
    ...at,
    type: 'user',
    uuid: 'u3',
    parentUuid: 'u2',
    toolUseResult: {},
    message: {
      content: [
        {
          type: 'tool_result',
          tool_use_id: 'c1',
          is_error: false,
          content: [{ type: 'text', text: 'x' }],
        },
        { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AA' } },
      ],
    },
  },
  {
    ...at,
    type: 'system',
    subtype: 'microcompact_boundary',
    uuid: 'u4',
    parentUuid: 'u3',
    microcompactMetadata: { trigger: 'auto', tokensSaved: 5, compactedToolIds: ['c1'] },
  },
  { type: 'queue-operation', operation: 'enqueue', content: 'and more', sessionId: 's' },
  {
    ...at,
    type: 'attachment',
    uuid: 'u5',
    parentUuid: 'u4',
    attachment: { type: 'queued_command', prompt: 'and more', origin: { kind: 'human' } },
  },
  { ...at, type: 'user', uuid: 'u6', parentUuid: 'u3', message: { content: 'other' } },
  {
    ...at,
    type: 'system',
    subtype: 'compact_boundary',
    uuid: 'u7',
    parentUuid: null,
    compactMetadata: {
      trigger: 'manual',
      preTokens: 9,
      preservedSegment: { headUuid: 'u6', anchorUuid: 'u8', tailUuid: 'u6' },
      preservedMessages: { uuids: ['u6'] },
    },
  },
  {
    ...at,
    type: 'user',
    uuid: 'u8',
    parentUuid: 'u7',
    isCompactSummary: true,
    message: { content: [{ type: 'text', text: 'Summary.' }] },
  },
]

const item = (payload: object): object => ({ ...at, type: 'response_item', payload })

const codexRecords = [
  {
    ...at,
    type: 'session_meta',
    payload: { id: 's', cwd: '/code', base_instructions: { text: 'x' } },
  },
  { ...at, type: 'turn_context', payload: { model: 'gpt-x' } },
  item({ type: 'message', role: 'developer', content: [{ type: 'input_text', text: 'Rules.' }] }),
  item({
    type: 'message',
    role: 'user',
    content: [
      { type: 'input_text', text: 'Read it.' },
      { type: 'input_image', image_url: 'data:image/png;base64,AA' },
    ],
  }),
  item({
    type: 'reasoning',
    summary: [{ type: 'summary_text', text: 'Hm.' }],
    encrypted_content: 'x',
  }),
  item({
    type: 'message',
    role: 'assistant',
    phase: 'commentary',
    content: [{ type: 'output_text', text: 'I do.' }],
  }),
  item({ type: 'function_call', name: 'exec_command', arguments: '{"cmd":"ls"}', call_id: 'c1' }),
  item({ type: 'custom_tool_call', name: 'apply_patch', input: 'patch', call_id: 'c2' }),
  item({ type: 'web_search_call', status: 'completed', action: { query: 'x' } }),
  {
    ...at,
    type: 'event_msg',
    payload: {
      type: 'token_count',
      info: {
        total_token_usage: { total_tokens: 9 },
        last_token_usage: { input_tokens: 7, cached_input_tokens: 1, output_tokens: 2 },
        model_context_window: 1000,
      },
    },
  },
  item({ type: 'function_call_output', call_id: 'c1', output: 'files' }),
  item({ type: 'reasoning', content: [{ type: 'reasoning_text', text: 'Hm.' }] }),
  item({
    type: 'custom_tool_call_output',
    call_id: 'c2',
    output: '{"output":"ok","metadata":{"exit_code":0}}',
  }),
  item({
    type: 'message',
    role: 'assistant',
    phase: 'final_answer',
    content: [{ type: 'output_text', text: 'Done.' }],
  }),
  {
    ...at,
    type: 'compacted',
    payload: {
      message: '',
      replacement_history: [
        {
          type: 'message',
          role: 'user',
          content: [{ type: 'input_text', text: 'Not said before.' }],
        },
        { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Done.' }] },
        { type: 'compaction', encrypted_content: 'x' },
      ],
    },
  },
  item({ type: 'message', role: 'user', content: [{ type: 'input_text', text: 'More.' }] }),
  { ...at, type: 'event_msg', payload: { type: 'thread_rolled_back', num_turns: 1 } },
]

describe.each([
  { format: claudeCode, records: claudeCodeRecords },
  { format: codex, records: codexRecords },
])('$format.name', (sample) => {
  test.each(formatConformance(sample))('$name', ({ run }) => run())
})
