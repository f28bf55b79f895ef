const timestamp = '2026-05-20T10:00:33.231Z'

function entry(id: string, parentId: string | null, fields: object): object {
  return { id, parentId, timestamp, ...fields }
}

function message(id: string, parentId: string | null, fields: object): object {
  return entry(id, parentId, { type: 'message', message: { timestamp: 1, ...fields } })
}

const text = (words: string): object => ({ type: 'text', text: words })

export const piEntries: readonly object[] = [
  { type: 'session', version: 3, id: 's', timestamp, cwd: '/code' },
  entry('a0', null, { type: 'model_change', provider: 'openai', modelId: 'gpt-x' }),
  message('a1', 'a0', { role: 'user', content: [text('Read it.')] }),
  message('a2', 'a1', {
    role: 'assistant',
    api: 'anthropic-messages',
    model: 'claude-x',
    stopReason: 'toolUse',
    usage: { input: 3, output: 2, cacheRead: 5, cacheWrite: 0 },
    content: [
      { type: 'thinking', thinking: 'Hm.', thinkingSignature: 'sig' },
      text('I read it.'),
      { type: 'toolCall', id: 'c1', name: 'read', arguments: { path: '/a' } },
      { type: 'toolCall', id: 'c2', name: 'bash', arguments: { command: 'ls' } },
    ],
  }),
  message('a3', 'a2', {
    role: 'toolResult',
    toolCallId: 'c1',
    toolName: 'read',
    content: [text('x'), { type: 'image', data: 'AA', mimeType: 'image/png' }],
    isError: false,
  }),
  entry('a4', 'a3', { type: 'custom_message', customType: 'note', content: 'A note.' }),
  message('a5', 'a4', {
    role: 'toolResult',
    toolCallId: 'c2',
    toolName: 'bash',
    content: [text('no')],
    isError: true,
  }),
  entry('a6', 'a5', { type: 'label', targetId: 'a1', label: 'here' }),
  entry('a7', 'a6', {
    type: 'compaction',
    summary: '## Goal',
    firstKeptEntryId: 'a2',
    tokensBefore: 9,
  }),
  message('a8', 'a7', { role: 'bashExecution', command: 'ls', output: 'a', exitCode: 1 }),
  message('a9', 'a8', { role: 'assistant', content: [], stopReason: 'aborted' }),
  entry('b1', 'a2', { type: 'branch_summary', fromId: 'a9', summary: 'It was tried.' }),
  message('b2', 'b1', { role: 'user', content: 'Go on.' }),
]
