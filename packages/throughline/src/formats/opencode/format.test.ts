import { describe, expect, test } from 'vitest'
import { draftsOf } from '../../testing/conformance/format-conformance.ts'
import { factsIn, outline } from '../testing/outline.ts'
import { opencode } from './format.ts'

type Fields = Record<string, unknown>

function session(messages: unknown[], info: Fields = {}): Fields[] {
  return [{ info: { id: 'ses_1', directory: '/code', ...info }, messages }]
}

function user(...parts: Fields[]): Fields {
  return { info: { id: 'msg_1', role: 'user', time: { created: 5 } }, parts }
}

function assistant(parts: Fields[], fields: Fields = {}): Fields {
  const info = { id: 'msg_2', role: 'assistant', time: { created: 7 }, modelID: 'gpt-x', ...fields }
  return { info, parts }
}

function text(words: string, fields: Fields = {}): Fields {
  return { type: 'text', text: words, ...fields }
}

function tool(callID: string, state: Fields, fields: Fields = {}): Fields {
  return {
    type: 'tool',
    tool: 'bash',
    callID,
    state: { input: { command: 'ls' }, ...state },
    ...fields,
  }
}

describe('steps', () => {
  test('a reply is one message with its usage, and its results follow', () => {
    const tokens = { input: 10, output: 3, reasoning: 4, cache: { read: 20, write: 5 } }
    const parts = [
      { type: 'step-start', snapshot: 'f' },
      text('I look.'),
      tool('c1', { status: 'completed', output: 'files', metadata: { output: 'files', exit: 0 } }),
      tool('c2', { status: 'error', error: 'no such file' }),
      { type: 'step-finish', reason: 'tool-calls', tokens },
      { type: 'patch', hash: 'f', files: ['/code/a'] },
    ]
    const drafts = draftsOf(opencode, session([assistant(parts, { finish: 'tool-calls', tokens })]))
    expect(drafts).toMatchObject([
      {
        at: 7,
        origin: 'model',
        model: 'gpt-x',
        finish: 'tool-calls',
        usage: { inputTokens: 35, outputTokens: 7, cacheReadTokens: 20, cacheWriteTokens: 5 },
        metadata: { source: { records: ['msg_2'] } },
        message: {
          content: [
            { type: 'text', text: 'I look.' },
            { type: 'tool-call', toolCallId: 'c1', toolName: 'bash', input: { command: 'ls' } },
            { type: 'tool-call', toolCallId: 'c2' },
          ],
        },
      },
      {
        origin: 'tool',
        message: {
          content: [
            { toolCallId: 'c1', output: { type: 'text', value: 'files' } },
            { toolCallId: 'c2', output: { type: 'error-text', value: 'no such file' } },
          ],
        },
      },
    ])
  })

  test('a message of several steps is several replies, each with its own results', () => {
    const done = { status: 'completed', output: 'x' }
    const parts = [
      { type: 'step-start' },
      tool('c1', done),
      { type: 'step-finish', reason: 'tool-calls', tokens: { input: 1 } },
      { type: 'step-start' },
      text('Done.'),
      { type: 'step-finish', reason: 'stop', tokens: { input: 2 } },
    ]
    const [first, , last] = draftsOf(opencode, session([assistant(parts)]))
    expect(outline(opencode, session([assistant(parts)]))).toEqual([
      'model: tool-call c1',
      'tool: tool-result c1',
      'model: Done.',
    ])
    expect(first).toMatchObject({ finish: 'tool-calls', usage: { inputTokens: 1 } })
    expect(last).toMatchObject({ finish: 'stop', usage: { inputTokens: 2 } })
  })

  test('a call that runs has no result; a command that failed says so', () => {
    const parts = [
      tool('c1', { status: 'running' }),
      tool('c2', { status: 'completed', output: 'bad', metadata: { exit: 2 } }),
    ]
    const [reply, results] = draftsOf(opencode, session([assistant(parts)]))
    expect(reply).toMatchObject({ finish: 'tool-calls' })
    expect(results).toMatchObject({
      message: { content: [{ toolCallId: 'c2', output: { type: 'error-text', value: 'bad' } }] },
    })
  })

  test('reasoning keeps its seal, and without words and seal it is nothing', () => {
    const sealed = { openai: { itemId: 'rs_1', reasoningEncryptedContent: 'xyz' } }
    const empty = { openai: { itemId: 'rs_2', reasoningEncryptedContent: null } }
    const reasoning = [sealed, empty].map((metadata) => ({ type: 'reasoning', text: '', metadata }))
    expect(draftsOf(opencode, session([assistant([...reasoning, text('Done.')])]))).toMatchObject([
      {
        message: {
          content: [
            { type: 'reasoning', text: '', providerOptions: sealed },
            { type: 'text', text: 'Done.' },
          ],
        },
      },
    ])
  })

  test('files of a tool stand in its output', () => {
    const attachments = [{ type: 'file', mime: 'image/png', url: 'data:image/png;base64,AA' }]
    const part = tool('c1', { status: 'completed', output: 'Image read', attachments })
    expect(draftsOf(opencode, session([assistant([part])]))[1]).toMatchObject({
      message: {
        content: [
          {
            output: {
              type: 'content',
              value: [
                { type: 'text', text: 'Image read' },
                { type: 'file', mediaType: 'image/png', data: { type: 'data', data: 'AA' } },
              ],
            },
          },
        ],
      },
    })
  })

  test('a reply that failed is left out; one that was stopped at work is kept', () => {
    const failed = assistant([text('Half')], { id: 'msg_3', error: { name: 'APIError' } })
    const stopped = { id: 'msg_4', error: { name: 'MessageAbortedError' } }
    const records = session([failed, assistant([text('Half')], stopped)])
    expect(draftsOf(opencode, records)).toMatchObject([{ finish: 'aborted' }])
    expect(factsIn(opencode, records).omitted).toEqual({ 'failed-reply': 1 })
  })
})

