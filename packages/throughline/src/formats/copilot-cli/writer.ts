import { attachmentText } from '../../compaction/clip/describe-media.ts'
import {
  chained,
  isInline,
  isInlineImage,
  jsonLines,
  recordsOf,
  type Piece,
} from '../writing/message-rows.ts'
import { isFailed, outputPieces } from '../../wires/text-pieces.ts'
import { titleWithin } from '../writing/written-session.ts'
import type { Fields } from '../../json/fields.ts'
import type { FormatWriter, Identity, WrittenMessage } from '../writing/format-writer.ts'
import type { ToolResultPart } from '../../log/message.ts'

/**
 * Writes events that `copilot --resume` accepts: a compaction of Copilot's own kind, then the rest.
 */
export const copilotCliWriter: FormatWriter = {
  name: 'copilot-cli',
  lines: true,
  write({ summary, messages, title }, identity) {
    const { session, newId, now } = identity
    const at = new Date(now).toISOString()
    // Copilot drops what comes before the end of a compaction, so it comes before everything.
    const done = { success: true, summaryContent: summary }
    const events = [
      event('session.start', at, started(identity)),
      ...(summary === undefined ? [] : [event('session.compaction_start', at, {})]),
      ...(summary === undefined ? [] : [event('session.compaction_complete', at, done)]),
      ...eventsOf(messages, identity),
    ]
    // Copilot rejects a file without that chain.
    const linked = chained(events, newId, ({ type, data, timestamp }, id, parentId) => {
      return { type, data, id, timestamp, parentId }
    })
    const written = { session, text: jsonLines(linked) }
    if (title === undefined) return written
    const named = workspace(titleWithin(title, shownOfName), identity)
    return { ...written, beside: () => [{ path: 'workspace.yaml', text: named }] }
  },
}

function event(type: string, timestamp: string, data: Fields): Fields {
  return { type, timestamp, data }
}

// What its list of sessions shows in a terminal of 80 columns, and of 120.
const shownOfName = 33

/** The file by which Copilot calls a session: texts in YAML may stand as they do in JSON. */
function workspace(name: string, { session: id, now, directory: cwd }: Identity): string {
  const time = new Date(now).toISOString()
  const fields = { id, cwd, name, user_named: true, created_at: time, updated_at: time }
  const lines = Object.entries(fields).map(([key, value]) => `${key}: ${JSON.stringify(value)}\n`)
  return lines.join('')
}

function started({ session: sessionId, now, directory: cwd }: Identity): Fields {
  const startTime = new Date(now).toISOString()
  const made = { version: 1, producer: 'throughline', copilotVersion: '1.0.102' }
  return { sessionId, ...made, startTime, context: { cwd } }
}

function eventsOf(messages: readonly WrittenMessage[], { now, newId }: Identity): Fields[] {
  return recordsOf<Fields>(messages, now, {
    user(pieces, { time, human }) {
      const attachments = pieces.filter(isInline).map(({ base64: data, mediaType, filename }) => {
        const named = filename !== undefined && { displayName: filename }
        return { type: 'blob', data, mimeType: mediaType, ...named }
      })
      const content = wordsOf(pieces.filter((piece) => !isInline(piece))).join('\n\n')
      const source = !human && { source: 'throughline' }
      return [event('user.message', time, { content, attachments, ...source })]
    },
    reply(parts, { time, written: { model } }) {
      const texts = parts.flatMap((part) => (part.type === 'text' ? [part.text] : []))
      const toolRequests = parts.flatMap((part) => {
        if (part.type !== 'tool-call') return []
        const { toolCallId, toolName: name, input } = part
        return [{ toolCallId, name, arguments: input, type: 'function' }]
      })
      const by = { messageId: newId(), ...(model !== undefined && { model }) }
      const said = { content: texts.join('\n\n'), toolRequests }
      return [event('assistant.message', time, { ...by, ...said })]
    },
    result: (part, { time }) => [event('tool.execution_complete', time, resultData(part))],
  })
}

/** A tool's output: one text, and images next to it. */
function resultData({ toolCallId, output }: ToolResultPart): Fields {
  const pieces = outputPieces(output)
  const content = wordsOf(pieces.filter((piece) => !isInlineImage(piece))).join('\n')
  const binaryResultsForLlm = pieces.filter(isInlineImage).map(({ base64: data, mediaType }) => {
    return { type: 'image', data, mimeType: mediaType }
  })
  const success = !isFailed(output)
  const shown = binaryResultsForLlm.length > 0 && { binaryResultsForLlm }
  return {
    toolCallId,
    success,
    ...((success || shown) && { result: { content, ...shown } }),
    ...(!success && { error: { message: content } }),
  }
}

/** The words, and words for the media that can't be represented otherwise. */
function wordsOf(pieces: readonly Piece[]): string[] {
  return pieces.map((piece) => (typeof piece === 'string' ? piece : attachmentText(piece)))
}
