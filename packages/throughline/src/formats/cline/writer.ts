import { isFailed, outputPieces } from '../../wires/text-pieces.ts'
import { isImage, mediumOf, wordsFor, type Medium } from '../../wires/media.ts'
import { jsonDocument, momentOf, noModel, providerOf } from '../writing/written-fields.ts'
import { partsOf, type Message, type ToolResultPart } from '../../log/message.ts'
import type {
  FormatWriter,
  Identity,
  WrittenMessage,
  WrittenSession,
} from '../writing/format-writer.ts'

type Fields = Record<string, unknown>

/** Writes a session that `cline --id` accepts: its messages, and what Cline knows it by. */
export const clineWriter: FormatWriter = {
  name: 'cline',
  write(written, identity) {
    const { session, now } = identity
    const document = {
      version: 1,
      updated_at: new Date(now).toISOString(),
      agent: 'lead',
      sessionId: session,
      messages: messagesOf(written, identity),
    }
    return {
      session,
      text: jsonDocument(document),
      beside: (file) => [
        { path: `${session}.json`, text: jsonDocument(manifest(written, identity, file)) },
      ],
    }
  },
}

function manifest({ title, facts }: WrittenSession, identity: Identity, file: string): Fields {
  const { session, now, directory } = identity
  const model = facts.model ?? noModel
  return {
    version: 1,
    session_id: session,
    source: 'cli',
    pid: 0,
    started_at: new Date(now).toISOString(),
    status: 'completed',
    interactive: true,
    provider: providerOf(model) ?? 'unknown',
    model,
    cwd: directory,
    workspace_root: directory,
    enable_tools: true,
    enable_spawn: true,
    enable_teams: true,
    ...(title !== undefined && { metadata: { title } }),
    messages_path: file,
  }
}

function messagesOf({ summary, messages }: WrittenSession, { now, newId }: Identity): Fields[] {
  const first = summary === undefined ? [] : [summaryMessage(summary, now)]
  const rest = messages.map((written) => ({
    ...messageOf(written),
    ts: momentOf(written.at, now),
  }))
  return [...first, ...rest].map((message) => ({ id: newId(), ...message }))
}

/** As Cline keeps its own, so that it updates this one in the next compaction. */
function summaryMessage(summary: string, ts: number): Fields {
  const details = { readFiles: [], modifiedFiles: [] }
  const kept = { displayRole: 'system', userRunSpan: 1, summary, details, tokensBefore: 0 }
  const metadata = { kind: 'compaction_summary', ...kept, generatedAt: ts }
  return { role: 'user', content: [textBlock(summary)], metadata, ts }
}

function messageOf({ message, origin }: WrittenMessage): Fields {
  if (message.role === 'assistant') return { role: 'assistant', content: replyBlocks(message) }
  if (message.role === 'tool') {
    const content = message.content.flatMap((part) =>
      part.type === 'tool-result' ? [resultBlock(part)] : [],
    )
    return { role: 'user', content }
  }
  const content = partsOf(message).flatMap((part) => {
    if (part.type === 'text') {
      return [
        textBlock(
          origin === 'human' ? `<user_input mode="act">${part.text}</user_input>` : part.text,
        ),
      ]
    }
    return part.type === 'image' || part.type === 'file' ? [block(mediumOf(part))] : []
  })
  return { role: 'user', content, ...(origin !== 'human' && { metadata: notTyped }) }
}

/** As Cline notes what it says in the human's place: a text without a mark does not tell. */
const notTyped: Fields = { displayRole: 'system', userRunSpan: 0 }

function replyBlocks(message: Message): Fields[] {
  return partsOf(message).flatMap((part) => {
    if (part.type === 'text') return [textBlock(part.text)]
    if (part.type !== 'tool-call') return []
    return [{ type: 'tool_use', id: part.toolCallId, name: part.toolName, input: part.input }]
  })
}

/** A text as such: Cline would give a list of blocks to some models as JSON. */
function resultBlock({ toolCallId, toolName: name, output }: ToolResultPart): Fields {
  const pieces = outputPieces(output)
  const plain = pieces.every((piece) => !isShown(piece))
  const words = pieces.map(wordsFor).filter((text) => text !== '')
  const content = plain ? words.join('\n') : pieces.map(block)
  const failed = isFailed(output) && { is_error: true }
  return { type: 'tool_result', tool_use_id: toolCallId, name, content, ...failed }
}

function isShown(piece: string | Medium): piece is Medium & { base64: string } {
  return typeof piece !== 'string' && piece.base64 !== undefined && isImage(piece)
}

function block(piece: string | Medium): Fields {
  if (!isShown(piece)) return textBlock(wordsFor(piece))
  return { type: 'image', data: piece.base64, mediaType: piece.mediaType }
}

function textBlock(text: string): Fields {
  return { type: 'text', text }
}
