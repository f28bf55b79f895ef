import { describe, expect, test } from 'vitest'
import { draftsOf } from '../../testing/conformance/format-conformance.ts'
import { factsIn, outline } from '../testing/outline.ts'
import { openaiResponses } from './format.ts'

type Fields = Record<string, unknown>

const user = { role: 'user', content: [{ type: 'input_text', text: 'Read it.' }] }

function said(text: string): Fields {
  return { type: 'message', role: 'assistant', content: [{ type: 'output_text', text }] }
}

function call(call_id: string): Fields {
  return { type: 'function_call', call_id, name: 'read', arguments: '{"path":"/a"}' }
}

function output(call_id: string, value: unknown = 'x'): Fields {
  return { type: 'function_call_output', call_id, output: value }
}

const reasoning = {
  type: 'reasoning',
  id: 'rs1',
  summary: [{ type: 'summary_text', text: 'Hm.' }],
  encrypted_content: 'xyz',
}

describe('items', () => {
  test('of one response are one message, with their results behind it', () => {
    const records = [
      user,
      reasoning,
      said('I do.'),
      call('c1'),
      call('c2'),
      output('c1'),
      output('c2'),
    ]
    expect(outline(openaiResponses, [...records, reasoning, said('Done.'), user])).toEqual([
      'human: Read it.',
      'model: reasoning | I do. | tool-call c1 | tool-call c2',
      'tool: tool-result c1 | tool-result c2',
      'model: reasoning | Done.',
      'human: Read it.',
    ])
    expect(draftsOf(openaiResponses, records)[1]).toMatchObject({
      message: {
        content: [
          {
            type: 'reasoning',
            text: 'Hm.',
            providerOptions: { openai: { itemId: 'rs1', reasoningEncryptedContent: 'xyz' } },
          },
          { type: 'text' },
          { input: { path: '/a' } },
          {},
        ],
      },
    })
  })

  test("the API's own tools are calls: those that the client runs, and those of servers", () => {
    const drafts = draftsOf(openaiResponses, [
      { type: 'shell_call', id: 's1', call_id: 'c1', action: { commands: ['ls'] } },
      {
        type: 'apply_patch_call',
        call_id: 'c2',
        operation: { type: 'update_file', path: 'a.ts', diff: 'x' },
      },
      {
        type: 'mcp_call',
        id: 'm1',
        server_label: 'docs',
        name: 'find',
        arguments: '{"q":1}',
        output: 'y',
      },
      { type: 'shell_call_output', call_id: 'c1', output: [{ stdout: 'a' }] },
      { type: 'apply_patch_call_output', call_id: 'c2', status: 'completed', output: 'ok' },
    ])
    expect(drafts).toMatchObject([
      {
        message: {
          content: [
            { type: 'tool-call', toolName: 'shell', input: { commands: ['ls'] } },
            { type: 'tool-call', toolName: 'apply_patch', input: { path: 'a.ts' } },
            {
              type: 'tool-call',
              toolName: 'mcp__docs__find',
              input: { q: 1 },
              providerExecuted: true,
            },
            { type: 'tool-result', toolCallId: 'm1', output: { type: 'text', value: 'y' } },
          ],
        },
      },
      { message: { content: [{ toolName: 'shell' }, { output: { value: 'ok' } }] } },
    ])
  })

  test('that the API added since are kept whole, and what is no item is counted', () => {
    const records = [
      user,
      { type: 'compaction', id: 'cp1', encrypted_content: 'xyz' },
      { type: 'dream_call', id: 'd1', dream: 'x' },
      { type: 'unheard_of' },
    ]
    expect(draftsOf(openaiResponses, records).slice(1)).toMatchObject([
      {
        message: {
          content: [
            {
              type: 'custom',
              kind: 'openai.compaction',
              providerOptions: { 'openai-responses': { part: { encrypted_content: 'xyz' } } },
            },
          ],
        },
      },
      { message: { content: [{ type: 'custom', kind: 'openai.dream_call' }] } },
    ])
    expect(factsIn(openaiResponses, records).omitted).toEqual({ 'unknown-record': 1 })
  })

  test('images and files become parts', () => {
    const content = [
      { type: 'input_image', image_url: 'data:image/png;base64,AA' },
      { type: 'input_image', file_id: 'file_1' },
      { type: 'input_file', filename: 'a.pdf', file_data: 'data:application/pdf;base64,AA' },
      { type: 'input_file', file_url: 'https://x.y/a.pdf' },
      { type: 'input_file', file_id: 'file_2' },
    ]
    expect(draftsOf(openaiResponses, [{ role: 'user', content }])).toMatchObject([
      {
        message: {
          content: [
            { type: 'image', image: 'AA', mediaType: 'image/png' },
            { type: 'image', image: { openai: 'file_1' } },
            { type: 'file', data: 'AA', mediaType: 'application/pdf', filename: 'a.pdf' },
            { type: 'file', data: { type: 'url', url: 'https://x.y/a.pdf' } },
            { type: 'file', data: { type: 'reference', reference: { openai: 'file_2' } } },
          ],
        },
      },
    ])
  })
})

const response = {
  id: 'resp_1',
  object: 'response',
  created_at: 1_757_015_069,
  model: 'model-x',
  status: 'incomplete',
  incomplete_details: { reason: 'max_output_tokens' },
  output: [reasoning, said('So.')],
  usage: { input_tokens: 9, output_tokens: 2, input_tokens_details: { cached_tokens: 4 } },
}

describe('a request with its response', () => {
  test.each([
    [{ instructions: 'Be brief.', input: 'Read it.', response }],
    [{ request: { instructions: 'Be brief.', input: [user] }, response }],
    [{ input: [{ role: 'developer', content: 'Be brief.' }, user], ...response }],
  ])('gives model, usage, time and reason %#', (record) => {
    const drafts = draftsOf(openaiResponses, [record])
    expect(drafts).toMatchObject([
      { origin: 'human', message: { content: 'Read it.' } },
      {
        at: 1_757_015_069_000,
        model: 'model-x',
        finish: 'length',
        usage: { inputTokens: 9, outputTokens: 2, cacheReadTokens: 4 },
        metadata: { source: { message: 'resp_1' } },
      },
    ])
    expect(factsIn(openaiResponses, [record])).toEqual({ system: 'Be brief.', model: 'model-x' })
  })

  test('the response is a message of its own, whatever stands before it', () => {
    const { id: _, ...nameless } = response
    expect(outline(openaiResponses, [{ input: [user, said('One.')], response: nameless }])).toEqual(
      ['human: Read it.', 'model: One.', 'model: reasoning | So.'],
    )
  })

  test('a request that names the response before it says only what is new', () => {
    const next = { previous_response_id: 'resp_1', input: [output('c1')] }
    const first = { input: [user], response: { ...response, output: [call('c1')] } }
    expect(outline(openaiResponses, [first, next])).toEqual([
      'human: Read it.',
      'model: tool-call c1',
      'tool: tool-result c1',
    ])
  })
})
