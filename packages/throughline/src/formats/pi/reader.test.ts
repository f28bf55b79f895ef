import { describe, expect, test } from 'vitest'
import { draftsOf, logOf, pairProblems } from '../../testing/conformance/format-conformance.ts'
import { factsIn, outline } from '../testing/outline.ts'
import { pi } from './format.ts'

type Fields = Record<string, unknown>

function entry(message: Fields, fields: Fields = {}): Fields {
  return { type: 'message', timestamp: '2025-12-08T22:41:05.306Z', message, ...fields }
}

function user(content: unknown, fields: Fields = {}): Fields {
  return entry({ role: 'user', content }, fields)
}

function text(words: string): Fields {
  return { type: 'text', text: words }
}

function call(id: string): Fields {
  return { type: 'toolCall', id, name: 'bash', arguments: { command: 'ls' } }
}

function assistant(content: Fields[], fields: Fields = {}): Fields {
  return entry({ role: 'assistant', content, stopReason: 'stop', ...fields })
}

function result(toolCallId: string, fields: Fields = {}): Fields {
  return entry({
    role: 'toolResult',
    toolCallId,
    toolName: 'bash',
    content: [text('files')],
    ...fields,
  })
}

describe('steps', () => {
  test('a reply has its usage and its model, and its results follow as one message', () => {
    const usage = { input: 1, output: 7, cacheRead: 20, cacheWrite: 3 }
    const drafts = draftsOf(pi, [
      assistant([text('I look.'), call('c1'), call('c2')], {
        model: 'claude-x',
        stopReason: 'toolUse',
        usage,
      }),
      result('c2', { isError: true }),
      result('c1'),
      assistant([text('Done.')]),
    ])
    expect(drafts).toMatchObject([
      {
        at: Date.parse('2025-12-08T22:41:05.306Z'),
        origin: 'model',
        model: 'claude-x',
        finish: 'tool-calls',
        usage: { inputTokens: 24, outputTokens: 7, cacheReadTokens: 20, cacheWriteTokens: 3 },
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
            { toolCallId: 'c2', output: { type: 'error-text', value: 'files' } },
            { toolCallId: 'c1', output: { type: 'text', value: 'files' } },
          ],
        },
      },
      { finish: 'stop', message: { content: [{ text: 'Done.' }] } },
    ])
  })

  test.each([
    ['anthropic-messages', 'sig', {}, { anthropic: { signature: 'sig' } }],
    ['anthropic-messages', 'sig', { redacted: true }, { anthropic: { redactedData: 'sig' } }],
    ['google-generative-ai', 'sig', {}, { google: { thoughtSignature: 'sig' } }],
    [
      'openai-responses',
      '{"id":"rs_1","type":"reasoning","encrypted_content":"xyz"}',
      {},
      { openai: { itemId: 'rs_1', reasoningEncryptedContent: 'xyz' } },
    ],
    ['openai-completions', 'reasoning_content', {}, undefined],
    ['openai-responses', '{"id":', {}, undefined],
  ])('reasoning of %s keeps its seal %j', (api, thinkingSignature, fields, providerOptions) => {
    const block = { type: 'thinking', thinking: 'Hm.', thinkingSignature, ...fields }
    const records = [assistant([block, text('Done.')], { api })]
    const [draft] = draftsOf(pi, records)
    const reasoning = {
      type: 'reasoning',
      text: 'Hm.',
      ...(providerOptions && { providerOptions }),
    }
    expect(draft?.kind === 'message' && draft.message.content).toEqual([reasoning, text('Done.')])
  })

  test.each(['aborted', 'error'])('a reply that ended in %j is never shown again', (stopReason) => {
    const records = [user('Go.'), assistant([text('Half')], { stopReason }), user('Well?')]
    expect(outline(pi, records)).toEqual(['human: Go.', 'human: Well?'])
    expect(factsIn(pi, records).omitted).toEqual({ unfinished: 1 })
  })

  test('what an extension says during a call stands behind its results', () => {
    const records = [
      assistant([call('c1'), call('c2')]),
      result('c1'),
      { type: 'custom_message', content: 'A note.' },
      result('c2'),
      assistant([text('Done.')]),
    ]
    const v3 = records.map((record, index) => ({
      ...record,
      id: `e${index}`,
      parentId: `e${index - 1}`,
    }))
    expect(outline(pi, v3)).toEqual([
      'model: tool-call c1 | tool-call c2',
      'tool: tool-result c1 | tool-result c2',
      'harness: A note.',
      'model: Done.',
    ])
  })

  test('a call that is never answered holds up nobody, and a late result is given', () => {
    const records = [assistant([call('c1'), call('c2')]), result('c1'), user('Well?'), result('c2')]
    expect(outline(pi, records)).toEqual([
      'model: tool-call c1 | tool-call c2',
      'tool: tool-result c1',
      'human: Well?',
      'tool: tool-result c2',
    ])
    expect(pairProblems(logOf(draftsOf(pi, records)))).toEqual([])
  })

  test('an image stands in its output', () => {
    const content = [text('Read image'), { type: 'image', data: 'AA', mimeType: 'image/png' }]
    expect(draftsOf(pi, [assistant([call('c1')]), result('c1', { content })])[1]).toMatchObject({
      message: {
        content: [
          {
            output: {
              type: 'content',
              value: [
                { type: 'text', text: 'Read image' },
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
  test('files and skills that the human named are not their words', () => {
    const file = '<file name="/code/a.ts">\ncode\n</file>'
    const skill = '<skill name="x" location="/x">\nRules.\n</skill>'
    expect(outline(pi, [user(`${file}\nRead it.`), user([text(`${skill}\n\nnow`)])])).toEqual([
      `harness: ${file}`,
      'human: \nRead it.',
      `harness: ${skill}`,
      'human: \n\nnow',
    ])
  })

  test.each([
    [{ output: 'a', exitCode: 0 }, 'Ran `ls`\n```\na\n```'],
    [{ output: '', exitCode: 2 }, 'Ran `ls`\n(no output)\n\nCommand exited with code 2'],
    [{ output: '', cancelled: true }, 'Ran `ls`\n(no output)\n\n(command cancelled)'],
    [
      { output: 'a', truncated: true, fullOutputPath: '/tmp/x' },
      'Ran `ls`\n```\na\n```\n\n[Output truncated. Full output: /tmp/x]',
    ],
  ])('a command beside the conversation is told in pi’s words: %j', (fields, wanted) => {
    const records = [entry({ role: 'bashExecution', command: 'ls', ...fields })]
    expect(outline(pi, records)).toEqual([`harness: ${wanted}`])
    const hidden = entry({
      role: 'bashExecution',
      command: 'ls',
      ...fields,
      excludeFromContext: true,
    })
    expect(outline(pi, [hidden])).toEqual([])
  })

  test('an image is the human’s, and what extensions send is not', () => {
    const image = { type: 'image', data: 'AA', mimeType: 'image/png' }
    const [draft, other] = draftsOf(pi, [
      user([image]),
      entry({ role: 'hookMessage', content: 'x' }),
    ])
    expect(draft).toMatchObject({
      origin: 'human',
      message: { content: [{ type: 'image', image: 'AA', mediaType: 'image/png' }] },
    })
    expect(other).toMatchObject({ origin: 'harness' })
  })
})

test('the facts are those of the session, with the newest model', () => {
  const records = [
    { type: 'session', id: 's1', timestamp: '', cwd: '/code', modelId: 'claude-x' },
    { type: 'model_change', modelId: 'gpt-x' },
    assistant([text('Done.')], { model: 'gpt-y' }),
  ]
  expect(factsIn(pi, records.slice(0, 1))).toMatchObject({ model: 'claude-x' })
  expect(factsIn(pi, records)).toEqual({ id: 's1', directory: '/code', model: 'gpt-y' })
})
