import { attachmentText } from '../../compaction/clip/describe-media.ts'
import {
  chained,
  endedBy,
  isInlineImage,
  jsonLines,
  recordsOf,
  type Piece,
} from '../writing/message-rows.ts'
import { isFailed, outputPieces } from '../../wires/text-pieces.ts'
import { noModel, providerOf } from '../writing/written-fields.ts'
import type { Fields } from '../../json/fields.ts'
import type { FormatWriter } from '../writing/format-writer.ts'

/** Writes a version 3 session that `pi --session` accepts: a compaction first, then the rest. */
export const piWriter: FormatWriter = {
  name: 'pi',
  lines: true,
  write({ summary, messages, title }, { session, now, directory, newId, model: used }) {
    const timestamp = new Date(now).toISOString()
    const header = { type: 'session', version: 3, id: session, timestamp, cwd: directory }
    const entry = (at: number, time: string, said: Fields): Fields[] => [
      { type: 'message', timestamp: time, message: { ...said, timestamp: at } },
    ]
    const said = recordsOf<Fields>(messages, now, {
      user(pieces, { at, time, human }) {
        const content = pieces.map(piBlock)
        if (human) return entry(at, time, { role: 'user', content })
        const custom = { customType: 'throughline', content, display: false }
        return [{ type: 'custom_message', timestamp: time, ...custom }]
      },
      result({ toolCallId, toolName, output }, { at, time }) {
        const content = outputPieces(output).map(piBlock)
        const called = { role: 'toolResult', toolCallId, toolName }
        return entry(at, time, { ...called, content, isError: isFailed(output) })
      },
      reply(parts, given) {
        const content = parts.map((part) =>
          part.type === 'text'
            ? piBlock(part.text)
            : { type: 'toolCall', id: part.toolCallId, name: part.toolName, arguments: part.input },
        )
        const { model = noModel } = given.written
        const by = used ?? { provider: providerOf(model) ?? 'unknown', model }
        const stopReason = endedBy(given, { calls: 'toolUse', length: 'length', stop: 'stop' })
        const said = { role: 'assistant', content, api: 'unknown', ...by }
        const reply = { ...said, usage: unused, stopReason }
        return entry(given.at, given.time, reply)
      },
    })
    // There is nothing before it that it could keep.
    const compaction = { type: 'compaction', timestamp, summary, tokensBefore: 0 }
    const named = { type: 'session_info', timestamp, name: title }
    const entries = [
      ...(title === undefined ? [] : [named]),
      ...(summary === undefined ? [] : [compaction]),
      ...said,
    ]
    const linked = chained(entries, newId, (record, id, parentId) => {
      const kept = record['type'] === 'compaction' && { firstKeptEntryId: id }
      return { ...record, ...kept, id, parentId }
    })
    return { session, text: jsonLines([header, ...linked]) }
  },
}

const nothing = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 }
const unused = { ...nothing, totalTokens: 0, cost: { ...nothing, total: 0 } }

/** pi accepts words, and images that are in the file itself. */
export function piBlock(piece: Piece): Fields {
  if (typeof piece === 'string') return { type: 'text', text: piece }
  if (!isInlineImage(piece)) return { type: 'text', text: attachmentText(piece) }
  return { type: 'image', data: piece.base64, mimeType: piece.mediaType }
}
