const timestamp = '2026-07-24T10:45:25.236Z'

function event(id: string, type: string, data: object, fields: object = {}): object {
  return { type, data, id, timestamp, parentId: null, ...fields }
}

export const copilotCliEvents: readonly object[] = [
  event('e1', 'session.start', { sessionId: 's', version: 1, context: { cwd: '/code' } }),
  event('e2', 'session.model_change', { newModel: 'gpt-x' }),
  event('e3', 'system.message', { role: 'system', content: 'You are Copilot.' }),
  event('e4', 'user.message', {
    content: 'Read it.',
    transformedContent: '<current_datetime>x</current_datetime>\n\nRead it.',
    attachments: [{ type: 'blob', data: 'AA', mimeType: 'image/png' }],
  }),
  event('e5', 'assistant.message', {
    messageId: 'm1',
    model: 'claude-x',
    content: 'I read it.',
    reasoningText: 'Hm.',
    reasoningOpaque: 'xyz',
    toolRequests: [
      { toolCallId: 'c1', name: 'view', arguments: { path: '/a' }, type: 'function' },
      { toolCallId: 'c2', name: 'apply_patch', arguments: '*** Begin Patch', type: 'custom' },
    ],
  }),
  event('e6', 'tool.execution_start', { toolCallId: 'c1', toolName: 'view', arguments: {} }),
  event('e7', 'assistant.message', { content: 'Aside.' }, { agentId: 'c9' }),
  event('e8', 'tool.execution_complete', {
    toolCallId: 'c1',
    success: true,
    result: { content: 'x', contents: [{ type: 'image', data: 'AA', mimeType: 'image/png' }] },
  }),
  event('e9', 'system.notification', { content: '<system_notification>\nDone.' }),
  event('f1', 'session.compaction_start', { conversationTokens: 9 }),
  event('f2', 'tool.execution_complete', {
    toolCallId: 'c2',
    success: false,
    error: { message: 'no', code: 'failure' },
  }),
  event('f3', 'session.compaction_complete', {
    success: true,
    preCompactionTokens: 9,
    summaryContent: '<overview>It did.</overview>',
  }),
  event('f4', 'user.message', { content: 'More.' }),
  event('f5', 'session.snapshot_rewind', { upToEventId: 'f4', eventsRemoved: 1 }),
]
