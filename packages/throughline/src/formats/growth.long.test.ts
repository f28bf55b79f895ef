import { test } from 'vitest'
import { copilotCli } from './copilot-cli/format.ts'
import { geminiCli } from './gemini-cli/format.ts'
import { opencode } from './opencode/format.ts'
import { pi } from './pi/format.ts'
import { qwenCode } from './qwen-code/format.ts'
import { expectLinear } from '../testing/growth.ts'
import { readingWork, recordCounts } from './testing/reading-work.ts'
import type { Format } from './format.ts'

type Fields = Record<string, unknown>

/** Records whose number is all that grows: a reader that looks back over them would show. */
interface Endless {
  name: string
  format: Format
  records: (index: number, count: number) => Fields[]
}

function opencodeMessage(
  index: number,
  role: string,
  parts: Fields[],
  fields: Fields = {},
): Fields {
  return { info: { id: `m${index}`, role, time: { created: index }, ...fields }, parts }
}

function opencodeRead(index: number, compacted: number): Fields {
  const state = { status: 'completed', output: 'x', time: { compacted } }
  const part = { type: 'tool', tool: 'read', callID: `c${index}`, state }
  return opencodeMessage(index, 'assistant', [part])
}

function piMessage(id: string, parentId: string, content: unknown, fields: Fields = {}): Fields {
  return { type: 'message', id, parentId, message: { role: 'user', content, ...fields } }
}

function copilotUser(id: string, content = 'x'): Fields {
  return { type: 'user.message', id, data: { content } }
}

function geminiUser(id: string): Fields {
  return { id, type: 'user', content: 'x' }
}

function qwenSaid(text: string): Fields {
  return { role: 'user', parts: [{ text }] }
}

function qwenUser(uuid: string, parentUuid: string): Fields {
  return { uuid, parentUuid, type: 'user', message: qwenSaid(`x ${uuid.slice(1)}`) }
}

const endless: readonly Endless[] = [
  {
    name: 'opencode: compactions that keep it all',
    format: opencode,
    records: (index) => {
      const [asked, marker, made] = [3 * index, 3 * index + 1, 3 * index + 2]
      const text = [{ type: 'text', text: 'x' }]
      return [
        opencodeMessage(asked, 'user', text),
        opencodeMessage(marker, 'user', [{ type: 'compaction', tail_start_id: 'm0' }]),
        opencodeMessage(made, 'assistant', text, {
          parentID: `m${marker}`,
          summary: true,
          finish: 'stop',
        }),
      ]
    },
  },
  {
    name: 'opencode: outputs that are cleared in the end',
    format: opencode,
    records: (index) => [opencodeRead(index, 1e12 - index)],
  },
  {
    name: 'opencode: outputs that are cleared at once',
    format: opencode,
    records: (index) => [opencodeRead(index, index)],
  },
  {
    name: 'pi: going back',
    format: pi,
    records: (index) => [piMessage(`e${index}`, index % 2 ? 'e0' : `e${index - 1}`, 'x')],
  },
  {
    name: 'pi: entries that the model does not see',
    format: pi,
    records: (index) => [{ type: 'label', id: `e${index}`, parentId: `e${index - 1}` }],
  },
  {
    name: 'pi: compactions that keep it all',
    format: pi,
    records: (index) => [
      piMessage(`e${index}`, `k${index - 1}`, 'x'),
      { type: 'compaction', id: `k${index}`, parentId: `e${index}`, firstKeptEntryId: 'e0' },
    ],
  },
  {
    name: 'pi: talk during a call',
    format: pi,
    records: (index) => [
      index === 0
        ? piMessage('e0', '', [{ type: 'toolCall', id: 'c', name: 'x' }], { role: 'assistant' })
        : { type: 'custom_message', id: `e${index}`, parentId: `e${index - 1}`, content: 'x' },
    ],
  },
  {
    name: 'copilot-cli: compactions that keep it all',
    format: copilotCli,
    records: (index) => [
      copilotUser(`u${index}`),
      { type: 'session.compaction_complete', data: { success: true, summaryContent: 'x' } },
    ],
  },
  {
    name: 'copilot-cli: going back',
    format: copilotCli,
    records: (index) => [
      copilotUser(`u${index}`),
      { type: 'session.snapshot_rewind', data: { upToEventId: `u${index % 3 ? index : 0}` } },
    ],
  },
  {
    name: 'gemini-cli: going back',
    format: geminiCli,
    records: (index) => [geminiUser(`m${index}`), { $rewindTo: `m${index % 3 ? index : 0}` }],
  },
  {
    name: 'gemini-cli: a history that is written anew again and again',
    format: geminiCli,
    records: (index) => [
      geminiUser(`m${index}`),
      { $set: { messages: [geminiUser('n'), geminiUser(`m${index}`)] } },
    ],
  },
  {
    name: 'gemini-cli: one message that is written again and again',
    format: geminiCli,
    records: (index) => [{ ...geminiUser('m'), content: `${index}` }],
  },
  {
    name: 'qwen-code: going back',
    format: qwenCode,
    records: (index) => [qwenUser(`q${index}`, index % 2 ? 'q0' : `q${index - 1}`)],
  },
  {
    name: 'qwen-code: compactions that keep it all',
    format: qwenCode,
    records: (index) => [
      qwenUser(`q${index}`, `k${index - 1}`),
      {
        uuid: `k${index}`,
        parentUuid: `q${index}`,
        type: 'system',
        subtype: 'chat_compression',
        systemPayload: {
          compressedHistory: [qwenSaid('sum'), qwenSaid('x 0'), qwenSaid(`x ${index}`)],
        },
      },
    ],
  },
]

test.each(endless)('work grows with the records alone: $name', async ({ format, records }) => {
  await expectLinear(readingWork(format, records), recordCounts)
})
