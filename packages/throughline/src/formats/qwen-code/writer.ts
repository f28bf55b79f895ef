import { noModel, momentOf } from '../writing/written-fields.ts'
import { isFailed, outputPieces } from '../../wires/text-pieces.ts'
import { mediumOf, wordsFor, type Medium } from '../../wires/media.ts'
import { partsOf, type Message, type ToolResultPart } from '../../log/message.ts'
import type { FormatWriter, Identity, WrittenMessage } from '../writing/format-writer.ts'

type Fields = Record<string, unknown>

/**
 * Writes a session that `qwen --resume` accepts: a compaction of Qwen Code's own kind, then the
 * rest.
 */
export const qwenCodeWriter: FormatWriter = {
  name: 'qwen-code',
  write({ summary, messages, title }, identity) {
    const records = messages.flatMap((written) => recordsOf(written, identity))
    const all = summary === undefined ? records : [compaction(summary), ...records]
    const named = {
      type: 'system',
      subtype: 'custom_title',
      provenance: 'system',
      systemPayload: { customTitle: title, titleSource: 'manual' },
    }
    const lines = linked(title === undefined ? all : [...all, named], identity).map(
      (record) => `${JSON.stringify(record)}\n`,
    )
    return { session: identity.session, text: lines.join('') }
  },
}

function compaction(summary: string): Fields {
  const compressedHistory = [{ role: 'user', parts: [{ text: summary }] }]
  const info = { originalTokenCount: 0, newTokenCount: 0, compressionStatus: 1 }
  return {
    type: 'system',
    subtype: 'chat_compression',
    provenance: 'system',
    systemPayload: { info, compressedHistory },
  }
}

/** One record for a reply, and one for each result, as Qwen Code does. */
function recordsOf({ message, origin, at, model }: WrittenMessage, { now }: Identity): Fields[] {
  const timestamp = new Date(momentOf(at, now)).toISOString()
  if (message.role === 'tool') {
    return message.content.flatMap((part) =>
      part.type === 'tool-result' ? [{ timestamp, ...toolResult(part) }] : [],
    )
  }
  if (message.role === 'assistant') {
    const said = { role: 'model', parts: replyParts(message) }
    const made = { type: 'assistant', provenance: 'assistant_output' }
    return [{ timestamp, ...made, model: model ?? noModel, message: said }]
  }
  const kind =
    origin === 'human'
      ? { provenance: 'real_user' }
      : { provenance: 'system', subtype: 'notification' }
  return [
    { timestamp, type: 'user', ...kind, message: { role: 'user', parts: userParts(message) } },
  ]
}

function userParts(message: Message): Fields[] {
  return partsOf(message).flatMap((part) => {
    if (part.type === 'text') return [{ text: part.text }]
    return part.type === 'image' || part.type === 'file' ? [sentPart(mediumOf(part))] : []
  })
}

function replyParts(message: Message): Fields[] {
  return partsOf(message).flatMap((part): Fields[] => {
    if (part.type === 'text') return [{ text: part.text }]
    if (part.type !== 'tool-call') return []
    const { toolCallId: id, toolName: name, input: args } = part
    return [{ functionCall: { id, name, args } }]
  })
}

function toolResult({ toolCallId: id, toolName: name, output }: ToolResultPart): Fields {
  const pieces = outputPieces(output)
  const failed = isFailed(output)
  const words = pieces.filter((piece) => !isSent(piece)).map(wordsFor)
  const said = words.filter((text) => text !== '').join('\n')
  const media = pieces.filter(isSent).map(sentPart)
  const functionResponse = {
    id,
    name,
    response: failed ? { error: said } : { output: said },
    // Next to the response, they would be mistaken for the user's words.
    ...(media.length > 0 && { parts: media }),
  }
  return {
    type: 'tool_result',
    provenance: 'tool_result',
    message: { role: 'user', parts: [{ functionResponse }] },
    toolCallResult: { callId: id, status: failed ? 'error' : 'success' },
  }
}

function isSent(piece: string | Medium): piece is Medium {
  return typeof piece !== 'string' && piece.base64 !== undefined
}

function sentPart(piece: string | Medium): Fields {
  if (!isSent(piece)) return { text: wordsFor(piece) }
  return { inlineData: { mimeType: piece.mediaType, data: piece.base64 } }
}

/** Every record names the previous one: Qwen Code follows that chain from its end. */
function linked(
  records: readonly Fields[],
  { session, newId, now, directory }: Identity,
): Fields[] {
  let parentUuid: string | null = null
  return records.map((record) => {
    const uuid = newId()
    const whole = {
      uuid,
      parentUuid,
      sessionId: session,
      timestamp: new Date(now).toISOString(),
      cwd: directory,
      version: '0.24.4',
      ...record,
    }
    parentUuid = uuid
    return whole
  })
}
