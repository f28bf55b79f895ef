import { isFailed, outputPieces } from '../../wires/text-pieces.ts'
import { isImage, mediumOf, urlOf, wordsFor, type Medium } from '../../wires/media.ts'
import { momentOf } from '../writing/written-fields.ts'
import { partsOf, type Message } from '../../log/message.ts'
import type {
  FormatWriter,
  Identity,
  WrittenMessage,
  WrittenSession,
} from '../writing/format-writer.ts'

type Fields = Record<string, unknown>

/**
 * Writes a session that `kimi --resume` accepts: the records of its main agent, and beside them the
 * state by which Kimi Code finds a session. No model is named, for it knows models by the user's
 * own names for them: the user's default one answers.
 */
export const kimiCodeWriter: FormatWriter = {
  name: 'kimi-code',
  write(session, identity) {
    const lines = [
      { type: 'metadata', protocol_version: '1.5', created_at: identity.now },
      ...messagesOf(session, identity),
    ]
    return {
      session: identity.session,
      text: lines.map((line) => `${JSON.stringify(line)}\n`).join(''),
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

function messagesOf({ summary, messages }: WrittenSession, { now }: Identity): Fields[] {
  const said = messages.flatMap((written) =>
    messagesIn(written).map((message) => record(message, momentOf(written.at, now))),
  )
  if (summary === undefined) return said
  const origin = { kind: 'compaction_summary' }
  return [
    record({ role: 'user', content: [textBlock(summary)], toolCalls: [], origin }, now),
    ...said,
  ]
}

function record(message: Fields, time: number): Fields {
  return { type: 'context.append_message', agentId: 'main', message, time }
}

function messagesIn({ message, origin }: WrittenMessage): Fields[] {
  if (message.role === 'tool') {
    return message.content.flatMap((part) => {
      if (part.type !== 'tool-result') return []
      const content = outputPieces(part.output).map(block)
      const failed = isFailed(part.output) && { isError: true }
      return [{ role: 'tool', content, toolCalls: [], toolCallId: part.toolCallId, ...failed }]
    })
  }
  if (message.role === 'assistant') return [reply(message)]
  const content = partsOf(message).flatMap((part) => {
    if (part.type === 'text') return [textBlock(part.text)]
    return part.type === 'image' || part.type === 'file' ? [block(mediumOf(part))] : []
  })
  const by = origin === 'human' ? { kind: 'user' } : { kind: 'injection', variant: 'throughline' }
  return [{ role: 'user', content, toolCalls: [], origin: by }]
}

function reply(message: Message): Fields {
  const parts = partsOf(message)
  const content = parts.flatMap((part) => (part.type === 'text' ? [textBlock(part.text)] : []))
  const toolCalls = parts.flatMap((part) => {
    if (part.type !== 'tool-call') return []
    const { toolCallId: id, toolName: name, input } = part
    return [{ type: 'function', id, name, arguments: JSON.stringify(input) }]
  })
  return { role: 'assistant', content, toolCalls }
}

/** Words, and images that are in the file itself: whatever else there is, Kimi would have to fetch. */
function block(piece: string | Medium): Fields {
  if (typeof piece === 'string') return textBlock(piece)
  if (!isImage(piece) || piece.base64 === undefined) return textBlock(wordsFor(piece))
  return { type: 'image_url', imageUrl: { url: urlOf(piece) } }
}

function textBlock(text: string): Fields {
  return { type: 'text', text }
}
