const timestamp = '2026-04-14T15:31:19.875Z'

function message(id: string, type: string, content: unknown, fields: object = {}): object {
  return { id, timestamp, type, content, ...fields }
}

function call(id: string, response: object, status = 'success'): object {
  const result = [{ functionResponse: { id, name: 'read_file', response } }]
  return { id, name: 'read_file', args: { file_path: '/a' }, result, status }
}

const asked = message('m1', 'user', [
  { text: 'Read @a.' },
  { text: '\n--- Content from referenced files ---' },
  { text: 'x' },
  { inlineData: { mimeType: 'image/png', data: 'AA' } },
])

const reply = message('m2', 'gemini', 'I read it.', {
  thoughts: [{ subject: 'Reading', description: 'Hm.' }],
  tokens: { input: 9, output: 2, cached: 5, thoughts: 1 },
  model: 'gemini-x',
  toolCalls: [call('c1', { output: 'a long text' }), call('c2', { error: 'no' }, 'error')],
})

const header = { sessionId: 's', projectHash: 'f', startTime: timestamp, kind: 'main' }

export const geminiCliDocument: readonly object[] = [
  { ...header, messages: [asked, message('m0', 'info', 'Request cancelled.'), reply] },
]

export const geminiCliLines: readonly object[] = [
  header,
  asked,
  message('m2', 'gemini', 'I read it.', { tokens: { input: 9, output: 2 } }),
  reply,
  message('m3', 'user', [{ functionResponse: { id: 'c1', response: { output: 'x' } } }]),
  message('m4', 'user', [{ text: 'And now?' }]),
  { $set: { messages: [asked, { ...reply, toolCalls: [call('c1', { output: 'masked' })] }] } },
  { $set: { messages: [message('n1', 'user', '<state_snapshot>It did.'), reply] } },
  message('m5', 'user', 'Wrong.'),
  { $rewindTo: 'm5' },
]
