const ids = { sessionID: 'ses_1' }

function user(id: string, created: number, parts: object[]): object {
  return { info: { id, role: 'user', time: { created }, agent: 'build', ...ids }, parts }
}

function assistant(id: string, created: number, parts: object[], fields: object = {}): object {
  const tokens = { input: 3, output: 2, reasoning: 1, cache: { read: 5, write: 0 } }
  const info = { id, role: 'assistant', parentID: 'msg_1', time: { created }, modelID: 'gpt-x' }
  return { info: { ...info, ...ids, tokens, finish: 'stop', ...fields }, parts }
}

function tool(callID: string, state: object): object {
  return { type: 'tool', tool: 'read', callID, state: { input: { filePath: '/a' }, ...state } }
}

export const opencodeMessages: readonly object[] = [
  user('msg_1', 1, [
    { type: 'text', text: 'Read it.' },
    { type: 'text', text: 'Called the Read tool', synthetic: true },
    { type: 'file', mime: 'image/png', filename: 'a.png', url: 'data:image/png;base64,AA' },
  ]),
  assistant(
    'msg_2',
    2,
    [
      { type: 'step-start' },
      { type: 'reasoning', text: 'Hm.', metadata: { openai: { itemId: 'rs_1' } } },
      { type: 'text', text: 'I read it.' },
      tool('c1', { status: 'completed', output: 'x', time: { start: 2, end: 2, compacted: 3 } }),
      tool('c2', { status: 'error', error: 'no such file', time: { start: 2, end: 2 } }),
      { type: 'step-finish', reason: 'tool-calls' },
      { type: 'patch', hash: 'f', files: ['/a'] },
    ],
    { finish: 'tool-calls' },
  ),
  assistant('msg_3', 4, [{ type: 'text', text: 'Done.' }]),
  user('msg_4', 5, [{ type: 'compaction', auto: true, overflow: false, tail_start_id: 'msg_3' }]),
  assistant('msg_5', 6, [{ type: 'text', text: '## Goal' }], { parentID: 'msg_4', summary: true }),
  user('msg_6', 7, [{ type: 'text', text: 'Continue if you have next steps', synthetic: true }]),
  user('msg_7', 8, [{ type: 'compaction', auto: false }]),
  assistant('msg_8', 9, [], { parentID: 'msg_7', summary: true, error: { name: 'APIError' } }),
]

export const opencodeExport: readonly object[] = [
  {
    info: { id: 'ses_1', directory: '/code', version: '1.18.33', revert: { messageID: 'msg_7' } },
    messages: opencodeMessages,
  },
]
