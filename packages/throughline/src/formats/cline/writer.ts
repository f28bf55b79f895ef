import { isFailed, outputPieces } from '../../wires/text-pieces.ts'
import { isInlineImage, pieceOf, recordsOf, type Piece } from '../writing/message-rows.ts'
import { jsonDocument, noModel, providerOf } from '../writing/written-fields.ts'
import { wordsFor } from '../../wires/media.ts'
import type { Fields } from '../../json/fields.ts'
import type { FormatWriter, Identity, WrittenSession } from '../writing/format-writer.ts'
import { partsOf, type ToolResultPart } from '../../log/message.ts'

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
  // The results of a step are blocks of one message.
  const rest = messages.flatMap((written) => {
    const results: Fields[] = []
    return recordsOf<Fields>([written], now, {
      user(_, { at: ts, human, written: { message } }) {
        const typed = (text: string): string => `<user_input mode="act">${text}</user_input>`
        // Words in the place of a file that cannot be sent are not the human's.
        const content = partsOf(message).flatMap((part) =>
          human && part.type === 'text' ? [textBlock(typed(part.text))] : pieceOf(part).map(block),
        )
        return [{ role: 'user', content, ...(!human && { metadata: notTyped }), ts }]
      },
      reply(parts, { at: ts }) {
        const content = parts.map((part) => {
          if (part.type === 'text') return textBlock(part.text)
          return { type: 'tool_use', id: part.toolCallId, name: part.toolName, input: part.input }
        })
        return [{ role: 'assistant', content, ts }]
      },
      result(part, { at: ts }) {
        results.push(resultBlock(part))
        return results.length === 1 ? [{ role: 'user', content: results, ts }] : []
      },
    })
  })
  const all = summary === undefined ? rest : [summaryMessage(summary, now), ...rest]
  return all.map((message) => ({ id: newId(), ...message }))
}

/** As Cline keeps its own, so that it updates this one in the next compaction. */
function summaryMessage(summary: string, ts: number): Fields {
  const details = { readFiles: [], modifiedFiles: [] }
  const kept = { displayRole: 'system', userRunSpan: 1, summary, details, tokensBefore: 0 }
  const metadata = { kind: 'compaction_summary', ...kept, generatedAt: ts }
  return { role: 'user', content: [textBlock(summary)], metadata, ts }
}

/** As Cline notes what it says in the human's place: a text without a mark does not tell. */
const notTyped: Fields = { displayRole: 'system', userRunSpan: 0 }

/** A text as such: Cline would give a list of blocks to some models as JSON. */
function resultBlock({ toolCallId, toolName: name, output }: ToolResultPart): Fields {
  const pieces = outputPieces(output)
  const words = pieces.map(wordsFor).filter((text) => text !== '')
  const content = pieces.some(isInlineImage) ? pieces.map(block) : words.join('\n')
  const failed = isFailed(output) && { is_error: true }
  return { type: 'tool_result', tool_use_id: toolCallId, name, content, ...failed }
}

function block(piece: Piece): Fields {
  if (!isInlineImage(piece)) return textBlock(wordsFor(piece))
  return { type: 'image', data: piece.base64, mediaType: piece.mediaType }
}

function textBlock(text: string): Fields {
  return { type: 'text', text }
}
