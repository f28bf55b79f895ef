import { describe, expect, test } from 'vitest'
import { contextOf } from '../../log/context/context.ts'
import { outputText, partsOf } from '../../log/message.ts'
import { draftsOf, logOf } from '../../testing/conformance/format-conformance.ts'
import { factsIn, outline } from '../testing/outline.ts'
import { miniSweAgentRun, sweAgentRun } from './sample.ts'
import { sweAgent } from './format.ts'
import { shellBlock, textAction } from './reader.ts'

type Fields = Record<string, unknown>

function run(history: Fields[], fields: Fields = {}): Fields[] {
  return [{ environment: 'main', trajectory: [], history, info: {}, ...fields }]
}

const task = { role: 'user', content: 'Fix it.', message_type: 'observation' }

function action(id: string): Fields {
  const called = { name: 'bash', arguments: '{"command":"ls"}' }
  const tool_calls = [{ id, type: 'function', function: called }]
  return { role: 'assistant', content: 'I look.', thought: 'I look.', action: 'ls', tool_calls }
}

describe('a run', () => {
  test('has a task, demonstrations that were never done, and steps', () => {
    expect(outline(sweAgent, sweAgentRun)).toEqual([
      'harness: A demonstration.',
      'human: Fix it.',
      'model: reasoning | I look. | tool-call c1',
      'tool: tool-result c1',
      'model: I edit. | tool-call action_1',
      'tool: tool-result action_1',
      'model: I look again. | tool-call c1',
      'tool: tool-result c1',
      'prune',
    ])
    expect(factsIn(sweAgent, sweAgentRun)).toEqual({
      system: 'Rules.',
      model: 'model-x',
      directory: '/testbed',
    })
  })

  test('whose actions were text has calls all the same', () => {
    const text = {
      role: 'assistant',
      content: 'I open.\n```\nopen a.py 3\n```',
      thought: 'I open.',
    }
    const records = run([
      task,
      { ...text, action: 'open a.py 3' },
      { role: 'user', content: '[File: a.py (9 lines total)]' },
      { ...text, action: '' },
      { role: 'user', content: 'Your output was not formatted correctly.' },
    ])
    expect(draftsOf(sweAgent, records)).toMatchObject([
      { origin: 'human' },
      {
        finish: 'tool-calls',
        message: {
          content: [
            { type: 'text', text: 'I open.' },
            { type: 'tool-call', toolName: 'open', input: { path: 'a.py', line_number: '3' } },
          ],
        },
      },
      { origin: 'tool', message: { content: [{ toolCallId: 'action_1', toolName: 'open' }] } },
      { origin: 'model', finish: 'stop' },
      { origin: 'harness' },
    ])
  })

  test('of mini-swe-agent is read in both of its forms', () => {
    expect(outline(sweAgent, miniSweAgentRun)).toEqual([
      'human: Fix it.',
      'model: I look. | tool-call c1',
      'tool: tool-result c1',
      'model: THOUGHT: I look. | tool-call action_1',
      'tool: tool-result action_1',
    ])
    expect(draftsOf(sweAgent, miniSweAgentRun)[1]).toMatchObject({
      at: 1_775_802_391_500,
      model: 'model-y',
      usage: { inputTokens: 9, outputTokens: 1 },
    })
    expect(factsIn(sweAgent, miniSweAgentRun)).toEqual({
      system: 'Rules.',
      model: 'model-x',
      directory: '/testbed',
      omitted: { 'unknown-record': 1 },
    })
  })

  test('that is not the first in its file is counted', () => {
    const records = [...run([task]), ...run([task])]
    expect(outline(sweAgent, records)).toEqual(['human: Fix it.'])
    expect(factsIn(sweAgent, records).omitted).toEqual({ 'other-session': 1 })
  })

  test('of which every attempt was refused shows the last one', () => {
    const attempt = { trajectory: [], history: [task] }
    const records = [{ attempts: [{ trajectory: [], history: [] }, attempt] }]
    expect(sweAgent.recognises(records)).toBe(true)
    expect(outline(sweAgent, records)).toEqual(['human: Fix it.'])
  })
})

test('outputs that SWE-agent left out of its last request are pruned, and no others', () => {
  const output = (content: string): Fields => ({ role: 'tool', content, tool_call_ids: ['c1'] })
  const history = [task, action('c1'), output('a\nb'), action('c1'), output('c')]
  const elided = 'Old environment output: (2 lines omitted)'
  const query = [task, action('c1'), output(elided), action('c1')]
  const log = logOf(draftsOf(sweAgent, run(history, { trajectory: [{}, { query }] })))
  const outputs = contextOf(log).items.flatMap((item) =>
    item.type === 'message'
      ? partsOf(item.message).flatMap((part) =>
          part.type === 'tool-result' ? [outputText(part.output)] : [],
        )
      : [],
  )
  expect(outputs).toEqual([elided, 'c'])
})

test.each([
  ['ls -F', 'bash', { command: 'ls -F' }],
  ['create "a b.py"', 'create', { filename: 'a b.py' }],
  ["open 'a.py' 12", 'open', { path: 'a.py', line_number: '12' }],
  ['edit 1:2\nx\nend_of_edit', 'edit', { text: '1:2\nx\nend_of_edit' }],
  [
    'str_replace_editor view /a.py',
    'str_replace_editor',
    { command: 'view', path: '/a.py', action: 'str_replace_editor view /a.py' },
  ],
  ['submit', 'submit', { command: 'submit' }],
])('the command %j is a call of %s', (written, toolName, input) => {
  expect(textAction(written)).toEqual({ toolName, input })
})

test('a block of shell is an action, and what stands around it the thought', () => {
  expect(shellBlock('Look.\n\n```bash\nls\npwd\n```\nThen more.')).toEqual({
    thought: 'Look.\n\nThen more.',
    action: 'ls\npwd',
  })
  expect(shellBlock('```python\nx\n```')).toBeUndefined()
  expect(shellBlock('```bash\nls')).toBeUndefined()
})
