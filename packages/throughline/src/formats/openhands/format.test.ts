import { describe, expect, test } from 'vitest'
import { draftsOf } from '../../testing/conformance/format-conformance.ts'
import { factsIn, outline } from '../testing/outline.ts'
import { openhandsEvents, openhandsSdkEvents } from './sample.ts'
import { openhands } from './format.ts'

type Fields = Record<string, unknown>

const base = { timestamp: '2025-04-30T17:56:40.640800' }

function action(id: number, kind: string, args: Fields, fields: Fields = {}): Fields {
  return { ...base, id, source: 'agent', action: kind, args, ...fields }
}

function observed(id: number, kind: string, content: string, fields: Fields = {}): Fields {
  return { ...base, id, source: 'agent', observation: kind, content, extras: {}, ...fields }
}

/** What ties an event to a call of the model's response. */
function tied(tool_call_id: string, response = `r-${tool_call_id}`): Fields {
  const called = { name: 'execute_bash', arguments: '{"command":"ls"}' }
  const tool_calls = [{ id: tool_call_id, type: 'function', function: called }]
  const message = { content: 'I look.', tool_calls }
  const model_response = { id: response, model: 'model-x', choices: [{ message }] }
  return { tool_call_metadata: { function_name: 'execute_bash', tool_call_id, model_response } }
}

const task = action(1, 'message', { content: 'Fix it.' }, { source: 'user' })

