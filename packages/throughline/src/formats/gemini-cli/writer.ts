import { createHash } from 'node:crypto'
import { isFailed, outputPieces } from '../../wires/text-pieces.ts'
import { isInline, jsonLines, recordsOf, type Piece } from '../writing/message-rows.ts'
import { unheard, wordsBefore } from './parts.ts'
import { wordsFor } from '../../wires/media.ts'
import type { Fields } from '../../json/fields.ts'
import type { FormatWriter, Identity, WrittenSession } from '../writing/format-writer.ts'
import type { ToolCallPart, ToolOutput } from '../../log/message.ts'

/** Writes a session that `gemini --session-file` accepts, one message per line. */
export const geminiCliWriter: FormatWriter = {
  name: 'gemini-cli',
  lines: true,
  write(session, identity) {
    const lines = [header(session, identity), ...messagesOf(session, identity)]
    return { session: identity.session, text: jsonLines(lines) }
  },
}

/** Gemini CLI calls a session by one line that it has its model write, and calls that a summary. */
function header({ title }: WrittenSession, { session, now, directory }: Identity): Fields {
  const time = new Date(now).toISOString()
  const projectHash = createHash('sha256').update(directory).digest('hex')
  const times = { startTime: time, lastUpdated: time, kind: 'main' }
  const named = title !== undefined && { summary: title }
  return { sessionId: session, projectHash, ...times, ...named }
}

/** Gemini CLI keeps a call and its result together, in the message of the reply. */
function messagesOf({ summary, messages }: WrittenSession, { now, newId }: Identity): Fields[] {
  const stamp = (timestamp: string): Fields => ({ id: newId(), timestamp })
  const first =
    summary === undefined
      ? []
      : [{ ...stamp(new Date(now).toISOString()), ...user([{ text: summary }]) }]
  const rest = recordsOf<Fields>(messages, now, {
    user(pieces, { time, human }) {
      const mark = !human && { throughline: { origin: 'harness' } }
      return [{ ...stamp(time), ...user(pieces.map(sentPart)), ...mark }]
    },
    reply(parts, { time, outputOf }) {
      const content = parts.flatMap((part) => (part.type === 'text' ? [{ text: part.text }] : []))
      const toolCalls = parts.flatMap((part) =>
        part.type === 'tool-call' ? [callRecord(part, outputOf(part), time)] : [],
      )
      const calls = toolCalls.length > 0 && { toolCalls }
      return [{ ...stamp(time), type: 'gemini', content, ...calls }]
    },
  })
  return [...first, ...rest]
}

function user(content: Fields[]): Fields {
  const text = content.map((part) => part['text'] ?? '').join('')
  // Gemini CLI would ignore such a message as a command to itself.
  return { type: 'user', content: unheard(text) ? [{ text: wordsBefore }, ...content] : content }
}

function callRecord(call: ToolCallPart, output: ToolOutput, timestamp: string): Fields {
  const { toolCallId: id, toolName: name, input: args } = call
  const { response, media } = responseFor(output)
  const result = [{ functionResponse: { id, name, response } }, ...media]
  return { id, name, args, result, status: isFailed(output) ? 'error' : 'success', timestamp }
}

/** A tool's output: text in the response, and media next to it. */
export function responseFor(output: ToolOutput): { response: Fields; media: Fields[] } {
  const pieces = outputPieces(output)
  const words = pieces.filter((piece) => !isInline(piece)).map(wordsFor)
  const said = words.filter((text) => text !== '').join('\n')
  const response = isFailed(output) ? { error: said } : { output: said }
  return { response, media: pieces.filter(isInline).map(sentPart) }
}

export function sentPart(piece: Piece): Fields {
  if (!isInline(piece)) return { text: wordsFor(piece) }
  return { inlineData: { mimeType: piece.mediaType, data: piece.base64 } }
}
