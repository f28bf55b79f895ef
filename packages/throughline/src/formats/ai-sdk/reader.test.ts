import { describe, expect, test } from 'vitest'
import { draftsOf } from '../../testing/conformance/format-conformance.ts'
import { factsIn, outline } from '../testing/outline.ts'
import { aiSdk } from './format.ts'

type Fields = Record<string, unknown>

const user = { role: 'user', content: 'Read it.' }

function call(toolCallId: string, fields: Fields = {}): Fields {
  return { type: 'tool-call', toolCallId, toolName: 'read', input: { path: '/a' }, ...fields }
}

function result(toolCallId: string, output: unknown, fields: Fields = {}): Fields {
  return { type: 'tool-result', toolCallId, toolName: 'read', output, ...fields }
}

describe('model messages', () => {
  test('come through as they are, with the fields that are not known here', () => {
    const messages = [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Read it.', providerOptions: { x: { cache: true } } },
          { type: 'file', data: 'AA', mediaType: 'application/pdf', filename: 'a.pdf' },
        ],
        providerOptions: { x: { whole: true } },
      },
      {
        role: 'assistant',
        content: [
          { type: 'reasoning', text: 'Hm.', providerOptions: { x: { signature: 's' } } },
          { type: 'text', text: 'I do.' },
          call('c1', { title: 'new in 8' }),
          { type: 'tool-approval-request', approvalId: 'a1', toolCallId: 'c1', signature: 's' },
        ],
      },
      {
        role: 'tool',
        content: [
          { type: 'tool-approval-response', approvalId: 'a1', approved: true },
          result('c1', {
            type: 'content',
            value: [{ type: 'file', mediaType: 'image/png', data: { type: 'data', data: 'AA' } }],
          }),
        ],
      },
    ]
    const drafts = draftsOf(aiSdk, messages)
    expect(drafts.map((draft) => draft.kind === 'message' && draft.message)).toEqual(messages)
  })

  test('a leading system message is the system prompt', () => {
    const records = [{ role: 'system', content: 'Be brief.' }, user]
    expect(factsIn(aiSdk, records)).toEqual({ system: 'Be brief.' })
    expect(outline(aiSdk, records)).toEqual(['human: Read it.'])
  })

  test('bytes that were written as JSON are base64', () => {
    const content = [
      { type: 'image', image: { type: 'Buffer', data: [1, 2, 3] } },
      { type: 'image', image: { 0: 1, 1: 2, 2: 3 }, mediaType: 'image/png' },
      { type: 'file', data: { type: 'data', data: { 0: 1 } }, mediaType: 'audio/wav' },
      { type: 'image', image: { 0: 'not a byte' } },
    ]
    expect(draftsOf(aiSdk, [{ role: 'user', content }])).toMatchObject([
      {
        message: {
          content: [
            { type: 'image', image: 'AQID' },
            { type: 'image', image: 'AQID', mediaType: 'image/png' },
            { type: 'file', data: { type: 'data', data: 'AQ==' } },
            { type: 'image', image: { 0: 'not a byte' } },
          ],
        },
      },
    ])
  })

  test('calls and results of earlier versions are read too', () => {
    const old = { type: 'tool-call', toolCallId: 'c1', toolName: 'read', args: { path: '/a' } }
    const answer = { type: 'tool-result', toolCallId: 'c1', toolName: 'read', result: { a: 1 } }
    const records = [
      { role: 'assistant', content: [old] },
      {
        role: 'tool',
        content: [answer, { ...answer, toolCallId: 'c2', result: 'x', isError: true }],
      },
    ]
    expect(draftsOf(aiSdk, records)).toMatchObject([
      { message: { content: [{ input: { path: '/a' } }] } },
      {
        message: {
          content: [
            { output: { type: 'json', value: { a: 1 } } },
            { output: { type: 'error-text', value: 'x' } },
          ],
        },
      },
    ])
  })

  test('a part of a new kind is kept, and what cannot be is counted', () => {
    const records = [
      { role: 'assistant', content: [{ type: 'hologram', x: 1 }, { type: 'custom' }, 7] },
      { role: 'user', content: [{ type: 'hologram', x: 1 }, { x: 1 }] },
      { role: 'tool', content: [{ type: 'hologram' }] },
    ]
    expect(draftsOf(aiSdk, records)).toMatchObject([
      {
        message: {
          content: [
            {
              type: 'custom',
              kind: 'ai-sdk.hologram',
              providerOptions: { 'ai-sdk': { part: { x: 1 } } },
            },
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
    expect(factsIn(aiSdk, records).omitted).toEqual({ 'unknown-part': 4, empty: 1 })
  })
})

test('a call whose result stands beside it was run by the provider, whether it says so or not', () => {
  const content = [call('c1'), result('c1', { type: 'text', value: 'x' })]
  const [draft] = draftsOf(aiSdk, [{ role: 'assistant', content }])
  expect(draft).toMatchObject({
    finish: 'stop',
    message: { content: [{ toolCallId: 'c1', providerExecuted: true }, { toolCallId: 'c1' }] },
  })
})

describe('what a call of the SDK was given and gave', () => {
  test('the usage is that of the last step', () => {
    const record = {
      instructions: 'Be brief.',
      messages: [user],
      finishReason: 'stop',
      usage: { inputTokens: 9, outputTokens: 2, inputTokenDetails: { cacheReadTokens: 4 } },
      response: {
        modelId: 'model-x',
        timestamp: '2026-02-13T21:53:49.000Z',
        messages: [
          { role: 'assistant', content: [call('c1')] },
          { role: 'tool', content: [result('c1', { type: 'text', value: 'x' })] },
          { role: 'assistant', content: 'Done.' },
        ],
      },
    }
    const drafts = draftsOf(aiSdk, [record])
    expect(drafts.map((draft) => 'usage' in draft)).toEqual([false, false, false, true])
    expect(drafts[3]).toMatchObject({
      at: Date.UTC(2026, 1, 13, 21, 53, 49),
      model: 'model-x',
      finish: 'stop',
      usage: { inputTokens: 9, outputTokens: 2, cacheReadTokens: 4 },
    })
    expect(factsIn(aiSdk, [record])).toEqual({ system: 'Be brief.', model: 'model-x' })
  })
})
