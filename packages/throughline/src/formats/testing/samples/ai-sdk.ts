/** Model messages of the AI SDK of every kind. */
export const aiSdkMessages: readonly unknown[] = [
  { role: 'system', content: 'Rules.' },
  {
    role: 'user',
    content: [
      { type: 'text', text: 'Read it.', providerOptions: { x: { cache: true } } },
      { type: 'image', image: { type: 'Buffer', data: [1, 2] }, mediaType: 'image/png' },
      {
        type: 'file',
        data: { type: 'url', url: 'https://x.y/a.pdf' },
        mediaType: 'application/pdf',
      },
      { type: 'x-new', x: 1 },
    ],
  },
  {
    role: 'assistant',
    content: [
      { type: 'reasoning', text: 'Hm.', providerOptions: { anthropic: { signature: 'sig' } } },
      { type: 'text', text: 'I read it.' },
      { type: 'tool-call', toolCallId: 'c1', toolName: 'read', input: { path: '/a' } },
      { type: 'tool-call', toolCallId: 'c2', toolName: 'remove', input: {} },
      { type: 'tool-approval-request', approvalId: 'a1', toolCallId: 'c2' },
      {
        type: 'tool-call',
        toolCallId: 'c3',
        toolName: 'search',
        input: {},
        providerExecuted: true,
      },
      {
        type: 'tool-result',
        toolCallId: 'c3',
        toolName: 'search',
        output: { type: 'json', value: [] },
      },
      { type: 'custom', kind: 'openai.compaction', providerOptions: { openai: { id: 'x' } } },
    ],
  },
  {
    role: 'tool',
    content: [
      { type: 'tool-approval-response', approvalId: 'a1', approved: false, reason: 'No.' },
      {
        type: 'tool-result',
        toolCallId: 'c1',
        toolName: 'read',
        output: { type: 'content', value: [{ type: 'text', text: 'x' }] },
      },
      {
        type: 'tool-result',
        toolCallId: 'c2',
        toolName: 'remove',
        output: { type: 'execution-denied', reason: 'No.' },
      },
    ],
  },
  { role: 'assistant', content: 'Done.' },
]

/** Messages of the AI SDK's user interface of every kind. */
export const aiSdkUiMessages: readonly unknown[] = [
  { id: 'u0', role: 'system', parts: [{ type: 'text', text: 'Rules.' }] },
  {
    id: 'u1',
    role: 'user',
    metadata: { createdAt: '2026-02-13T21:53:49.169Z' },
    parts: [
      { type: 'text', text: 'Read it.' },
      { type: 'file', mediaType: 'image/png', url: 'data:image/png;base64,AA' },
      { type: 'data-note', data: 1 },
    ],
  },
  {
    id: 'u2',
    role: 'assistant',
    parts: [
      { type: 'step-start' },
      { type: 'reasoning', text: 'Hm.', providerMetadata: { anthropic: { signature: 'sig' } } },
      { type: 'text', text: 'I read it.', state: 'done' },
      {
        type: 'tool-read',
        toolCallId: 'c1',
        state: 'output-available',
        input: { path: '/a' },
        output: { text: 'x' },
      },
      {
        type: 'dynamic-tool',
        toolName: 'remove',
        toolCallId: 'c2',
        state: 'output-denied',
        input: {},
        approval: { id: 'a1', approved: false, reason: 'No.' },
      },
      {
        type: 'tool-search',
        toolCallId: 'c3',
        state: 'output-error',
        input: {},
        errorText: 'Offline.',
        providerExecuted: true,
      },
      { type: 'source-url', sourceId: 's1', url: 'https://x.y' },
      { type: 'x-new', x: 1 },
      { type: 'step-start' },
      { type: 'steering-message', id: 'u3', parts: [{ type: 'text', text: 'Be quick.' }] },
      { type: 'text', text: 'Done.' },
      { type: 'tool-read', toolCallId: 'c4', state: 'input-streaming' },
    ],
  },
]
