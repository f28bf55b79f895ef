/** Messages of the Messages API of every kind. */
export const anthropicMessages: readonly unknown[] = [
  {
    role: 'user',
    content: [
      { type: 'text', text: '<system-reminder>Be kind.</system-reminder>' },
      { type: 'text', text: 'Read it.', cache_control: { type: 'ephemeral' } },
      { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AA' } },
      { type: 'document', title: 'a.pdf', source: { type: 'file', file_id: 'file_1' } },
      { type: 'x-new', x: 1 },
    ],
  },
  {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'model-x',
    stop_reason: 'tool_use',
    usage: { input_tokens: 3, cache_read_input_tokens: 5, output_tokens: 2 },
    content: [
      { type: 'thinking', thinking: 'Hm.', signature: 'sig' },
      { type: 'redacted_thinking', data: 'x' },
      { type: 'text', text: 'I read it.' },
      { type: 'tool_use', id: 'c1', name: 'read', input: { path: '/a' } },
      { type: 'tool_use', id: 'c2', name: 'read', input: { path: '/b' } },
      { type: 'server_tool_use', id: 'c3', name: 'web_search', input: {} },
      { type: 'web_search_tool_result', tool_use_id: 'c3', content: [] },
    ],
  },
  {
    role: 'user',
    content: [
      { type: 'tool_result', tool_use_id: 'c1', content: 'x' },
      {
        type: 'tool_result',
        tool_use_id: 'c2',
        is_error: true,
        content: [{ type: 'text', text: 'ENOENT' }],
      },
      { type: 'text', text: 'And b?' },
    ],
  },
  {
    role: 'assistant',
    content: [
      { type: 'compaction', content: 'What came before.' },
      { type: 'text', text: 'It is gone.' },
    ],
  },
  { role: 'user', content: 'More.' },
]
