import { describe, expect, test } from 'vitest'
import { detectFormat } from './detect.ts'
import { formats } from '../formats.ts'
import { samples } from '../testing/samples.ts'
import type { FormatReader } from '../format.ts'

const plain = { role: 'user', content: 'hi' }
const blocks = { role: 'user', content: [{ type: 'text', text: 'hi' }] }

/** The name of the only format that recognises these records. */
function only(...records: unknown[]): string | undefined {
  const found = formats.filter(({ recognises }) => recognises(records))
  expect(found.length, found.map(({ name }) => name).join(', ')).toBeLessThanOrEqual(1)
  return found[0]?.name
}

function reader(name: string): FormatReader | undefined {
  return formats.find((format) => format.name === name)?.reader()
}

describe('records are of one format at most', () => {
  test.each(samples)('each by itself: $name', ({ records, format }) => {
    const names = records.map((record) => only(record))
    const others = new Set(names.filter((name) => name !== undefined && name !== format.name))
    // Plain messages are those of Chat Completions, unless others beside them say more.
    expect([...others].filter((name) => name !== 'openai-chat')).toEqual([])
  })

  test.each(samples)('wherever they begin: $name', ({ records }) => {
    for (const from of records.keys()) only(...records.slice(from))
  })
})

describe('messages of text alone', () => {
  test.each([
    [[plain]],
    [[blocks]],
    [[plain, { role: 'assistant', content: 'ho' }]],
    [[{ messages: [plain] }]],
    [[{ role: 'system', content: 'Rules.' }, plain]],
  ])('are read as those of Chat Completions: %j', (records) => {
    expect(only(...records)).toBe('openai-chat')
  })

  test('mean the same whatever format reads them', () => {
    const drafts = samples
      .filter(({ name }) => /^(?:openai|anthropic|ai-sdk$)/.test(name))
      .map(({ format }) => {
        const reader = format.reader()
        return [...reader.push(plain), ...reader.push(blocks), ...reader.end()]
      })
    expect(drafts).toHaveLength(4)
    for (const one of drafts) expect(one).toEqual(drafts[0])
  })

  test.each([
    ['openai-chat', { role: 'tool', tool_call_id: 'c1', content: 'x' }],
    ['openai-chat', { role: 'assistant', content: 'x', reasoning_content: 'Hm.' }],
    ['openai-chat', { role: 'function', name: 'old', content: 'x' }],
    ['openai-responses', { type: 'function_call', call_id: 'c1', name: 'x', arguments: '{}' }],
    ['openai-responses', { type: 'reasoning', id: 'r1', summary: [] }],
    ['openai-responses', { type: 'message', role: 'user', content: 'hi' }],
    [
      'anthropic',
      { role: 'assistant', content: [{ type: 'tool_use', id: 'c1', name: 'x', input: {} }] },
    ],
    ['anthropic', { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c1' }] }],
    [
      'anthropic',
      {
        type: 'message',
        role: 'assistant',
        content: [{ type: 'text', text: 'x' }],
        stop_reason: null,
      },
    ],
    ['ai-sdk', { role: 'tool', content: [{ type: 'tool-result', toolCallId: 'c1' }] }],
    ['ai-sdk', { role: 'user', content: [{ type: 'image', image: 'AA' }] }],
    ['ai-sdk', { id: 'm1', role: 'user', parts: [{ type: 'text', text: 'hi' }] }],
  ])('are of the format that another message shows: %s %j', (name, sign) => {
    expect(only(sign)).toBe(name)
    expect(only(plain, sign)).toBe(name)
    expect(only({ messages: [plain, sign] })).toBe(name)
    expect(only({ input: [plain, sign] })).toBe(name)
    expect(reader(name)?.push({ messages: [plain, sign] })).not.toEqual([])
  })
})

describe('what stands beside plain messages', () => {
  test.each([
    ['openai-chat', { tools: [{ type: 'function', function: { name: 'x' } }] }],
    ['anthropic', { system: 'Rules.', max_tokens: 9 }],
    ['anthropic', { system: [{ type: 'text', text: 'Rules.' }] }],
    ['anthropic', { tools: [{ name: 'x', input_schema: {} }] }],
    ['ai-sdk', { system: 'Rules.' }],
    ['ai-sdk', { instructions: 'Rules.' }],
  ])('says of which API they are: %s %j', (name, fields) => {
    expect(only({ messages: [plain], ...fields })).toBe(name)
    expect(only({ request: { messages: [plain], ...fields } })).toBe(name)
  })

  test.each([
    ['openai-chat', { choices: [{ message: { content: 'x' } }] }],
    ['openai-responses', { object: 'response', output: [] }],
    ['anthropic', { role: 'assistant', content: [], stop_reason: 'end_turn' }],
  ])('or the answer does: %s', (name, response) => {
    expect(only({ messages: [plain], response })).toBe(name)
    expect(only({ request: { messages: [plain] }, response: { body: response } })).toBe(name)
  })

  test.each([
    { input: [plain] },
    { input: 'hi', instructions: 'Rules.' },
    { object: 'response', output: [] },
  ])('requests and responses of the Responses API: %j', (record) => {
    expect(only(record)).toBe('openai-responses')
  })
})

test.each([
  [{ messages: [] }],
  [{ messages: [{ type: 'user', content: 'hi' }] }],
  [{ role: 'narrator', content: 'hi' }],
  [{ role: 'user' }],
  [{ role: 'user', content: 7 }],
  [{ input: 'hi', model: 'embedding' }],
  [{ info: {}, messages: [{ info: { role: 'user' }, parts: [] }] }],
])('is of no format: %j', (record) => {
  expect(detectFormat([record])).toBeUndefined()
})