describe('who speaks', () => {
  test('words of the human stand alone', () => {
    const records = session([
      user(
        text('Do it.\n<system-reminder>Be brief.</system-reminder>'),
        text('Called the Read tool', { synthetic: true }),
        text('for the screen', { ignored: true }),
        { type: 'subtask', prompt: 'x' },
      ),
    ])
    expect(outline(opencode, records)).toEqual([
      'human: Do it.',
      'harness: \n<system-reminder>Be brief.</system-reminder> | Called the Read tool | The following tool was executed by the user',
    ])
  })

  test('an image is the human’s; a text file stands in a text of its own', () => {
    const url = 'data:image/png;base64,AA'
    const records = session([
      user(
        { type: 'file', mime: 'image/png', url },
        { type: 'file', mime: 'text/plain', url: 'file:///code/a.ts' },
        { type: 'file', mime: 'application/pdf', url, filename: 'a.pdf' },
      ),
    ])
    expect(draftsOf(opencode, records)).toMatchObject([
      {
        origin: 'human',
        message: {
          content: [
            { type: 'image', image: 'AA', mediaType: 'image/png' },
            { type: 'file', data: 'AA', mediaType: 'application/pdf', filename: 'a.pdf' },
          ],
        },
      },
    ])
  })
})

test('the facts are those of the session', () => {
  const path = { cwd: '/elsewhere' }
  const records = session([user(text('Go.')), assistant([text('Done.')], { path }), 7, { info: 1 }])
  expect(factsIn(opencode, records)).toEqual({
    id: 'ses_1',
    directory: '/code',
    model: 'gpt-x',
    omitted: { damaged: 2 },
  })
})

test('a list of messages alone is a session too, and a message that comes twice is said once', () => {
  const records = [user(text('Go.')), user(text('Go.')), assistant([text('Done.')])]
  expect(outline(opencode, records)).toEqual(['human: Go.', 'model: Done.'])
  expect(factsIn(opencode, records).omitted).toEqual({ duplicate: 1 })
})
