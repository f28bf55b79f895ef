import { chained, jsonLines, recordsOf } from '../writing/message-rows.ts'
import { isFailed } from '../../wires/text-pieces.ts'
import { noModel } from '../writing/written-fields.ts'
import { responseFor, sentPart } from '../gemini-cli/writer.ts'
import type { Fields } from '../../json/fields.ts'
import type { FormatWriter } from '../writing/format-writer.ts'

/**
 * Writes a session that `qwen --resume` accepts: a compaction of Qwen Code's own kind, then the
 * rest.
 */
export const qwenCodeWriter: FormatWriter = {
  name: 'qwen-code',
  lines: true,
  write({ summary, messages, title }, { session, newId, now, directory }) {
    const named = {
      type: 'system',
      subtype: 'custom_title',
      provenance: 'system',
      systemPayload: { customTitle: title, titleSource: 'manual' },
    }
    const records = [
      ...(summary === undefined ? [] : [compaction(summary)]),
      ...recordsOf<Fields>(messages, now, rows),
      ...(title === undefined ? [] : [named]),
    ]
    const about = {
      sessionId: session,
      timestamp: new Date(now).toISOString(),
      cwd: directory,
      version: '0.24.4',
    }
    const linked = chained(records, newId, (record, uuid, parentUuid) => ({
      uuid,
      parentUuid,
      ...about,
      ...record,
    }))
    return { session, text: jsonLines(linked) }
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
const rows: Parameters<typeof recordsOf<Fields>>[2] = {
  user(pieces, { time: timestamp, human }) {
    const kind = human
      ? { provenance: 'real_user' }
      : { provenance: 'system', subtype: 'notification' }
    const message = { role: 'user', parts: pieces.map(sentPart) }
    return [{ timestamp, type: 'user', ...kind, message }]
  },
  reply(parts, { time: timestamp, written: { model = noModel } }) {
    const said = parts.map((part) => {
      if (part.type === 'text') return { text: part.text }
      const { toolCallId: id, toolName: name, input: args } = part
      return { functionCall: { id, name, args } }
    })
    const message = { role: 'model', parts: said }
    return [{ timestamp, type: 'assistant', provenance: 'assistant_output', model, message }]
  },
  result({ toolCallId: id, toolName: name, output }, { time: timestamp }) {
    const { response, media } = responseFor(output)
    // Next to the response, media would be mistaken for the user's words.
    const functionResponse = { id, name, response, ...(media.length > 0 && { parts: media }) }
    const message = { role: 'user', parts: [{ functionResponse }] }
    const toolCallResult = { callId: id, status: isFailed(output) ? 'error' : 'success' }
    const made = { type: 'tool_result', provenance: 'tool_result' }
    return [{ timestamp, ...made, message, toolCallResult }]
  },
}
