import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { formats } from './formats.ts'
import { expectLinear } from '../testing/growth.ts'
import { readingWork, recordCounts } from './testing/reading-work.ts'
import { readSession } from './reading/read-session.ts'
import type { Format } from './format.ts'
import type { EntryDraft } from '../log/entry.ts'

type Fields = Record<string, unknown>

const ids = fc.constantFrom('a', 'b', 'c', 'd', null, 7)
const texts = fc.constantFrom(
  '',
  'Do it.',
  '<system-reminder>x</system-reminder>',
  '\ud800',
  '[Request interrupted by user]',
)

const block = fc.record(
  {
    type: fc.constantFrom('text', 'tool_use', 'tool_result', 'thinking', 'image', 'odd', 3),
    text: texts,
    id: ids,
    tool_use_id: ids,
    name: fc.constantFrom('Read', '', 5),
    content: fc.oneof(texts, fc.jsonValue()),
    input: fc.jsonValue(),
    source: fc.jsonValue(),
  },
  { requiredKeys: ['type'] },
)

const claudeCodeRecord = fc.record(
  {
    type: fc.constantFrom(
      'user',
      'assistant',
      'system',
      'attachment',
      'progress',
      'queue-operation',
    ),
    subtype: fc.constantFrom('compact_boundary', 'microcompact_boundary', 'local_command'),
    uuid: ids,
    parentUuid: ids,
    isCompactSummary: fc.boolean(),
    isMeta: fc.boolean(),
    operation: fc.constantFrom('enqueue', 'dequeue', 'remove', 'popAll'),
    content: fc.oneof(texts, fc.jsonValue()),
    attachment: fc.record({
      type: fc.constantFrom('queued_command', 'file', 'nested_memory', 'edited_text_file'),
      prompt: fc.oneof(texts, fc.jsonValue()),
      content: fc.jsonValue(),
    }),
    compactMetadata: fc.oneof(
      fc.record({ preservedSegment: fc.record({ headUuid: ids, tailUuid: ids }) }),
      fc.record({ preservedMessages: fc.record({ uuids: fc.array(ids) }) }),
      fc.jsonValue(),
    ),
    microcompactMetadata: fc.record({ compactedToolIds: fc.oneof(fc.array(ids), fc.jsonValue()) }),
    message: fc.record({
      id: ids,
      content: fc.oneof(texts, fc.array(block, { maxLength: 3 }), fc.jsonValue()),
      usage: fc.jsonValue(),
    }),
  },
  { requiredKeys: ['type'] },
)

const codexItem = fc.record(
  {
    type: fc.constantFrom(
      'message',
      'reasoning',
      'function_call',
      'function_call_output',
      'custom_tool_call',
      'web_search_call',
      'compaction',
      'token_count',
      'thread_rolled_back',
      'odd',
    ),
    role: fc.constantFrom('user', 'assistant', 'developer'),
    name: fc.constantFrom('exec_command', '', 4),
    call_id: ids,
    arguments: fc.oneof(texts, fc.json()),
    output: fc.oneof(texts, fc.json(), fc.jsonValue()),
    num_turns: fc.integer({ min: -1, max: 3 }),
    info: fc.record({ total_token_usage: fc.record({ total_tokens: fc.nat(3) }) }),
    content: fc.oneof(texts, fc.array(block, { maxLength: 3 }), fc.jsonValue()),
  },
  { requiredKeys: ['type'] },
)

const codexRecord = fc.record({
  timestamp: fc.oneof(texts, fc.nat()),
  type: fc.constantFrom('response_item', 'event_msg', 'compacted', 'turn_context', 'session_meta'),
  payload: fc.oneof(
    { weight: 9, arbitrary: codexItem },
    { weight: 1, arbitrary: fc.record({ replacement_history: fc.array(codexItem) }) },
  ),
})

function pushAll(format: Format, records: readonly unknown[]): number {
  const reader = format.reader()
  let drafts = 0
  for (const record of records) {
    for (const draft of reader.push(record)) {
      drafts++
      JSON.stringify(draft)
      checkOrder(draft, drafts)
    }
  }
  return drafts + reader.end().length
}

/** Whatever a draft names was given before it. */
function checkOrder(draft: EntryDraft, seq: number): void {
  if (draft.kind === 'rewind') expect(draft.to).toBeLessThan(seq)
  if (draft.kind === 'checkpoint' || draft.kind === 'prune') expect(draft.base).toBeLessThan(seq)
  if (draft.kind !== 'checkpoint') return
  for (const kept of draft.tail) if (kept.type === 'entry') expect(kept.seq).toBeLessThan(seq)
}

