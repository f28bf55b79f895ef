import { momentOf } from '../writing/written-fields.ts'
import { partsOf } from '../../log/message.ts'
import { nobodysModel, unnamedModel, withoutRefusals } from './reply.ts'
import { blocksOf } from '../../wires/anthropic/write-blocks.ts'
import { lenientWriting } from '../../wires/reading.ts'
import { plainMessage } from '../api-written.ts'
import type { Message } from '../../log/message.ts'
import type { FinishReason } from '../../log/entry.ts'
import type { FormatWriter, Identity, WrittenMessage } from '../writing/format-writer.ts'
import type { Fields } from '../../json/fields.ts'

/**
 * Writes a transcript that `claude --resume` accepts: a compaction of Claude Code's own kind, then
 * the rest.
 */
export const claudeCodeWriter: FormatWriter = {
  name: 'claude-code',
  write({ summary, messages, title }, identity) {
    const records: Fields[] = []
    if (summary !== undefined) records.push(...compaction(summary))
    for (const written of withoutRefusals(messages)) records.push(...recordsOf(written, identity))
    const named = { type: 'custom-title', customTitle: title, sessionId: identity.session }
    const all = [...linked(records, identity), ...(title === undefined ? [] : [named])]
    const lines = all.map((record) => `${JSON.stringify(record)}\n`)
    return { session: identity.session, text: lines.join('') }
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
function recordsOf(
  { message, origin, at, model, finish }: WrittenMessage,
  identity: Identity,
): Fields[] {
  const timestamp = new Date(momentOf(at, identity.now)).toISOString()
  const blocks = anthropicBlocks(message)
  if (message.role === 'tool') {
    return blocks.map((block) => ({
      type: 'user',
      timestamp,
      message: { role: 'user', content: [block] },
    }))
  }
  if (message.role !== 'assistant') {
    const content = typeof message.content === 'string' ? message.content : blocks
    const hidden = origin !== 'human' && { isMeta: true }
    return [{ type: 'user', timestamp, message: { role: 'user', content }, ...hidden }]
  }
  const called = partsOf(message).some((part) => part.type === 'tool-call')
  return [
    {
      type: 'assistant',
      timestamp,
      message: {
        id: `msg_${identity.newId().replaceAll('-', '')}`,
        type: 'message',
        role: 'assistant',
        model: model ?? (origin === 'synthetic' ? nobodysModel : unnamedModel),
        content: blocks,
        stop_reason: stopReason(finish, called),
        stop_sequence: null,
        usage: { input_tokens: 0, output_tokens: 0 },
      },
    },
  ]
}

function stopReason(finish: FinishReason | undefined, called: boolean): string {
  if (called) return 'tool_use'
  return finish === 'length' ? 'max_tokens' : 'end_turn'
}

/** Every record names the previous one: Claude Code follows that chain from its end. */
function linked(
  records: readonly Fields[],
  { session, newId, now, directory }: Identity,
): Fields[] {
  let parentUuid: string | null = null
  return records.map((record) => {
    const uuid = newId()
    const whole = {
      parentUuid,
      isSidechain: false,
      userType: 'external',
      cwd: directory,
      sessionId: session,
      version: '2.1.330',
      gitBranch: '',
      timestamp: new Date(now).toISOString(),
      ...record,
      uuid,
    }
    parentUuid = uuid
    return whole
  })
}

/** The content of a message as blocks of the Anthropic API, for a harness that keeps such blocks. */
function anthropicBlocks(message: Message): Fields[] {
  return partsOf(plainMessage(message)).flatMap((part) => blocksOf(part, '', lenientWriting))
}
