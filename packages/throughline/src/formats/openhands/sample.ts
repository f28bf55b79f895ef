const at = { timestamp: '2025-04-30T17:56:40.640800' }

function response(id: string, calls: readonly (readonly [string, string, object])[]): object {
  return {
    id,
    model: 'model-x',
    choices: [
      {
        finish_reason: 'tool_calls',
        message: {
          role: 'assistant',
          content: 'I look.',
          tool_calls: calls.map(([callId, name, input]) => ({
            id: callId,
            type: 'function',
            function: { name, arguments: JSON.stringify(input) },
          })),
        },
      },
    ],
    usage: { prompt_tokens: 7, completion_tokens: 2, prompt_tokens_details: { cached_tokens: 1 } },
  }
}

const both = response('r1', [
  ['c1', 'execute_bash', { command: 'ls' }],
  ['c2', 'str_replace_editor', { command: 'create', path: '/w/a.c', file_text: 'x' }],
])

function metadata(function_name: string, tool_call_id: string, model_response: object): object {
  return { tool_call_metadata: { function_name, tool_call_id, model_response } }
}

/** A session of OpenHands before version 1 with events of every kind. */
export const openhandsEvents: readonly unknown[] = [
  { ...at, id: 0, source: 'agent', action: 'system', args: { content: 'Rules.' } },
  {
    ...at,
    id: 1,
    source: 'user',
    action: 'message',
    args: { content: 'Fix it.', image_urls: ['data:image/png;base64,AA'] },
  },
  { ...at, id: 2, source: 'user', action: 'recall', args: { query: 'Fix it.' } },
  {
    ...at,
    id: 3,
    source: 'environment',
    cause: 2,
    observation: 'recall',
    content: 'Added workspace context',
    extras: { repo_instructions: 'Be kind.', microagent_knowledge: [{ content: 'Note.' }] },
  },
  {
    ...at,
    id: 4,
    source: 'agent',
    action: 'run',
    args: { command: 'ls' },
    ...metadata('execute_bash', 'c1', both),
  },
  {
    ...at,
    id: 5,
    source: 'agent',
    cause: 4,
    observation: 'run',
    content: 'a.c',
    extras: { metadata: { exit_code: 0, working_dir: '/w', prefix: '', suffix: '\n[Done.]' } },
    ...metadata('execute_bash', 'c1', both),
  },
  {
    ...at,
    id: 6,
    source: 'agent',
    action: 'edit',
    args: { path: '/w/a.c' },
    ...metadata('str_replace_editor', 'c2', both),
  },
  {
    ...at,
    id: 7,
    source: 'agent',
    cause: 6,
    observation: 'edit',
    content: 'File created successfully at: /w/a.c',
    extras: {},
    ...metadata('str_replace_editor', 'c2', both),
  },
  { ...at, id: 8, source: 'agent', observation: 'error', content: 'No such command.', extras: {} },
  {
    ...at,
    id: 9,
    source: 'agent',
    action: 'condensation',
    args: { forgotten_events_start_id: 4, forgotten_events_end_id: 7, summary: 'Made a.c.' },
  },
  { ...at, id: 10, source: 'user', action: 'run', args: { command: 'make' } },
  { ...at, id: 11, source: 'agent', cause: 10, observation: 'run', content: 'ok', extras: {} },
  {
    ...at,
    id: 12,
    source: 'agent',
    action: 'run_ipython',
    args: { code: '1', thought: 'I count.' },
  },
  {
    ...at,
    id: 13,
    source: 'agent',
    cause: 12,
    observation: 'run_ipython',
    content: '1',
    extras: { image_urls: ['https://x.y/z.png'] },
  },
  {
    ...at,
    id: 14,
    source: 'agent',
    action: 'finish',
    args: { final_thought: 'Done.', outputs: {} },
    ...metadata('finish', 'c3', response('r2', [['c3', 'finish', { message: 'Done.' }]])),
  },
]

const v1 = { timestamp: '2026-09-23T09:42:01.578735', thinking_blocks: [] }

/** A session of OpenHands since version 1 with events of every kind. */
export const openhandsSdkEvents: readonly unknown[] = [
  {
    ...v1,
    id: 'e0',
    source: 'agent',
    kind: 'SystemPromptEvent',
    system_prompt: { type: 'text', text: 'Rules.' },
    dynamic_context: { type: 'text', text: 'Hosts.' },
    tools: [],
  },
  {
    ...v1,
    id: 'e1',
    source: 'user',
    kind: 'MessageEvent',
    llm_message: {
      role: 'user',
      content: [
        { type: 'text', text: 'Fix it.' },
        { type: 'image', image_urls: ['https://x.y/z.png'] },
      ],
    },
    extended_content: [{ type: 'text', text: 'A skill.' }],
  },
  {
    ...v1,
    id: 'e2',
    source: 'agent',
    kind: 'ActionEvent',
    llm_response_id: 'r1',
    thought: [{ type: 'text', text: 'I look.' }],
    responses_reasoning_item: { id: 'rs1', summary: ['Hm.'], encrypted_content: 'x' },
    tool_name: 'terminal',
    tool_call_id: 'c1',
    tool_call: { id: 'c1', name: 'terminal', arguments: '{"command":"ls"}' },
  },
  {
    ...v1,
    id: 'e3',
    source: 'agent',
    kind: 'ActionEvent',
    llm_response_id: 'r1',
    thought: [],
    tool_name: 'file_editor',
    tool_call_id: 'c2',
    tool_call: {
      id: 'c2',
      name: 'file_editor',
      arguments: '{"command":"create","path":"/w/a.c","file_text":"x"}',
    },
  },
  {
    ...v1,
    id: 'e4',
    source: 'environment',
    kind: 'ObservationEvent',
    tool_name: 'terminal',
    tool_call_id: 'c1',
    action_id: 'e2',
    observation: {
      kind: 'TerminalObservation',
      content: [{ type: 'text', text: 'a.c' }],
      is_error: false,
      metadata: { exit_code: 0, working_dir: '/w' },
    },
    extended_content: [{ type: 'text', text: 'A rule.' }],
  },
  {
    ...v1,
    id: 'e5',
    source: 'agent',
    kind: 'AgentErrorEvent',
    tool_name: 'file_editor',
    tool_call_id: 'c2',
    error: 'No such folder.',
  },
  { ...v1, id: 'e6', source: 'environment', kind: 'ConversationStateUpdateEvent', key: 'x' },
  {
    ...v1,
    id: 'e7',
    source: 'environment',
    kind: 'Condensation',
    forgotten_event_ids: ['e2', 'e3', 'e4', 'e5'],
    summary: 'Looked around.',
    llm_response_id: 'r2',
  },
  {
    ...v1,
    id: 'e8',
    source: 'agent',
    kind: 'MessageEvent',
    llm_message: { role: 'assistant', content: [{ type: 'text', text: 'What now?' }] },
  },
]
