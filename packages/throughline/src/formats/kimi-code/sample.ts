const time = 1_795_384_185_204

function message(fields: object): object {
  return {
    type: 'context.append_message',
    agentId: 'main',
    message: { toolCalls: [], ...fields },
    time,
  }
}

function event(fields: object): object {
  return { type: 'context.append_loop_event', agentId: 'main', event: fields, time }
}

function words(text: string): object[] {
  return [{ type: 'text', text }]
}

function injected(text: string, origin: object): object {
  return message({ role: 'user', content: words(text), origin })
}

const usage = { inputOther: 20, output: 3, inputCacheRead: 100, inputCacheCreation: 0 }

/** Of protocol 1.5. */
export const kimiCodeRecords: readonly object[] = [
  { type: 'metadata', protocol_version: '1.5', created_at: time },
  {
    type: 'profile.bind',
    agentId: 'main',
    modelAlias: 'mine',
    profileName: 'agent',
    thinkingEffort: 'off',
    systemPrompt: 'You are Kimi.',
    environmentDisclosure: { cwd: '/code', date: { disclosed: false } },
    disallowedTools: [],
    time,
  },
  {
    type: 'turn.prompt',
    agentId: 'main',
    input: words('Read it.'),
    origin: { kind: 'user' },
    time,
  },
  message({
    role: 'user',
    id: 'msg_1',
    content: [
      ...words('Read it.'),
      { type: 'image_url', imageUrl: { url: 'data:image/png;base64,AA==' } },
    ],
    origin: { kind: 'user' },
  }),
  injected('<system-reminder>\nIt is Monday.\n</system-reminder>', {
    kind: 'injection',
    variant: 'date_change',
  }),
  event({ type: 'step.begin', uuid: 's1', turnId: '0', step: 1 }),
  { type: 'llm.request', agentId: 'main', kind: 'loop', provider: 'openai', model: 'kimi-x', time },
  event({
    type: 'content.part',
    stepUuid: 's1',
    part: { type: 'think', think: 'Hm.', encrypted: 'xyz' },
  }),
  event({ type: 'content.part', stepUuid: 's1', part: { type: 'text', text: 'I read it.' } }),
  event({
    type: 'tool.call',
    stepUuid: 's1',
    toolCallId: 'c1',
    name: 'Read',
    args: { path: '/a' },
  }),
  event({
    type: 'tool.result',
    toolCallId: 'c1',
    result: { output: 'x', note: '<system>1 line</system>' },
  }),
  event({
    type: 'tool.call',
    stepUuid: 's1',
    toolCallId: 'c2',
    name: 'Bash',
    args: { command: 'ls' },
  }),
  injected('A task has ended.', { kind: 'task', taskId: 't', status: 'completed' }),
  event({ type: 'tool.result', toolCallId: 'c2', result: { output: words('no'), isError: true } }),
  event({ type: 'step.end', uuid: 's1', finishReason: 'tool_use', usage }),
  event({ type: 'step.begin', uuid: 's2', turnId: '0', step: 2 }),
  event({ type: 'content.part', stepUuid: 's2', part: { type: 'text', text: 'Half a' } }),
  event({ type: 'step.end', uuid: 's2', finishReason: 'interrupted' }),
  message({ role: 'user', id: 'msg_2', content: words('And that?'), origin: { kind: 'user' } }),
  { type: 'context.undo', agentId: 'main', count: 1, time },
  message({ role: 'user', id: 'msg_3', content: words('Go on.'), origin: { kind: 'user' } }),
  message({
    role: 'assistant',
    content: words('I go on.'),
    toolCalls: [{ type: 'function', id: 'c3', name: 'Bash', arguments: '{"command":"pwd"}' }],
  }),
  message({ role: 'tool', toolCallId: 'c3', content: words('/code') }),
  { type: 'full_compaction.begin', agentId: 'main', source: 'auto', time },
  {
    type: 'context.apply_compaction',
    agentId: 'main',
    summary: 'It was read.',
    contextSummary: 'What follows is a summary.\nIt was read.',
    compactedCount: 9,
    tokensBefore: 900,
    tokensAfter: 90,
    keptUserMessageCount: 2,
    time,
  },
  injected('Go on with the goal.', { kind: 'system_trigger', name: 'goal_continuation' }),
  event({ type: 'step.begin', uuid: 's3' }),
  event({ type: 'content.part', stepUuid: 's3', part: { type: 'text', text: 'All done.' } }),
  event({ type: 'step.end', uuid: 's3', finishReason: 'end_turn', usage }),
]

/** Of Kimi CLI, before it was rewritten. */
export const kimiCliMessages: readonly object[] = [
  { role: '_system_prompt', content: 'You are Kimi.' },
  {
    role: 'user',
    content: [
      { type: 'text', text: '<system>Previous context has been compacted. Here it is:</system>' },
      { type: 'text', text: 'It was begun.' },
    ],
  },
  { role: '_checkpoint', id: 0 },
  { role: 'user', content: [{ type: 'text', text: '<system>CHECKPOINT 0</system>' }] },
  { role: 'user', content: 'Read it.' },
  {
    role: 'assistant',
    content: [
      { type: 'think', think: 'Hm.' },
      { type: 'text', text: 'I read it.' },
    ],
    tool_calls: [
      { type: 'function', id: 'c1', function: { name: 'ReadFile', arguments: '{"path":"/a"}' } },
      { type: 'function', id: 'c2', function: { name: 'Shell', arguments: '{"command":' } },
    ],
  },
  { role: '_usage', token_count: 120 },
  { role: 'tool', content: [{ type: 'text', text: 'x' }], tool_call_id: 'c1' },
  {
    role: 'tool',
    content: [{ type: 'text', text: '<system>ERROR: not valid</system>' }],
    tool_call_id: 'c2',
  },
  { role: 'assistant', content: 'It holds an x.' },
]
