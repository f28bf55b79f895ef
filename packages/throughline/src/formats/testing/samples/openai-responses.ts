/** Items of the Responses API of every kind. */
export const openaiResponsesItems: readonly unknown[] = [
  { role: 'developer', content: 'Rules.' },
  {
    type: 'message',
    role: 'user',
    content: [
      { type: 'input_text', text: 'Read it.' },
      { type: 'input_image', image_url: 'data:image/png;base64,AA' },
      { type: 'input_image', file_id: 'file_1' },
      { type: 'input_file', filename: 'a.pdf', file_url: 'https://x.y/a.pdf' },
      { type: 'x-new', x: 1 },
    ],
  },
  {
    type: 'reasoning',
    id: 'rs1',
    summary: [{ type: 'summary_text', text: 'Hm.' }],
    encrypted_content: 'x',
  },
  {
    type: 'message',
    id: 'm1',
    role: 'assistant',
    content: [{ type: 'output_text', text: 'I do.', annotations: [] }],
  },
  { type: 'function_call', id: 'f1', call_id: 'c1', name: 'read', arguments: '{"path":"/a"}' },
  { type: 'shell_call', id: 's1', call_id: 'c2', action: { commands: ['ls'] } },
  { type: 'web_search_call', id: 'w1', status: 'completed', action: { query: 'x' } },
  {
    type: 'mcp_call',
    id: 'p1',
    server_label: 'docs',
    name: 'find',
    arguments: '{}',
    output: 'found',
  },
  { type: 'image_generation_call', id: 'g1', result: 'AA' },
  { type: 'shell_call_output', call_id: 'c2', output: [{ stdout: 'a' }] },
  { type: 'function_call_output', call_id: 'c1', output: 'x' },
  { type: 'compaction', id: 'cp1', encrypted_content: 'x' },
  { role: 'assistant', content: 'Done.' },
  { role: 'user', content: 'More.' },
]
