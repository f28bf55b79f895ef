/** An exported session with entries of every kind. */
export const throughlineLines: readonly object[] = [
  { throughline: 'session', version: 1, id: 's', entries: 14 },
  message(1, 'human', { role: 'user', content: 'Read it.' }),
  {
    ...message(2, 'model', {
      role: 'assistant',
      content: [
        { type: 'reasoning', text: 'Hm.', providerOptions: { a: { signature: 'x' } } },
        { type: 'tool-call', toolCallId: 'c1', toolName: 'read', input: { path: '/a' } },
      ],
    }),
    model: 'model-x',
    usage: { inputTokens: 3, outputTokens: 2 },
    finish: 'tool-calls',
    metadata: { note: 1 },
  },
  message(3, 'tool', {
    role: 'tool',
    content: [
      {
        type: 'tool-result',
        toolCallId: 'c1',
        toolName: 'read',
        output: { type: 'content', value: [{ type: 'text', text: 'x' }, { type: 'media' }] },
      },
    ],
  }),
  {
    seq: 4,
    kind: 'prune',
    at: 4,
    base: 3,
    replacements: [{ how: 'pruned', ref: '3.0', text: '<tool-output-compacted ref="3.0" />' }],
    metadata: { time: { compacted: 4 } },
  },
  { seq: 5, kind: 'pin', at: 5, text: 'Never.', ref: '1.0' },
  message(6, 'model', { role: 'assistant', content: 'Done.' }),
  message(7, 'human', { role: 'user', content: [{ type: 'image', image: 'AA==' }] }),
  {
    seq: 8,
    kind: 'checkpoint',
    at: 8,
    base: 7,
    summary: '## Goal\nRead it.',
    summarizer: 'local',
    tail: [
      { type: 'entry', seq: 6 },
      { type: 'omission', from: 2, to: 3, text: 'Left out.' },
      { type: 'entry', seq: 7, replacements: [{ how: 'described', ref: '7.0', text: '[image]' }] },
    ],
    continuation: {
      kind: 'media',
      message: { role: 'user', content: '[image]' },
      metadata: { compaction_continue: true, had_media: true },
      of: 7,
      replacements: [{ how: 'described', ref: '7.0', text: '[image]' }],
    },
    metadata: {},
  },
  { seq: 9, kind: 'unpin', at: 9, pin: 5 },
  { seq: 10, kind: 'rewind', at: 10, to: 7, resume: 9 },
  note(11, { type: 'calibration', model: 'model-x', ratio: 1.2 }),
  note(12, { type: 'failure', summarizer: 'model', problems: ['empty'] }),
  note(13, { type: 'redaction', seqs: [2] }),
  note(14, { type: 'note', name: 'import', data: { format: 'codex', first: 1, count: 0 } }),
  note(15, { type: 'reasoning', model: 'model-x', provider: 'refuses' }),
]

function message(seq: number, origin: string, said: object): object {
  return { seq, kind: 'message', at: seq, origin, message: said }
}

function note(seq: number, observation: object): object {
  return { seq, kind: 'observation', at: seq, observation }
}
