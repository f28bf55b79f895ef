import { expect, test } from 'vitest'
import { aiSdk } from './ai-sdk/format.ts'
import { anthropic } from './anthropic/format.ts'
import { openaiChat } from './openai-chat/format.ts'
import { openaiResponses } from './openai-responses/format.ts'
import { openhands } from './openhands/format.ts'
import { sweAgent } from './swe-agent/format.ts'
import { draftsOf } from '../testing/conformance/format-conformance.ts'
import { expectLinear } from '../testing/growth.ts'
import { readingWork, recordCounts, type RecordsAt } from './testing/reading-work.ts'
import type { Format } from './format.ts'

type Fields = Record<string, unknown>

interface Endless {
  name: string
  format: Format
  records: RecordsAt
}

function chatCall(id: string): Fields {
  const called = { name: 'x', arguments: '{}' }
  return { role: 'assistant', content: 'x', tool_calls: [{ id, function: called }] }
}

function openhandsSaid(id: string): Fields {
  const llm_message = { role: 'user', content: [{ type: 'text', text: 'x' }] }
  return { id, source: 'user', kind: 'MessageEvent', llm_message }
}

function openhandsCall(id: string, response: string): Fields {
  const tool_call = { id, name: 'x', arguments: '{}' }
  return { id, source: 'agent', kind: 'ActionEvent', llm_response_id: response, tool_call }
}

/** All messages in one document. */
function inOne(
  wrap: (messages: unknown[]) => Fields,
  message: (index: number) => Fields,
): RecordsAt {
  return (index, count) =>
    index === 0 ? [wrap(Array.from({ length: count }, (_, place) => message(place)))] : []
}

const endless: readonly Endless[] = [
  {
    name: 'openai-chat: pieces of the system prompt',
    format: openaiChat,
    records: () => [{ role: 'system', content: 'x'.repeat(1000) }],
  },
  {
    name: 'openai-chat: texts that may be calls',
    format: openaiChat,
    records: () => [
      { role: 'assistant', content: '<function=x>' },
      { role: 'user', content: 'EXECUTION RESULT of [x]:' },
    ],
  },
  {
    name: 'openai-chat: results that come too late',
    format: openaiChat,
    records: (index, count) =>
      index < count / 2
        ? [chatCall(`c${index}`)]
        : [{ role: 'tool', tool_call_id: `c${index - count / 2}`, content: 'x' }],
  },
  {
    name: 'openai-chat: requests that go back',
    format: openaiChat,
    records: (index) => [
      {
        messages: [
          { role: 'user', content: 'x' },
          { role: 'user', content: `${index}` },
        ],
      },
    ],
  },
  {
    name: 'openai-chat: one long request',
    format: openaiChat,
    records: inOne(
      (messages) => ({ messages }),
      (index) => chatCall(`c${index}`),
    ),
  },
  {
    name: 'openai-responses: items of one response',
    format: openaiResponses,
    records: (index) => [{ type: 'function_call', call_id: `c${index}`, name: 'x', arguments: '' }],
  },
  {
    name: 'anthropic: compactions',
    format: anthropic,
    records: () => [{ role: 'assistant', content: [{ type: 'compaction', content: 'x' }] }],
  },
  {
    name: 'ai-sdk: steps of one message',
    format: aiSdk,
    records: inOne(
      (parts) => ({ id: 'm', role: 'assistant', parts }),
      (index) => (index % 2 ? { type: 'step-start' } : { type: 'text', text: 'x' }),
    ),
  },
  {
    name: 'openhands: events of one response',
    format: openhands,
    records: (index) => [openhandsCall(`c${index}`, 'r')],
  },
  {
    name: 'openhands: condensations that keep it all',
    format: openhands,
    records: (index) => [
      openhandsSaid(`e${index}`),
      { id: 'x', source: 'environment', kind: 'Condensation', forgotten_event_ids: [] },
    ],
  },
  {
    name: 'swe-agent: one long run',
    format: sweAgent,
    records: inOne(
      (history) => ({ history, trajectory: [{ query: history }] }),
      (index) =>
        index % 2
          ? { role: 'tool', tool_call_ids: [`c${index - 1}`], content: 'x' }
          : chatCall(`c${index}`),
    ),
  },
]

test.each(endless)('work grows with the records alone: $name', async ({ format, records }) => {
  await expectLinear(readingWork(format, records), recordCounts)
})

test('a value nested without end does no harm, here or further on', () => {
  let deep: unknown = 'x'
  for (let level = 0; level < 50_000; level++) deep = [deep]
  let data: unknown = 'x'
  for (let level = 0; level < 50_000; level++) data = { type: 'data', data }
  const call = { id: 'c', call_id: 'c', toolCallId: 'c', name: 'x', toolName: 'x', input: deep }
  const blocks = [
    { ...call, type: 'tool_use' },
    { ...call, type: 'tool-call', providerOptions: { x: { deep } }, extra: deep },
    { type: 'file', mediaType: 'x', data },
    { type: 'image', image: data },
    { type: 'odd', deep },
  ]
  const results = [
    { type: 'tool_result', tool_use_id: 'c', content: [{ deep }] },
    { type: 'tool-result', toolCallId: 'c', output: { type: 'json', value: deep } },
    {
      type: 'tool-result',
      toolCallId: 'c',
      output: { type: 'content', value: [{ type: 'x', deep }] },
    },
  ]
  const records = [
    {
      role: 'assistant',
      content: blocks,
      tool_calls: [{ id: 'c', function: { ...call, arguments: deep } }],
    },
    { role: 'user', content: [...blocks, ...results] },
    { role: 'tool', tool_call_id: 'c', content: [{ deep }, ...results] },
    { role: 'assistant', content: 'x', reasoning_details: [{ text: 'x', deep }] },
    { ...call, type: 'function_call', arguments: deep },
    { ...call, type: 'shell_call', action: { deep } },
    { ...call, type: 'dream_call', deep },
    { type: 'function_call_output', call_id: 'c', output: deep },
    {
      id: 'm',
      role: 'assistant',
      parts: [{ ...call, type: 'tool-x', state: 'output-available', output: deep }],
    },
    { source: 'agent', action: 'odd', args: { deep } },
    {
      ...openhandsCall('c', 'r'),
      tool_call: undefined,
      tool_name: 'x',
      tool_call_id: 'c',
      action: { deep },
    },
    { history: [{ role: 'assistant', content: blocks }], trajectory: [deep] },
  ]
  for (const format of [aiSdk, anthropic, openaiChat, openaiResponses, openhands, sweAgent]) {
    format.recognises(records)
    const drafts = [...draftsOf(format, records), ...draftsOf(format, [{ messages: records }])]
    expect(() => JSON.stringify(drafts)).not.toThrow()
  }
})
