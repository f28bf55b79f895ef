import { describe, expect, test } from 'vitest'
import { draftsOf } from '../../testing/conformance/format-conformance.ts'
import { factsIn, outline } from '../testing/outline.ts'
import { kimiCliMessages, kimiCodeRecords } from './sample.ts'
import { kimiCode } from './format.ts'
import { seen } from '../testing/seen.ts'

type Fields = Record<string, unknown>

const time = Date.UTC(2026, 10, 22)

function message(role: string, text: string, fields: Fields = {}): Fields {
  const said = { role, content: [{ type: 'text', text }], toolCalls: [], ...fields }
  return { type: 'context.append_message', agentId: 'main', message: said, time }
}

function prompt(text: string, id = text): Fields {
  return message('user', text, { id, origin: { kind: 'user' } })
}

function event(type: string, fields: Fields): Fields {
  return { type: 'context.append_loop_event', agentId: 'main', event: { type, ...fields }, time }
}

function begin(uuid: string): Fields {
  return event('step.begin', { uuid })
}

function text(stepUuid: string, said: string): Fields {
  return event('content.part', { stepUuid, part: { type: 'text', text: said } })
}

function call(stepUuid: string, toolCallId: string): Fields {
  return event('tool.call', { stepUuid, toolCallId, name: 'Read', args: { path: '/a' } })
}

function result(toolCallId: string, output: unknown = toolCallId, fields: Fields = {}): Fields {
  return event('tool.result', { toolCallId, result: { output, ...fields } })
}

function end(uuid: string, finishReason = 'end_turn', fields: Fields = {}): Fields {
  return event('step.end', { uuid, finishReason, ...fields })
}

function compaction(fields: Fields): Fields {
  return { type: 'context.apply_compaction', agentId: 'main', summary: 'Sum.', time, ...fields }
}

describe('steps', () => {
  test('are a reply and its results, in whatever order they were recorded', () => {
    const usage = { inputOther: 5, output: 2, inputCacheRead: 10, inputCacheCreation: 1 }
    const drafts = draftsOf(kimiCode, [
      { type: 'llm.request', kind: 'loop', model: 'kimi-x', time },
      begin('s'),
      text('s', 'I look.'),
      call('s', 'c1'),
      result('c1', 'x', { note: '<system>1 line</system>' }),
      call('s', 'c2'),
      result('c2', 'no', { isError: true }),
      end('s', 'tool_use', { usage }),
    ])
    expect(drafts).toMatchObject([
      {
        at: time,
        origin: 'model',
        model: 'kimi-x',
        finish: 'tool-calls',
        usage: { inputTokens: 16, outputTokens: 2, cacheReadTokens: 10, cacheWriteTokens: 1 },
        message: { content: [{ text: 'I look.' }, { toolCallId: 'c1' }, { toolCallId: 'c2' }] },
      },
      {
        origin: 'tool',
        message: {
          content: [
            { toolCallId: 'c1', output: { type: 'text', value: 'x\n<system>1 line</system>' } },
            { toolCallId: 'c2', output: { type: 'error-text', value: 'no' } },
          ],
        },
      },
    ])
  })

  test('that were broken off stay as far as they came, unless nothing was said', () => {
    const broken = [begin('a'), text('a', 'Half a'), end('a', 'interrupted')]
    const empty = [begin('b'), end('b', 'error')]
    expect(outline(kimiCode, [...broken, ...empty, prompt('Go on.')])).toEqual([
      'model: Half a',
      'human: Go on.',
    ])
    expect(factsIn(kimiCode, empty).omitted).toEqual({ unfinished: 1 })
  })

  test('let what comes while calls are open wait for their results', () => {
    const task = message('user', 'Task t ended.', { origin: { kind: 'task', taskId: 't' } })
    const records = [begin('s'), call('s', 'c1'), task, result('c1'), end('s')]
    expect(outline(kimiCode, records)).toEqual([
      'model: tool-call c1',
      'tool: tool-result c1',
      'harness: Task t ended.',
    ])
  })

  test('end without their results where the file ends', () => {
    expect(outline(kimiCode, [begin('s'), call('s', 'c1')])).toEqual(['model: tool-call c1'])
  })
})

