const at = 1_795_384_196_204
const modelInfo = { id: 'claude-x', provider: 'anthropic' }
const metrics = { inputTokens: 120, outputTokens: 3, cacheReadTokens: 100, cacheWriteTokens: 0 }

function typed(text: string): object {
  return { type: 'text', text: `<user_input mode="act">${text}</user_input>` }
}

/** The messages of a session that began with a summary. */
export const clineSession: readonly object[] = [
  {
    version: 1,
    updated_at: '2026-11-22T21:49:56.666Z',
    agent: 'lead',
    sessionId: '1795384195955_abcde',
    origin: { source: 'cli', mode: 'user', sessionId: '1795384195955_abcde', version: '3.0.65' },
    system_prompt: 'You are Cline.',
    messages: [
      {
        id: 'm1',
        role: 'user',
        content: [{ type: 'text', text: 'Context summary:\n\nIt was begun.' }],
        metadata: { kind: 'compaction_summary', summary: 'It was begun.', tokensBefore: 900 },
        ts: at,
      },
      {
        id: 'm2',
        role: 'user',
        content: [
          typed(
            '<mode_notice>The user switched from plan mode to act mode.</mode_notice>\nRead it.',
          ),
          { type: 'image', data: 'AA', mediaType: 'image/png' },
          { type: 'file', path: '/code/a.ts', content: 'export {}' },
        ],
        ts: at,
      },
      {
        id: 'm3',
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 'Hm.', signature: 'xyz' },
          { type: 'text', text: 'I read it.' },
          { type: 'tool_use', id: 'c1', name: 'read_files', input: { files: [{ path: '/a' }] } },
          { type: 'tool_use', id: 'c2', name: 'run_commands', input: { commands: ['ls', 'pwd'] } },
        ],
        modelInfo,
        metrics,
        ts: at,
      },
      {
        id: 'm4',
        role: 'user',
        content: [
          {
            type: 'tool_result',
            tool_use_id: 'c1',
            name: 'read_files',
            content: [{ query: '/a', result: '1 | x', success: true }],
          },
        ],
        ts: at,
      },
      {
        id: 'm5',
        role: 'user',
        content: [
          {
            type: 'tool_result',
            tool_use_id: 'c2',
            name: 'run_commands',
            content: [
              { query: 'ls', result: 'a', success: true },
              { query: 'pwd', error: 'no', success: false },
            ],
            is_error: true,
          },
        ],
        ts: at,
      },
      { id: 'm6', role: 'user', content: 'The last call failed. Try another way.', ts: at },
      { id: 'm7', role: 'assistant', content: 'It holds an x.', modelInfo, metrics, ts: at },
    ],
  },
]
