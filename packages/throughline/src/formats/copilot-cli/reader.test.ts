import { describe, expect, test } from 'vitest'
import { draftsOf, logOf, pairProblems } from '../../testing/conformance/format-conformance.ts'
import { factsIn, outline } from '../testing/outline.ts'
import { copilotCli } from './format.ts'

type Fields = Record<string, unknown>

function event(type: string, data: Fields, fields: Fields = {}): Fields {
  return { type, data, id: 'e1', timestamp: '2026-07-24T10:45:25.236Z', ...fields }
}

function user(content: string, fields: Fields = {}): Fields {
  return event('user.message', { content, ...fields })
}

function assistant(content: string, calls: string[] = [], fields: Fields = {}): Fields {
  const toolRequests = calls.map((toolCallId) => ({
    toolCallId,
    name: 'view',
    arguments: { path: '/a' },
    type: 'function',
  }))
  return event('assistant.message', { content, toolRequests, ...fields })
}

function done(toolCallId: string, fields: Fields = {}): Fields {
  const result = { content: 'short', detailedContent: 'a longer form' }
  return event('tool.execution_complete', { toolCallId, success: true, result, ...fields })
}

describe('steps', () => {
  test('a message of the model is one reply, and its results follow as one message', () => {
    const failed = { success: false, result: undefined, error: { message: 'no', code: 'failure' } }
    const drafts = draftsOf(copilotCli, [
      event('session.model_change', { newModel: 'gpt-x' }),
      assistant('I look.', ['c1', 'c2']),
      event('tool.execution_start', { toolCallId: 'c1', toolName: 'view' }),
      done('c2', failed),
      done('c1'),
      assistant('Done.', [], { model: 'claude-x' }),
    ])
    expect(drafts).toMatchObject([
      {
        at: Date.parse('2026-07-24T10:45:25.236Z'),
        origin: 'model',
        model: 'gpt-x',
        finish: 'tool-calls',
        message: {
          content: [
            { type: 'text', text: 'I look.' },
            { type: 'tool-call', toolCallId: 'c1', toolName: 'view', input: { path: '/a' } },
            { type: 'tool-call', toolCallId: 'c2' },
          ],
        },
      },
      {
        origin: 'tool',
        message: {
          content: [
            { toolCallId: 'c2', output: { type: 'error-text', value: 'no' } },
            { toolCallId: 'c1', output: { type: 'text', value: 'short' } },
          ],
        },
      },
      { model: 'claude-x', finish: 'stop' },
    ])
  })

  test('reasoning keeps its seal, and a call whose input is a text says so', () => {
    const request = {
      toolCallId: 'c1',
      name: 'apply_patch',
      arguments: '*** Begin',
      type: 'custom',
    }
    const data = {
      content: '',
      reasoningText: 'Hm.',
      reasoningOpaque: 'xyz',
      encryptedContent: 'uvw',
    }
    const [draft] = draftsOf(copilotCli, [
      event('assistant.message', { ...data, toolRequests: [request] }),
    ])
    expect(draft).toMatchObject({
      message: {
        content: [
          {
            type: 'reasoning',
            text: 'Hm.',
            providerOptions: { copilot: { reasoningOpaque: 'xyz', encryptedContent: 'uvw' } },
          },
          { input: '*** Begin', providerOptions: { copilot: { type: 'custom' } } },
        ],
      },
    })
  })

  test('what Copilot says during a call stands behind its results', () => {
    const note = event('system.notification', { content: '<system_notification>\nDone.' })
    const records = [assistant('', ['c1', 'c2']), done('c1'), note, done('c2'), assistant('On.')]
    expect(outline(copilotCli, records)).toEqual([
      'model: tool-call c1 | tool-call c2',
      'tool: tool-result c1 | tool-result c2',
      'harness: <system_notification>\nDone.',
      'model: On.',
    ])
  })

  test('a call that is never answered holds up nobody', () => {
    const records = [assistant('', ['c1', 'c2']), done('c1'), user('Well?'), assistant('Hm.')]
    expect(outline(copilotCli, records)).toEqual([
      'model: tool-call c1 | tool-call c2',
      'tool: tool-result c1',
      'human: Well?',
      'model: Hm.',
    ])
    expect(pairProblems(logOf(draftsOf(copilotCli, records)))).toEqual([])
  })

  test('an image stands in its output', () => {
    const contents = [{ type: 'image', data: 'AA', mimeType: 'image/png' }]
    const records = [assistant('', ['c1']), done('c1', { result: { content: 'seen', contents } })]
    expect(draftsOf(copilotCli, records)[1]).toMatchObject({
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

  test('what a sub-agent says and does is left out and counted', () => {
    const records = [
      { ...user('to a sub-agent'), agentId: 'c1' },
      { ...assistant('Aside.', ['d1']), agentId: 'c1' },
      done('d1', { parentToolCallId: 'c1' }),
      { ...event('hook.start', {}), agentId: 'c1' },
    ]
    expect(outline(copilotCli, records)).toEqual([])
    expect(factsIn(copilotCli, records).omitted).toEqual({ sidechain: 3 })
  })
})

describe('who speaks', () => {
  test('what the human typed stands alone in what was sent', () => {
    const before = '<current_datetime>x</current_datetime>\n\n[[PLAN]] My request: '
    const after = '\n\n<system_reminder>y</system_reminder>'
    const records = [user('Plan it.', { transformedContent: `${before}Plan it.${after}` })]
    expect(outline(copilotCli, records)).toEqual([
      `harness: ${before}`,
      'human: Plan it.',
      `harness: ${after}`,
    ])
  })

  test('where what was typed is not in what was sent, what was sent is Copilot’s', () => {
    const sent = '<current_datetime>x</current_datetime>\n\nPlan it well.'
    expect(outline(copilotCli, [user('/plan', { transformedContent: sent })])).toEqual([
      `harness: ${sent}`,
      'human: /plan',
    ])
  })

  test.each(['system', 'skill-x', 'agent-1'])(
    'a message of the source %j is Copilot’s',
    (source) => {
      expect(outline(copilotCli, [user('Rules.', { source })])).toEqual(['harness: Rules.'])
    },
  )

  test('data that was attached is the human’s', () => {
    const attachments = [
      { type: 'blob', data: 'AA', mimeType: 'image/png' },
      { type: 'blob', data: 'BB', mimeType: 'application/pdf' },
      { type: 'file', path: '/code/a.ts' },
    ]
    expect(draftsOf(copilotCli, [user('See.', { attachments })])).toMatchObject([
      {
        origin: 'human',
        message: {
          content: [
            { text: 'See.' },
            { type: 'image', image: 'AA', mediaType: 'image/png' },
            { type: 'file', data: 'BB', mediaType: 'application/pdf' },
          ],
        },
      },
    ])
  })
})

test('the facts are those of the session, with the newest prompt, model and window', () => {
  const records = [
    event('session.start', { sessionId: 's1', context: { cwd: '/code' } }),
    event('system.message', { content: 'Old.' }),
    event('system.message', { content: 'You are Copilot.' }),
    event('session.usage_info', { tokenLimit: 168_000 }),
    assistant('Done.', [], { model: 'claude-x' }),
  ]
  expect(factsIn(copilotCli, records)).toEqual({
    id: 's1',
    directory: '/code',
    system: 'You are Copilot.',
    model: 'claude-x',
    window: 168_000,
  })
})