describe('events', () => {
  test('of every kind become what the model saw', () => {
    expect(outline(openhands, openhandsEvents)).toEqual([
      'human: Fix it. | image',
      'harness: Be kind.\n\nNote.',
      'model: I look. | tool-call c1 | tool-call c2',
      'tool: tool-result c1 | tool-result c2',
      'harness: No such command.\n[Error occurred in processing last action]',
      'checkpoint: Made a.c., kept 1 2 5',
      'harness: User executed the command:\nmake',
      'harness: Observed result of command executed by user:\nok',
      'model: I count. | tool-call event_12',
      'tool: tool-result event_12',
      'model: I look. | Done.',
    ])
    expect(factsIn(openhands, openhandsEvents)).toEqual({ system: 'Rules.', model: 'model-x' })
  })

  test('since version 1 too', () => {
    expect(outline(openhands, openhandsSdkEvents)).toEqual([
      'human: Fix it. | image',
      'harness: A skill.',
      'model: reasoning | I look. | tool-call c1 | tool-call c2',
      'tool: tool-result c1 | tool-result c2',
      'checkpoint: Looked around., kept 1 2',
      'model: What now?',
    ])
    expect(draftsOf(openhands, openhandsSdkEvents).slice(2, 4)).toMatchObject([
      {
        message: {
          content: [
            {
              text: 'Hm.',
              providerOptions: { openai: { itemId: 'rs1', reasoningEncryptedContent: 'x' } },
            },
            {},
            { toolName: 'terminal', input: { command: 'ls' } },
            { toolName: 'file_editor', input: { command: 'create', path: '/w/a.c' } },
          ],
        },
        metadata: { source: { records: ['e2', 'e3'], message: 'r1' } },
      },
      {
        message: {
          content: [
            {
              output: {
                type: 'text',
                value:
                  'a.c\n[Current working directory: /w]\n[Command finished with exit code 0]\nA rule.',
              },
            },
            { output: { type: 'error-text', value: 'No such folder.' } },
          ],
        },
      },
    ])
    expect(factsIn(openhands, openhandsSdkEvents)).toEqual({ system: 'Rules.\n\nHosts.' })
  })

  test('carry time, usage and model, and mean the same in every time zone', () => {
    expect(draftsOf(openhands, openhandsEvents)[2]).toMatchObject({
      at: Date.UTC(2025, 3, 30, 17, 56, 40, 640),
      model: 'model-x',
      finish: 'tool-calls',
      usage: { inputTokens: 7, outputTokens: 2, cacheReadTokens: 1 },
      metadata: { source: { records: ['4'], message: 'r1' } },
    })
  })

  test("of a command give its output with OpenHands's own lines", () => {
    const metadata = {
      prefix: '[Below is more.]\n',
      suffix: '\n[Done.]',
      working_dir: '/w',
      py_interpreter_path: '/bin/python',
      exit_code: 2,
    }
    const drafts = draftsOf(openhands, [
      task,
      action(2, 'run', { command: 'ls' }, tied('c1')),
      observed(3, 'run', 'x', { ...tied('c1'), extras: { metadata } }),
    ])
    expect(drafts[2]).toMatchObject({
      message: {
        content: [
          {
            output: {
              value:
                '[Below is more.]\nx\n[Done.]\n[Current working directory: /w]\n[Python interpreter: /bin/python]\n[Command finished with exit code 2]',
            },
          },
        ],
      },
    })
  })

  test('that say no to a call say that it never ran', () => {
    const refused = { ...base, source: 'environment', tool_call_id: 'c1', tool_name: 'terminal' }
    const drafts = [
      draftsOf(openhands, [
        action(2, 'run', { command: 'ls' }, tied('c1')),
        observed(3, 'user_rejected', 'No.', tied('c1')),
      ]),
      draftsOf(openhands, [
        { ...refused, id: 'e1', kind: 'UserRejectObservation', rejection_reason: 'No.' },
      ]),
    ]
    expect(drafts.map((list) => list.at(-1))).toMatchObject([
      { message: { content: [{ output: { type: 'execution-denied', reason: /No\./ } }] } },
      { message: { content: [{ output: { reason: 'Action rejected: No.' } }] } },
    ])
  })

  test('of another agent are not what this one saw', () => {
    const records = [
      task,
      action(2, 'delegate', { agent: 'Browser', inputs: {} }, tied('c1')),
      action(3, 'run', { command: 'ls' }, tied('c2')),
      observed(4, 'run', 'x', tied('c2')),
      observed(5, 'delegate', 'Found.', {
        ...tied('c1'),
        extras: { outputs: { content: 'It is.' } },
      }),
    ]
    expect(outline(openhands, records)).toEqual([
      'human: Fix it.',
      'model: I look. | tool-call c1',
      'tool: tool-result c1',
    ])
    expect(factsIn(openhands, records).omitted).toEqual({ sidechain: 2 })
  })

  test('that only inform are passed over, and unknown ones counted', () => {
    const records = [
      task,
      observed(2, 'agent_state_changed', ''),
      observed(3, 'hologram', 'x'),
      action(4, 'message', { content: '' }),
      { ...base, id: 'e1', source: 'environment', kind: 'PauseEvent' },
      { ...base, id: 'e2', source: 'environment', kind: 'HologramEvent' },
      { x: 1 },
    ]
    expect(outline(openhands, records)).toEqual(['human: Fix it.'])
    expect(factsIn(openhands, records).omitted).toEqual({ 'unknown-record': 3, empty: 1 })
  })

  test('in which OpenHands speaks for the human are the harness’s', () => {
    const content =
      'Please continue working on the task on whatever approach you think is suitable.'
    const auto = action(2, 'message', { content }, { source: 'user' })
    expect(outline(openhands, [task, auto])).toEqual(['human: Fix it.', `harness: ${content}`])
  })
})

describe('a run of an evaluation', () => {
  const metadata = { llm_config: { model: 'model-y' } }

  test('holds its events, also in pairs', () => {
    const pair = [
      action(2, 'run', { command: 'ls', thought: 'I look.' }),
      observed(3, 'run', 'x', { cause: 2 }),
    ]
    const record = { instance_id: 'i1', metadata, history: [[task, observed(0, 'null', '')], pair] }
    expect(outline(openhands, [record])).toEqual([
      'human: Fix it.',
      'model: I look. | tool-call event_2',
      'tool: tool-result event_2',
    ])
    expect(factsIn(openhands, [record])).toEqual({ id: 'i1', model: 'model-y' })
  })

  test('that is not the first in its file is counted', () => {
    const records = [{ history: [task] }, { history: [task] }]
    expect(outline(openhands, records)).toEqual(['human: Fix it.'])
    expect(factsIn(openhands, records).omitted).toEqual({ 'other-session': 1 })
  })
})
