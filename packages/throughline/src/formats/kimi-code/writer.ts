import { isFailed, outputPieces } from '../../wires/text-pieces.ts'
import { isInlineImage, jsonLines, recordsOf, type Piece } from '../writing/message-rows.ts'
import { urlOf, wordsFor } from '../../wires/media.ts'
import type { Fields } from '../../json/fields.ts'
import type { FormatWriter, Identity, WrittenSession } from '../writing/format-writer.ts'

/**
 * Writes a session that `kimi --resume` accepts: the records of its main agent, and beside them the
 * state by which Kimi Code finds a session. No model is named, for it knows models by the user's
 * own names for them: the user's default one answers.
 */
export const kimiCodeWriter: FormatWriter = {
  name: 'kimi-code',
  lines: true,
  write(session, identity) {
    const { now } = identity
    const lines = [
      { type: 'metadata', protocol_version: '1.5', created_at: now },
      ...messagesOf(session, now),
    ]
    return {
      session: identity.session,
      text: jsonLines(lines),
      beside: () => [{ path: '../../state.json', text: stateOf(session, identity) }],
    }
  },
}

function stateOf({ title }: WrittenSession, { session, now, directory }: Identity): string {
  return JSON.stringify({
    id: `session_${session}`,
    version: 2,
    cwd: directory,
    ...(title !== undefined && { title, titleKind: 'custom' }),
    createdAt: now,
    updatedAt: now,
    archived: false,
    agents: { main: { type: 'main' } },
    custom: {},
  })
}

function messagesOf({ summary, messages }: WrittenSession, now: number): Fields[] {
  const said = recordsOf<Fields>(messages, now, {
    user(pieces, { at, human }) {
      const origin = human ? { kind: 'user' } : { kind: 'injection', variant: 'throughline' }
      return [record({ role: 'user', content: pieces.map(block), toolCalls: [], origin }, at)]
    },
    result({ toolCallId, output }, { at }) {
      const content = outputPieces(output).map(block)
      const failed = isFailed(output) && { isError: true }
      return [record({ role: 'tool', content, toolCalls: [], toolCallId, ...failed }, at)]
    },
    reply(parts, { at }) {
      const content = parts.flatMap((part) => (part.type === 'text' ? [block(part.text)] : []))
      const toolCalls = parts.flatMap((part) => {
        if (part.type !== 'tool-call') return []
        const { toolCallId: id, toolName: name, input } = part
        return [{ type: 'function', id, name, arguments: JSON.stringify(input) }]
      })
      return [record({ role: 'assistant', content, toolCalls }, at)]
    },
  })
  if (summary === undefined) return said
  const origin = { kind: 'compaction_summary' }
  const first = { role: 'user', content: [block(summary)], toolCalls: [], origin }
  return [record(first, now), ...said]
}

function record(message: Fields, time: number): Fields {
  return { type: 'context.append_message', agentId: 'main', message, time }
}

/** Words, and images that are in the file itself: whatever else there is, Kimi would have to fetch. */
function block(piece: Piece): Fields {
  if (!isInlineImage(piece)) return { type: 'text', text: wordsFor(piece) }
  return { type: 'image_url', imageUrl: { url: urlOf(piece) } }
}
