import { describe, expect, test } from 'vitest'
import { draftsOf, logOf, pairProblems } from '../../testing/conformance/format-conformance.ts'
import { contextOf } from '../../log/context/context.ts'
import { partsOf } from '../../log/message.ts'
import { claudeCode } from './format.ts'
import type { EntryDraft, MessageDraft } from '../../log/entry.ts'

type Fields = Record<string, unknown>

/** Records of one chain: each names the one before it, unless it says otherwise. */
function chain(...records: Fields[]): Fields[] {
  let parentUuid: unknown = null
  return records.map((record, index) => {
    const linked = { parentUuid, uuid: `u${index}`, timestamp: time(index), ...record }
    parentUuid = linked.uuid
    return linked
  })
}

function time(index: number): string {
  return new Date(1_700_000_000_000 + index * 1000).toISOString()
}

function user(content: unknown, fields: Fields = {}): Fields {
  return { type: 'user', message: { role: 'user', content }, ...fields }
}

function reply(id: string, block: Fields, message: Fields = {}, fields: Fields = {}): Fields {
  const content = [block]
  return { type: 'assistant', message: { id, model: 'claude-x', content, ...message }, ...fields }
}

function text(value: string): Fields {
  return { type: 'text', text: value }
}

function call(id: string, name = 'Read', input: unknown = { file_path: '/a.ts' }): Fields {
  return { type: 'tool_use', id, name, input }
}

function result(id: string, content: unknown = 'done', fields: Fields = {}): Fields {
  return user([{ type: 'tool_result', tool_use_id: id, content, ...fields }])
}

function messages(drafts: readonly EntryDraft[]): MessageDraft[] {
  return drafts.filter((draft) => draft.kind === 'message')
}

function outline(records: Fields[]): string[] {
  return messages(draftsOf(claudeCode, records)).map(({ message, origin }) => {
    const parts = partsOf(message).map((part) =>
      part.type === 'text' ? part.text : 'toolCallId' in part ? part.toolCallId : part.type,
    )
    return `${origin}: ${parts.join(' | ')}`
  })
}

describe('replies', () => {
  const usage = (output_tokens: number): Fields => ({
    usage: {
      input_tokens: 10,
      cache_read_input_tokens: 16_141,
      cache_creation_input_tokens: 11_840,
      output_tokens,
    },
  })

  test('the records of one reply are one message, with its usage once', () => {
    const thinking = { type: 'thinking', thinking: 'Hm.', signature: 'sig' }
    const drafts = draftsOf(
      claudeCode,
      chain(
        user('Look.'),
        reply('m1', thinking, usage(1)),
        reply('m1', { type: 'redacted_thinking', data: 'xyz' }, usage(1)),
        reply('m1', text('I look.'), usage(1)),
        reply('m1', call('c1'), { ...usage(70), stop_reason: 'tool_use' }),
        result('c1'),
      ),
    )
    expect(drafts).toHaveLength(3)
    expect(drafts[1]).toMatchObject({
      origin: 'model',
      model: 'claude-x',
      finish: 'tool-calls',
      at: 1_700_000_001_000,
      usage: {
        inputTokens: 27_991,
        outputTokens: 70,
        cacheReadTokens: 16_141,
        cacheWriteTokens: 11_840,
      },
      message: {
        role: 'assistant',
        content: [
          { type: 'reasoning', text: 'Hm.', providerOptions: { anthropic: { signature: 'sig' } } },
          { type: 'reasoning', text: '', providerOptions: { anthropic: { redactedData: 'xyz' } } },
          { type: 'text', text: 'I look.' },
          { type: 'tool-call', toolCallId: 'c1', toolName: 'Read', input: { file_path: '/a.ts' } },
        ],
      },
      metadata: { source: { records: ['u1', 'u2', 'u3', 'u4'], message: 'm1' } },
    })
    expect(drafts[2]).toMatchObject({
      message: { role: 'tool', content: [{ toolCallId: 'c1', toolName: 'Read' }] },
      origin: 'tool',
    })
  })

  test('parallel calls and their results are one step, in whatever order they were written', () => {
    const records = chain(
      user('Look.'),
      reply('m1', call('c1')),
      { type: 'progress', data: { type: 'hook_progress' }, parentUuid: 'u1' },
      { ...result('c1'), parentUuid: 'u1' },
      reply('m1', call('c2'), {}, { parentUuid: 'u2' }),
      reply('m1', call('c3')),
      { ...result('c3'), parentUuid: 'u5' },
      { ...result('c2'), parentUuid: 'u4' },
      reply('m2', text('All read.'), {}, { parentUuid: 'u7' }),
    )
    expect(outline(records)).toEqual([
      'human: Look.',
      'model: c1 | c2 | c3',
      'tool: c1 | c3 | c2',
      'model: All read.',
    ])
    expect(draftsOf(claudeCode, records).every(({ kind }) => kind === 'message')).toBe(true)
  })

  test('a call without a result stays open', () => {
    const log = logOf(draftsOf(claudeCode, chain(user('Go.'), reply('m1', call('c1')))))
    expect(log).toHaveLength(2)
    expect(pairProblems(log)).toEqual([])
  })

  test('a reply that was cut off is aborted, and its late result still stands behind it', () => {
    const drafts = draftsOf(
      claudeCode,
      chain(
        user('Go.'),
        reply('m1', call('c1')),
        user('[Request interrupted by user for tool use]'),
        user('Stop that.'),
        result('c1', 'too late'),
        reply('m2', text('Stopped.')),
      ),
    )
    expect(drafts[1]).toMatchObject({ finish: 'aborted' })
    expect(pairProblems(logOf(drafts))).toEqual([])
  })

  test.each([
    ['end_turn', 'stop'],
    ['max_tokens', 'length'],
    ['refusal', 'content-filter'],
    [null, 'stop'],
  ])('the stop reason %j is the finish %j', (stop_reason, finish) => {
    const [, draft] = draftsOf(
      claudeCode,
      chain(user('Go.'), reply('m1', text('x'), { stop_reason })),
    )
    expect(draft).toMatchObject({ finish })
  })

  test('what the client said for the model is not the model’s', () => {
    const drafts = draftsOf(
      claudeCode,
      chain(
        user('Go.'),
        reply('e1', text('API Error: 529'), { model: '<synthetic>' }, { isApiErrorMessage: true }),
        reply('s1', text('No response requested.'), { model: '<synthetic>' }),
        reply('m1', text('Yes.')),
      ),
    )
    expect(messages(drafts).map(({ origin }) => origin)).toEqual(['human', 'synthetic', 'model'])
    expect(drafts[1]).not.toHaveProperty('model')
  })

  test('a reply of nothing but reasoning was never sent again', () => {
    const reader = claudeCode.reader()
    const records = chain(user('Go.'), reply('m1', { type: 'thinking', thinking: 'Hm.' }))
    expect([...records.flatMap((record) => reader.push(record)), ...reader.end()]).toHaveLength(1)
    expect(reader.facts().omitted).toEqual({ unfinished: 1 })
  })
})

