const call = (id: string, name: string, input: object): object => ({
  id,
  type: 'function',
  function: { name, arguments: JSON.stringify(input) },
})

const state = '(Open file: /testbed/a.py)\n(Current directory: /testbed)\nbash-$'

/** A run of SWE-agent with messages of every kind. */
export const sweAgentRun: readonly unknown[] = [
  {
    environment: 'main',
    trajectory: [
      { action: 'ls', observation: 'a.py', state: { open_file: 'n/a', working_dir: '/testbed' } },
      {
        action: 'submit',
        observation: '',
        query: [
          { role: 'system', content: 'Rules.' },
          { role: 'user', content: 'A demonstration.' },
          { role: 'user', content: 'Fix it.' },
          { role: 'assistant', content: 'I look.' },
          { role: 'tool', content: 'Old environment output: (3 lines omitted)' },
        ],
      },
    ],
    history: [
      { role: 'system', content: 'Rules.', agent: 'main', message_type: 'system_prompt' },
      { role: 'user', content: 'A demonstration.', is_demo: true, message_type: 'demonstration' },
      { role: 'user', content: 'Fix it.', agent: 'main', message_type: 'observation' },
      {
        role: 'assistant',
        content: 'I look.',
        thought: 'I look.',
        action: 'ls',
        tool_calls: [call('c1', 'bash', { command: 'ls' })],
        thinking_blocks: [{ type: 'thinking', thinking: 'Hm.', signature: 'sig' }],
        message_type: 'action',
      },
      { role: 'tool', content: `a.py\n${state}`, tool_call_ids: ['c1'] },
      {
        role: 'assistant',
        content: 'I edit.\n```\nedit 1:1\nx\nend_of_edit\n```',
        thought: 'I edit.',
        action: 'edit 1:1\nx\nend_of_edit',
        tool_calls: null,
      },
      { role: 'user', content: `File updated.\n[File: /testbed/a.py (1 lines total)]\n${state}` },
      {
        role: 'assistant',
        content: 'I look again.',
        action: 'ls',
        tool_calls: [call('c1', 'bash', { command: 'ls' })],
      },
      { role: 'tool', content: [{ type: 'text', text: 'a.py' }], tool_call_ids: ['c1'] },
    ],
    info: { exit_status: 'submitted', model_stats: { api_calls: 3 } },
    replay_config: '{"agent":{"model":{"name":"model-x"}}}',
  },
]

/** A run of mini-swe-agent, in both of its forms. */
export const miniSweAgentRun: readonly unknown[] = [
  {
    info: {
      mini_version: '2.2.7',
      config: { model: { model_name: 'model-x' }, environment: { cwd: '/testbed' } },
    },
    messages: [
      { role: 'system', content: 'Rules.' },
      { role: 'user', content: 'Fix it.' },
      {
        role: 'assistant',
        content: 'I look.',
        tool_calls: [call('c1', 'bash', { command: 'ls' })],
        extra: {
          timestamp: 1775802391.5,
          response: {
            model: 'model-y',
            usage: { prompt_tokens: 9, completion_tokens: 1 },
            choices: [{ finish_reason: 'tool_calls' }],
          },
        },
      },
      {
        role: 'tool',
        tool_call_id: 'c1',
        content: '<returncode>0</returncode>\n<output>x</output>',
      },
      { role: 'assistant', content: 'THOUGHT: I look.\n\n```bash\nls -a\n```' },
      { role: 'user', content: '<returncode>0</returncode>' },
      { role: 'exit', content: 'Submitted' },
    ],
    trajectory_format: 'mini-swe-agent-1.1',
  },
]
