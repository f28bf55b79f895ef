const call = {
  id: 'c1',
  type: 'function',
  function: { name: 'Read', arguments: '{"filepath":"/a"}' },
}
const refused = { id: 'c2', type: 'function', function: { name: 'Bash', arguments: '{"command":' } }

/** Of the command, which has compacted, and of an extension, which keeps more beside a message. */
export const cnSession: readonly object[] = [
  {
    sessionId: '0d7b7a52-0000-4000-8000-000000000001',
    title: 'Read a file',
    workspaceDirectory: '/code',
    history: [
      {
        message: { role: 'assistant', content: 'It was begun.' },
        contextItems: [],
        conversationSummary: 'It was begun.',
      },
      { message: { role: 'user', content: 'continue' }, contextItems: [], editorState: 'continue' },
      {
        message: { role: 'user', content: 'Read it.' },
        contextItems: [{ name: 'a.ts', description: 'src/a.ts', content: 'export {}', id: {} }],
        editorState: 'Read it.',
      },
      {
        message: {
          role: 'user',
          content: [
            { type: 'text', text: 'And this.' },
            { type: 'imageUrl', imageUrl: { url: 'data:image/png;base64,AA==' } },
          ],
        },
        contextItems: [],
      },
      { message: { role: 'thinking', content: 'Hm.', signature: 'xyz' }, contextItems: [] },
      {
        message: {
          role: 'assistant',
          content: 'I read it.',
          toolCalls: [call, refused],
          usage: {
            prompt_tokens: 20,
            completion_tokens: 3,
            prompt_tokens_details: { cached_tokens: 5 },
            model: 'gpt-x',
          },
        },
        contextItems: [],
        toolCallStates: [
          {
            toolCallId: 'c1',
            toolCall: call,
            status: 'done',
            parsedArgs: { filepath: '/a' },
            output: [{ content: 'x', name: 'Tool Result', description: 'Tool execution result' }],
          },
          { toolCallId: 'c2', toolCall: refused, status: 'canceled' },
        ],
      },
      { message: { role: 'assistant', content: 'It holds an x.' }, contextItems: [] },
    ],
    usage: { totalCost: 0, promptTokens: 20, completionTokens: 3 },
  },
]
