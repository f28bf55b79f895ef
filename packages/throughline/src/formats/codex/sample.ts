const at = { timestamp: '2026-02-13T21:53:49.169Z' }

const item = (payload: object): object => ({ ...at, type: 'response_item', payload })

/** A session of Codex with records of every kind. */
export const codexRecords: readonly unknown[] = [
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