describe('who speaks', () => {
  test.each([
    ['injection', 'harness'],
    ['system_trigger', 'harness'],
    ['task', 'harness'],
    ['cron_job', 'harness'],
    ['hook_result', 'harness'],
    ['shell_command', 'harness'],
    ['skill_activation', 'harness'],
    ['of a kind that is not known yet', 'harness'],
    ['user', 'human'],
  ])('%s: %s', (kind, origin) => {
    const drafts = draftsOf(kimiCode, [message('user', 'Never push.', { origin: { kind } })])
    expect(drafts).toMatchObject([{ origin, message: { content: 'Never push.' } }])
  })

  test('a reminder inside of what the human sent is not theirs', () => {
    const reminder = '<system-reminder>\nNever push.\n</system-reminder>'
    const content = [
      { type: 'text', text: 'Read it.' },
      { type: 'text', text: reminder },
    ]
    expect(outline(kimiCode, [message('user', '', { content, origin: { kind: 'user' } })])).toEqual(
      ['human: Read it.', `harness: ${reminder}`],
    )
  })
})

describe('the view', () => {
  const work = [prompt('one'), begin('s'), call('s', 'c1'), result('c1'), end('s'), prompt('two')]

  test('after a compaction holds its summary and the words of the human', () => {
    const records = [...work, compaction({ compactedCount: 5, keptUserMessageCount: 2 })]
    expect(seen(kimiCode, [...records, prompt('three')])).toEqual([
      'summary: Sum.',
      'one',
      'two',
      'three',
    ])
  })

  test('holds the first and the newest of many such words', () => {
    const many = ['a', 'b', 'c', 'd', 'e'].map((word) => prompt(word))
    const kept = { compactedCount: 5, keptUserMessageCount: 3, keptHeadUserMessageCount: 1 }
    expect(seen(kimiCode, [...many, compaction(kept)])).toEqual(['summary: Sum.', 'a', 'd', 'e'])
  })

  test('holds the newest messages after a compaction of older versions, and no half step', () => {
    const records = [...work, compaction({ compactedCount: 2 })]
    expect(seen(kimiCode, records)).toEqual(['summary: Sum.', 'two'])
    const whole = [...work, compaction({ compactedCount: 1 })]
    expect(seen(kimiCode, whole)).toEqual(['summary: Sum.', 'tool-call', 'c1', 'two'])
  })

  test('goes back prompt by prompt, with what came with each, and never behind a compaction', () => {
    const undo = { type: 'context.undo', agentId: 'main', count: 1, time }
    const owned = message('user', 'With it.', {
      origin: { kind: 'injection', variant: 'x', ownerPromptId: 'three' },
    })
    const records = [...work, owned, prompt('three')]
    expect(seen(kimiCode, [...records, undo])).toEqual(['one', 'tool-call', 'c1', 'two'])
    expect(seen(kimiCode, [...records, { ...undo, count: 3 }])).toEqual([])
    const compacted = [...work, compaction({ compactedCount: 5, keptUserMessageCount: 1 })]
    expect(seen(kimiCode, [...compacted, undo])).toEqual(['summary: Sum.', 'two'])
  })

  test('is empty after it was cleared', () => {
    const clear = { type: 'context.clear', agentId: 'main', time }
    expect(seen(kimiCode, [...work, clear, prompt('anew')])).toEqual(['anew'])
  })
})

describe('what a session says about itself', () => {
  test('its system prompt, directory and model', () => {
    const { omitted: _, ...facts } = factsIn(kimiCode, kimiCodeRecords)
    expect(facts).toEqual({ system: 'You are Kimi.', directory: '/code', model: 'kimi-x' })
  })

  test('the messages of Kimi CLI, before it was rewritten', () => {
    expect(outline(kimiCode, kimiCliMessages)).toEqual([
      'checkpoint: It was begun., kept ',
      'harness: <system>CHECKPOINT 0</system>',
      'human: Read it.',
      'model: reasoning | I read it. | tool-call c1 | tool-call c2',
      'tool: tool-result c1 | tool-result c2',
      'model: It holds an x.',
    ])
  })
})
