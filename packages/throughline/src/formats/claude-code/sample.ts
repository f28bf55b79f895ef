const at = { timestamp: '2026-02-13T21:53:49.169Z', sessionId: 's', cwd: '/code' }

/** A session of Claude Code with records of every kind. */
export const claudeCodeRecords: readonly unknown[] = [
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
