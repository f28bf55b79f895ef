import { describe, expect, test } from 'vitest'
import { draftsOf } from '../../testing/conformance/format-conformance.ts'
import { factsIn, outline } from '../testing/outline.ts'
import { geminiCli } from './format.ts'

type Fields = Record<string, unknown>

const header = { sessionId: 's1', projectHash: 'f', kind: 'main' }

function document(...messages: unknown[]): Fields[] {
  return [{ ...header, messages }]
}

let count = 0

function message(type: string, content: unknown, fields: Fields = {}): Fields {
  return { id: `m${++count}`, timestamp: '2026-04-14T15:31:19.875Z', type, content, ...fields }
}

function call(id: string, response: unknown, fields: Fields = {}): Fields {
  const result = [{ functionResponse: { id, name: 'read_file', response } }]
  return { id, name: 'read_file', args: { file_path: '/a' }, result, status: 'success', ...fields }
}

describe('steps', () => {
  test('a reply is one message with its usage, and its results follow', () => {
    const toolCalls = [
      call('c1', { output: 'x' }),
      call('c2', { error: 'no such file' }, { status: 'error' }),
      call('c3', { output: 'partly' }, { status: 'cancelled' }),
      call('c4', { rows: 2 }),
    ]
    const tokens = { input: 20, output: 3, cached: 15, thoughts: 4, tool: 0, total: 27 }
    const thoughts = [{ subject: 'Reading', description: 'Hm.' }]
    const reply = message('gemini', 'I read.', { thoughts, tokens, model: 'gemini-x', toolCalls })
    expect(draftsOf(geminiCli, document(reply))).toMatchObject([
      {
        at: Date.parse('2026-04-14T15:31:19.875Z'),
        origin: 'model',
        model: 'gemini-x',
        finish: 'tool-calls',
        usage: { inputTokens: 20, outputTokens: 7, cacheReadTokens: 15 },
        metadata: { source: { records: [reply['id']] } },
        message: {
          content: [
            { type: 'text', text: 'I read.' },
            {
              type: 'tool-call',
              toolCallId: 'c1',
              toolName: 'read_file',
              input: { file_path: '/a' },
            },
            { toolCallId: 'c2' },
            { toolCallId: 'c3' },
            { toolCallId: 'c4' },
          ],
        },
      },
      {
        message: {
          content: [
            { output: { type: 'text', value: 'x' } },
            { output: { type: 'error-text', value: 'no such file' } },
            { output: { type: 'error-text', value: 'partly' } },
            { output: { type: 'json', value: { rows: 2 } } },
          ],
        },
      },
    ])
  })

  test('a call that stands in the content and in the list is made once', () => {
    const functionCall = { id: 'c1', name: 'read_file', args: {} }
    const content = [
      { thought: true, text: 'Hm.' },
      { text: 'I read.' },
      { functionCall, thoughtSignature: 'sig' },
      { functionCall: { name: 'unnamed' } },
    ]
    const reply = message('gemini', content, { toolCalls: [call('c1', { output: 'x' })] })
    expect(outline(geminiCli, document(reply))).toEqual([
      'model: I read. | tool-call c1',
      'tool: tool-result c1',
    ])
    expect(draftsOf(geminiCli, document(reply))[0]).toMatchObject({
      message: { content: [{}, { providerOptions: { google: { thoughtSignature: 'sig' } } }] },
    })
  })

  test('calls that are a message of their own belong to the reply before them', () => {
    const said = message('gemini', 'I read.', { tokens: { input: 9 } })
    const calls = message('gemini', '', { toolCalls: [call('c1', { output: 'x' })] })
    expect(draftsOf(geminiCli, document(said, calls))).toMatchObject([
      {
        finish: 'tool-calls',
        usage: { inputTokens: 9 },
        metadata: { source: { records: [said['id'], calls['id']] } },
        message: { content: [{ text: 'I read.' }, { toolCallId: 'c1' }] },
      },
      { origin: 'tool' },
    ])
  })

  test('a call without a result is open, and one without an id has one', () => {
    const toolCalls = [
      { name: 'read_file', args: {}, result: 'x' },
      { id: 'c2', name: 'glob' },
    ]
    const reply = message('gemini', '', { toolCalls })
    expect(outline(geminiCli, document(reply))).toEqual([
      `model: tool-call ${reply['id']}_0 | tool-call c2`,
      `tool: tool-result ${reply['id']}_0`,
    ])
  })

  test('media beside a response stand in its output', () => {
    const inlineData = { mimeType: 'image/png', data: 'AA' }
    const response = { functionResponse: { id: 'c1', response: { output: 'seen' } } }
    const toolCalls = [call('c1', {}, { result: [response, { inlineData }] })]
    expect(draftsOf(geminiCli, document(message('gemini', '', { toolCalls })))[1]).toMatchObject({
      message: {
        content: [
          {
            output: {
              type: 'content',
              value: [
                { type: 'text', text: 'seen' },
                { type: 'file', mediaType: 'image/png', data: { type: 'data', data: 'AA' } },
              ],
            },
          },
        ],
      },
    })
  })
})

