import { blocksOf } from '../../wires/anthropic/write-blocks.ts'
import { chained, endedBy, jsonLines, recordsOf } from '../writing/message-rows.ts'
import { lenientWriting } from '../../wires/reading.ts'
import { nobodysModel } from './reader.ts'
import { noModel } from '../writing/written-fields.ts'
import { partsOf, type Message } from '../../log/message.ts'
import { plainMessage } from '../api-written.ts'
import { withoutRefusals } from './origin.ts'
import type { Fields } from '../../json/fields.ts'
import type { FormatWriter, Identity, WrittenMessage } from '../writing/format-writer.ts'

/**
 * Writes a transcript that `claude --resume` accepts: a compaction of Claude Code's own kind, then
 * the rest.
 */
export const claudeCodeWriter: FormatWriter = {
  name: 'claude-code',
  lines: true,
  write({ summary, messages, title }, identity) {
    const { session, now, newId, directory } = identity
    const said = messagesIn(withoutRefusals(messages), identity)
    const records = summary === undefined ? said : [...compaction(summary), ...said]
    const about = {
      isSidechain: false,
      userType: 'external',
      cwd: directory,
      sessionId: session,
      version: '2.1.330',
      gitBranch: '',
      timestamp: new Date(now).toISOString(),
    }
    const linked = chained(records, newId, (record, uuid, parentUuid) => ({
      parentUuid,
      ...about,
      ...record,
      uuid,
    }))
    const named = { type: 'custom-title', customTitle: title, sessionId: session }
    return { session, text: jsonLines(title === undefined ? linked : [...linked, named]) }
  },
}

function compaction(summary: string): Fields[] {
  return [
    {
      type: 'system',
      subtype: 'compact_boundary',
      content: 'Conversation compacted',
      level: 'info',
      isMeta: false,
      compactMetadata: { trigger: 'manual' },
    },
    { type: 'user', message: { role: 'user', content: summary }, isCompactSummary: true },
  ]
}

/** One record for a reply with all of its blocks, and one for each result, as Claude Code does. */
function messagesIn(messages: readonly WrittenMessage[], { now, newId }: Identity): Fields[] {
  return recordsOf<Fields>(messages, now, {
    user: (_, { time, human, written: { message } }) => {
      const content =
        typeof message.content === 'string' ? message.content : anthropicBlocks(message)
      const said = { type: 'user', timestamp: time, message: { role: 'user', content } }
      return [human ? said : { ...said, isMeta: true }]
    },
    result: (part, { time }) =>
      anthropicBlocks({ role: 'tool', content: [part] }).map((block) => ({
        type: 'user',
        timestamp: time,
        message: { role: 'user', content: [block] },
      })),
    reply: (_, said) => {
      const { message, model, origin } = said.written
      return [
        {
          type: 'assistant',
          timestamp: said.time,
          message: {
            id: `msg_${newId().replaceAll('-', '')}`,
            type: 'message',
            role: 'assistant',
            model: model ?? (origin === 'synthetic' ? nobodysModel : noModel),
            content: anthropicBlocks(message),
            stop_reason: endedBy(said, {
              calls: 'tool_use',
              length: 'max_tokens',
              stop: 'end_turn',
            }),
            stop_sequence: null,
            usage: { input_tokens: 0, output_tokens: 0 },
          },
        },
      ]
    },
  })
}

/** The content of a message as blocks of the Anthropic API, for a harness that keeps such blocks. */
function anthropicBlocks(message: Message): Fields[] {
  return partsOf(plainMessage(message)).flatMap((part) => blocksOf(part, '', lenientWriting))
}
