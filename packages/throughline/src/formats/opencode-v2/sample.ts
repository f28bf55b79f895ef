const time = { created: 1_795_384_185_204 }
const done = { ...time, completed: time.created + 5 }
const model = { providerID: 'anthropic', id: 'claude-x' }

/** Made by the schema of opencode 2.2; no session of it was at hand. */
export const opencodeV2Export: readonly object[] = [
  {
    info: {
      id: 'ses_1',
      projectID: 'p',
      cost: 0,
      tokens: { input: 0, output: 0, reasoning: 0, cache: { read: 0, write: 0 } },
      time: { ...time, updated: time.created },
      title: 'Read a file',
      location: { directory: '/code' },
    },
    messages: [
      { id: 'msg_1', type: 'system', text: 'The directory is /code.', time },
      {
        id: 'msg_2',
        type: 'user',
        text: 'Read it.',
        files: [
          { uri: 'data:image/png;base64,AA==', mime: 'image/png', name: 'a.png' },
          { uri: 'file:///code/a.pdf', mime: 'application/pdf', name: 'a.pdf' },
        ],
        agents: [],
        time,
      },
      {
        id: 'msg_3',
        type: 'assistant',
        agent: 'build',
        model,
        content: [
          { type: 'reasoning', text: 'Hm.', native: { signature: 'xyz' } },
          { type: 'text', text: 'I read it.' },
          {
            type: 'tool',
            id: 'c1',
            name: 'read',
            state: {
              status: 'completed',
              input: { path: '/a' },
              content: [
                { type: 'text', text: 'x' },
                { type: 'file', uri: 'data:image/png;base64,AA==', mime: 'image/png' },
              ],
            },
            time: done,
          },
          {
            type: 'tool',
            id: 'c2',
            name: 'shell',
            state: {
              status: 'error',
              input: { command: 'ls' },
              error: { type: 'unknown', message: 'no' },
            },
            time: done,
          },
        ],
        finish: 'tool-calls',
        tokens: { input: 20, output: 3, reasoning: 2, cache: { read: 100, write: 0 } },
        time: done,
      },
      { id: 'msg_4', type: 'synthetic', text: 'The tools have changed.', time },
      {
        id: 'msg_5',
        type: 'compaction',
        status: 'failed',
        reason: 'auto',
        error: { type: 'unknown', message: 'overloaded' },
        time,
      },
      {
        id: 'msg_6',
        type: 'compaction',
        status: 'completed',
        reason: 'auto',
        model,
        summary: '## Objective\nTo read it.',
        recent: '[User]: Read it.',
        time,
      },
      { id: 'msg_7', type: 'model-switched', model: { providerID: 'openai', id: 'gpt-x' }, time },
      {
        id: 'msg_8',
        type: 'shell',
        shellID: 'sh_1',
        command: 'pwd',
        status: 'exited',
        exit: 1,
        output: { output: '/code' },
        time: done,
      },
      { id: 'msg_9', type: 'user', text: 'More.', time },
      {
        id: 'msg_a',
        type: 'assistant',
        agent: 'build',
        model: { providerID: 'openai', id: 'gpt-x' },
        content: [
          {
            type: 'tool',
            id: 'c3',
            name: 'websearch',
            executed: true,
            state: { status: 'completed', input: {}, content: [{ type: 'text', text: 'found' }] },
            time: done,
          },
          {
            type: 'tool',
            id: 'c4',
            name: 'shell',
            state: { status: 'streaming', input: '{"com' },
            time,
          },
        ],
        time,
      },
      { id: 'msg_b', type: 'idle', outcome: 'interrupted', time },
    ],
  },
]