describe('who speaks', () => {
  test('files that the human named are not their words', () => {
    const content = [
      { text: 'Read @a.' },
      { text: '\n--- Content from referenced files ---' },
      { text: 'x' },
      { text: '\n--- End of content ---' },
    ]
    expect(outline(geminiCli, document(message('user', content)))).toEqual([
      'human: Read @a.',
      'harness: \n--- Content from referenced files --- | x | \n--- End of content ---',
    ])
  })

  test.each(['Please continue.', 'System: Please continue.', '<state_snapshot>\nIt did.'])(
    'the harness says %j',
    (text) => {
      expect(outline(geminiCli, document(message('user', text)))).toEqual([`harness: ${text}`])
    },
  )

  test('what the model never saw is left out and counted', () => {
    const records = document(
      message('user', '/chat save'),
      message('info', 'Request cancelled.'),
      message('gemini', ''),
      message('odd', 'x'),
      7,
    )
    expect(outline(geminiCli, records)).toEqual([])
    expect(factsIn(geminiCli, records)).toEqual({
      id: 's1',
      omitted: { command: 1, 'client-message': 1, unfinished: 1, damaged: 1 },
    })
  })

  test('an image is the human’s', () => {
    const content = [{ inlineData: { mimeType: 'image/png', data: 'AA' } }]
    expect(draftsOf(geminiCli, document(message('user', content)))).toMatchObject([
      {
        origin: 'human',
        message: { content: [{ type: 'image', image: 'AA', mediaType: 'image/png' }] },
      },
    ])
  })
})

describe('JSON Lines', () => {
  test('a message that is written again takes the place of what it said before', () => {
    const reply = message('gemini', 'I read.')
    const whole = { ...reply, toolCalls: [call('c1', { output: 'x' })], tokens: { input: 9 } }
    const records = [header, reply, { $set: { lastUpdated: 'x' } }, whole, message('user', 'On.')]
    expect(outline(geminiCli, records)).toEqual([
      'model: I read. | tool-call c1',
      'tool: tool-result c1',
      'human: On.',
    ])
    expect(factsIn(geminiCli, [...records, reply]).omitted).toEqual({ duplicate: 1 })
  })

  test('a result that stands a second time in the user’s place is given once', () => {
    const again = (id: string): Fields => ({ functionResponse: { id, response: { output: 'y' } } })
    const toolCalls = [call('c1', { output: 'x' }), { id: 'c2', name: 'glob' }]
    const records = [
      header,
      message('gemini', '', { toolCalls }),
      message('user', [again('c1'), again('c2')]),
    ]
    expect(outline(geminiCli, records)).toEqual([
      'model: tool-call c1 | tool-call c2',
      'tool: tool-result c1',
      'tool: tool-result c2',
    ])
  })

  test('the directory is the first one of the session', () => {
    const records = [header, { $set: { directories: ['/code', '/more'] } }, message('user', 'Go.')]
    expect(factsIn(geminiCli, records)).toEqual({ id: 's1', directory: '/code' })
  })
})