describe.each(formats.map((format) => ({ format })))('$format.name', ({ format }) => {
  test('no record of any shape makes it throw', () => {
    const record = fc.oneof(fc.jsonValue(), claudeCodeRecord, codexRecord)
    fc.assert(
      fc.property(fc.array(record, { maxLength: 40 }), (records) => void pushAll(format, records)),
      { numRuns: 300 },
    )
  })

  test('a value nested without end does no harm, here or further on', () => {
    let deep: unknown = 'x'
    for (let level = 0; level < 100_000; level++) deep = [deep]
    const block = { type: 'tool_use', id: 'c1', name: 'x', input: deep }
    pushAll(format, [
      { type: 'assistant', message: { content: [block, { type: 'odd', deep }] } },
      {
        type: 'user',
        message: { content: [{ type: 'tool_result', tool_use_id: 'c1', content: [{ deep }] }] },
      },
      {
        type: 'response_item',
        payload: { type: 'function_call', name: 'x', call_id: 'c1', arguments: deep },
      },
      {
        type: 'response_item',
        payload: { type: 'function_call_output', call_id: 'c1', output: { deep } },
      },
      { type: 'response_item', payload: { type: 'odd', deep } },
    ])
  })
})

/** Records whose number is all that grows: a reader that looks back over them would show. */
const endless: Record<string, (index: number, count: number) => Fields[]> = {
  'going back': (index) => [user(`u${index}`, index % 2 ? 'u0' : `u${index - 1}`, 'x')],
  'harness talk during a call': (index) =>
    index === 0
      ? [assistant('m', [{ type: 'tool_use', id: 'c', name: 'x' }])]
      : [user(`u${index}`, null, '<bash-input>')],
  'blocks of one reply': (index) => [
    assistant('m', [
      { type: 'text', text: 'x' },
      { type: 'tool_use', id: `c${index}`, name: 'x' },
    ]),
  ],
  'a queue that only grows': (index) => [
    queue('enqueue', `${index}`),
    queue('remove'),
    user(`u${index}`, null, 'x'),
  ],
  'compactions that keep it all': (index) => [
    user(`u${index}`, `u${index - 1}`, 'x'),
    {
      type: 'system',
      subtype: 'compact_boundary',
      uuid: `b${index}`,
      compactMetadata: { preservedSegment: { headUuid: 'u0', tailUuid: `u${index}` } },
    },
    user(`s${index}`, `b${index}`, 'sum', { isCompactSummary: true }),
  ],
  'calls that are answered long after': (index, count) =>
    index < count / 2
      ? [
          codexItemOf({ type: 'function_call', name: 'x', call_id: `c${index}`, arguments: '{}' }),
          codexItemOf({ type: 'message', role: 'developer', content: 'x' }),
        ]
      : [
          codexItemOf({
            type: 'function_call_output',
            call_id: `c${index - count / 2}`,
            output: 'x',
          }),
        ],
  'roll-backs': (index) => [
    codexItemOf({ type: 'message', role: 'user', content: 'x' }),
    { type: 'event_msg', payload: { type: 'thread_rolled_back', num_turns: index % 3 } },
    { type: 'compacted', payload: {} },
  ],
}

function user(
  uuid: string,
  parentUuid: string | null,
  content: string,
  fields: Fields = {},
): Fields {
  return { type: 'user', uuid, parentUuid, message: { content }, ...fields }
}

function assistant(id: string, content: Fields[]): Fields {
  return { type: 'assistant', message: { id, content } }
}

function queue(operation: string, content?: string): Fields {
  return { type: 'queue-operation', operation, content }
}

function codexItemOf(payload: Fields): Fields {
  return { type: 'response_item', payload }
}

test.each(Object.entries(endless))('work grows with the records alone: %s', async (_, records) => {
  for (const format of formats) {
    await expectLinear(readingWork(format, records), recordCounts, format.name)
  }
})

test('a line that looks like a session and holds anything is read to its end', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.oneof(claudeCodeRecord, codexRecord)),
      fc.string(),
      async (records, junk) => {
        const first = user('u1', null, 'Go.')
        const lines = [first, ...records].map((record) => JSON.stringify(record))
        const { log } = await readSession([...lines, junk].join('\n'))
        expect(log.length).toBeGreaterThan(0)
      },
    ),
    { numRuns: 100 },
  )
})
