import { describe, expect, test } from 'vitest'
import { contextOf } from '../../log/context/context.ts'
import { draftsOf, logOf } from '../../testing/conformance/format-conformance.ts'
import { factsIn, outline } from '../testing/outline.ts'
import { anthropic } from './format.ts'

type Fields = Record<string, unknown>

const user = { role: 'user', content: 'Read it.' }

function use(id: string): Fields {
  return { type: 'tool_use', id, name: 'read', input: { path: '/a' } }
}

function result(tool_use_id: string, fields: Fields = {}): Fields {
  return { type: 'tool_result', tool_use_id, content: 'x', ...fields }
}

describe('messages', () => {
  test('results come before what was said beside them', () => {
    const records = [
      user,
      { role: 'assistant', content: [{ type: 'text', text: 'I do.' }, use('c1'), use('c2')] },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'And b?' },
          result('c1'),
          result('c2', { is_error: true, content: [{ type: 'text', text: 'ENOENT' }] }),
        ],
      },
    ]
    expect(outline(anthropic, records)).toEqual([
      'human: Read it.',
      'model: I do. | tool-call c1 | tool-call c2',
      'tool: tool-result c1 | tool-result c2',
      'human: And b?',
    ])
    expect(draftsOf(anthropic, records)[2]).toMatchObject({
      message: {
        content: [
          { toolName: 'read', output: { type: 'text', value: 'x' } },
          { output: { type: 'error-text', value: 'ENOENT' } },
        ],
      },
    })
  })

  test('thinking keeps what Anthropic signed it with', () => {
    const content = [
      { type: 'thinking', thinking: 'Hm.', signature: 'sig' },
      { type: 'redacted_thinking', data: 'xyz' },
      { type: 'text', text: 'So.' },
    ]
    expect(draftsOf(anthropic, [{ role: 'assistant', content }])).toMatchObject([
      {
        message: {
          content: [
            {
              type: 'reasoning',
              text: 'Hm.',
              providerOptions: { anthropic: { signature: 'sig' } },
            },
            { type: 'reasoning', providerOptions: { anthropic: { redactedData: 'xyz' } } },
            { type: 'text', text: 'So.' },
          ],
        },
      },
    ])
  })

  test('a harness beside the human is told apart, and a new kind of block is kept as JSON', () => {
    const content = [
      { type: 'text', text: '<system-reminder>Be kind.</system-reminder>' },
      { type: 'text', text: 'Look.' },
      { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AA' } },
      { type: 'document', source: { type: 'file', file_id: 'file_1' } },
      { type: 'hologram', x: 1 },
    ]
    expect(draftsOf(anthropic, [{ role: 'user', content }])).toMatchObject([
      { origin: 'harness', message: { content: '<system-reminder>Be kind.</system-reminder>' } },
      {
        origin: 'human',
        message: {
          content: [
            { type: 'text', text: 'Look.' },
            { type: 'image', image: 'AA', mediaType: 'image/png' },
            { type: 'file', data: { type: 'reference', reference: { anthropic: 'file_1' } } },
          ],
        },
      },
      {
        origin: 'harness',
        message: {
          content: [{ type: 'file', data: { type: 'text', text: '{"type":"hologram","x":1}' } }],
        },
      },
    ])
  })

  test("the API's own compaction is a checkpoint, of which the model sees the summary and what follows", () => {
    const compacted = {
      role: 'assistant',
      content: [
        { type: 'text', text: 'Before.' },
        { type: 'compaction', content: 'What came before.' },
        { type: 'text', text: 'After.' },
      ],
    }
    const records = [user, compacted, user]
    expect(outline(anthropic, records)).toEqual([
      'human: Read it.',
      'checkpoint: What came before., kept ',
      'model: After.',
      'human: Read it.',
    ])
    const { items } = contextOf(logOf(draftsOf(anthropic, records)))
    expect(items.map(({ type, seq }) => [type, seq])).toEqual([
      ['summary', 2],
      ['message', 3],
      ['message', 4],
    ])
  })
})

const answer = {
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: 'model-x',
  content: [{ type: 'text', text: 'So.' }],
  stop_reason: 'max_tokens',
  usage: { input_tokens: 3, cache_read_input_tokens: 5, output_tokens: 2 },
}

const answered = {
  model: 'model-x',
  finish: 'length',
  usage: { inputTokens: 8, outputTokens: 2, cacheReadTokens: 5 },
  metadata: { source: { message: 'msg_1' } },
}

describe('a request with its answer', () => {
  test.each([
    [{ model: 'm', system: 'Be brief.', max_tokens: 9, messages: [user], response: answer }],
    [
      {
        request: { system: [{ type: 'text', text: 'Be brief.' }], messages: [user] },
        response: { body: answer },
      },
    ],
  ])('gives model, usage and reason %#', (record) => {
    expect(draftsOf(anthropic, [record])).toMatchObject([{ origin: 'human' }, answered])
    expect(factsIn(anthropic, [record])).toEqual({ system: 'Be brief.', model: 'model-x' })
  })

  test('an answer among messages carries its own', () => {
    const timed = { ...answer, created_at: '2026-02-13T21:53:49.000Z' }
    const drafts = draftsOf(anthropic, [user, timed])
    expect(drafts[1]).toMatchObject({ ...answered, at: Date.UTC(2026, 1, 13, 21, 53, 49) })
    expect(factsIn(anthropic, [user, timed])).toEqual({ model: 'model-x' })
  })
})
