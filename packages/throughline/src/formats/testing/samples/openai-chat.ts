/** Messages of Chat Completions of every kind. */
export const openaiChatMessages: readonly unknown[] = [
  { role: 'system', content: 'Rules.' },
  { role: 'developer', content: [{ type: 'text', text: 'More rules.' }] },
  {
    role: 'user',
    name: 'ann',
    content: [
      { type: 'text', text: 'Read it.' },
      { type: 'image_url', image_url: { url: 'data:image/png;base64,AA' } },
      { type: 'input_audio', input_audio: { data: 'AA', format: 'mp3' } },
      { type: 'file', file: { filename: 'a.pdf', file_data: 'data:application/pdf;base64,AA' } },
      { type: 'x-new', x: 1 },
    ],
  },
  {
    role: 'assistant',
    content: null,
    reasoning_content: 'Hm.',
    tool_calls: [
      { id: 'c1', type: 'function', function: { name: 'read', arguments: '{"path":"/a"}' } },
      { id: 'c2', type: 'custom', custom: { name: 'shell', input: 'ls' } },
    ],
  },
  { role: 'tool', tool_call_id: 'c2', content: 'files' },
  { role: 'tool', tool_call_id: 'c1', content: [{ type: 'text', text: 'x' }] },
  {
    role: 'assistant',
    content: [{ type: 'text', text: 'So.' }],
    function_call: { name: 'old', arguments: '{}' },
  },
  { role: 'function', name: 'old', content: 'y' },
  { role: 'assistant', content: null, refusal: 'I will not.' },
  { role: 'user', content: 'More.' },
  {
    role: 'assistant',
    content: 'I run it.\n\n<function=terminal>\n<parameter=command>ls</parameter>\n</function>',
  },
  { role: 'user', content: 'EXECUTION RESULT of [terminal]:\nfiles' },
  { role: 'system', content: 'Time is up.' },
]