describe('results', () => {
  test('an error is an error, an image an image', () => {
    const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AA' } }
    const drafts = draftsOf(
      claudeCode,
      chain(
        user('Go.'),
        reply('m1', call('c1')),
        reply('m1', call('c2')),
        reply('m1', call('c3')),
        reply('m1', call('c4')),
        result('c1', 'no such file', { is_error: true }),
        result('c2', [text('see'), image]),
        result('c3', [text('only')]),
        result('c4', [{ type: 'tool_reference', tool_name: 'Monitor' }]),
      ),
    )
    expect(messages(drafts)[2]?.message.content).toMatchObject([
      { output: { type: 'error-text', value: 'no such file' } },
      {
        output: {
          type: 'content',
          value: [
            { type: 'text', text: 'see' },
            { type: 'file', mediaType: 'image/png', data: { type: 'data', data: 'AA' } },
          ],
        },
      },
      { output: { type: 'text', value: 'only' } },
      { output: { type: 'content', value: [{ type: 'custom' }] } },
    ])
  })

  test('what the human says beside a result is a message behind it', () => {
    const both = user([
      { type: 'tool_result', tool_use_id: 'c1', content: 'three names' },
      text('my name is the second'),
    ])
    expect(outline(chain(user('Go.'), reply('m1', call('c1')), both))).toEqual([
      'human: Go.',
      'model: c1',
      'tool: c1',
      'human: my name is the second',
    ])
  })

  test('a hook that speaks while a call runs is heard after its result', () => {
    const hook = {
      type: 'attachment',
      attachment: { type: 'hook_additional_context', content: ['Mind the lint.'] },
    }
    const records = chain(user('Go.'), reply('m1', call('c1')), hook, result('c1'))
    expect(outline(records)).toEqual([
      'human: Go.',
      'model: c1',
      'tool: c1',
      'harness: Mind the lint.',
    ])
    expect(contextOf(logOf(draftsOf(claudeCode, records))).items).toHaveLength(4)
  })

  test('a result without its call is kept, and called late', () => {
    const log = logOf(draftsOf(claudeCode, chain(user('Go.'), result('c9'))))
    expect(pairProblems(log)).toEqual(['entry 2 answers no open call'])
  })

  test('a message of an unknown type is reported; a copy of what the provider was asked is not', () => {
    const said = { message: { role: 'user', content: 'Never push.' } }
    const unread = (record: Fields): number => {
      const reader = claudeCode.reader()
      for (const each of [...chain(user('Go.')), record]) reader.push(each)
      return (reader.unread?.() ?? []).length
    }
    expect(unread({ type: 'said', uuid: 'u9', ...said })).toBe(1)
    expect(unread({ type: 'api-request-blob', hash: 'f7f0', ...said })).toBe(0)
  })
})
