import { titleWithin } from '../writing/written-session.ts'
import { momentOf } from '../writing/written-fields.ts'
import type { FormatWriter, Identity, WrittenMessage } from '../writing/format-writer.ts'
import { attachmentText } from '../../compaction/clip/describe-media.ts'
import { isFailed, outputPieces } from '../../wires/text-pieces.ts'
import { isImage, mediumOf, type Medium } from '../../wires/media.ts'
import {
  partsOf,
  type AssistantMessage,
  type Message,
  type ToolResultPart,
} from '../../log/message.ts'

/** An event that has no parent in the chain yet. */
interface Happened {
  type: string
  at: number
  data: Fields
}

/**
 * Writes events that `copilot --resume` accepts: a compaction of Copilot's own kind, then the rest.
 */
export const copilotCliWriter: FormatWriter = {
  name: 'copilot-cli',
  write({ summary, messages, title }, identity) {
    const events = [start(identity)]
    if (summary !== undefined) events.push(...compaction(summary, identity))
    for (const written of messages) events.push(...eventsOf(written, identity))
    const lines = linked(events, identity).map((event) => `${JSON.stringify(event)}\n`)
    const text = lines.join('')
    if (title === undefined) return { session: identity.session, text }
    const name = titleWithin(title, shownOfName)
    const named = { path: 'workspace.yaml', text: workspace(name, identity) }
    return { session: identity.session, text, beside: () => [named] }
  },
}

// What its list of sessions shows in a terminal of 80 columns, and of 120.
const shownOfName = 33

/** The file by which Copilot calls a session: texts in YAML may stand as they do in JSON. */
function workspace(title: string, { session, now, directory }: Identity): string {
  const time = new Date(now).toISOString()
  const fields = {
    id: session,
    cwd: directory,
    name: title,
    user_named: true,
    created_at: time,
    updated_at: time,
  }
  const lines = Object.entries(fields).map(([key, value]) => `${key}: ${JSON.stringify(value)}\n`)
  return lines.join('')
}

function start({ session, now, directory }: Identity): Happened {
  const data = {
    sessionId: session,
    version: 1,
    producer: 'throughline',
    copilotVersion: '1.0.102',
    startTime: new Date(now).toISOString(),
    context: { cwd: directory },
  }
  return { type: 'session.start', at: now, data }
}

/** Copilot drops what comes before its end, so it comes before everything. */
function compaction(summaryContent: string, { now: at }: Identity): Happened[] {
  return [
    { type: 'session.compaction_start', at, data: {} },
    { type: 'session.compaction_complete', at, data: { success: true, summaryContent } },
  ]
}

function eventsOf(written: WrittenMessage, { now, newId }: Identity): Happened[] {
  const { message, origin, model } = written
  const at = momentOf(written.at, now)
  if (message.role === 'tool') {
    return message.content.flatMap((part) =>
      part.type === 'tool-result'
        ? [{ type: 'tool.execution_complete', at, data: resultData(part) }]
        : [],
    )
  }
  if (message.role === 'assistant') {
    const data = {
      messageId: newId(),
      ...(model !== undefined && { model }),
      ...replyData(message),
    }
    return [{ type: 'assistant.message', at, data }]
  }
  const source = origin !== 'human' && { source: 'throughline' }
  return [{ type: 'user.message', at, data: { ...userData(message), ...source } }]
}

/** Every event names the previous one: Copilot rejects a file without that chain. */
function linked(events: readonly Happened[], { newId }: Identity): Fields[] {
  let parentId: string | null = null
  return events.map(({ type, data, at }) => {
    const id = newId()
    const event = { type, data, id, timestamp: new Date(at).toISOString(), parentId }
    parentId = id
    return event
  })
}

type Fields = Record<string, unknown>

/** A user's message: one text, and its attachments. */
function userData(message: Message): Fields {
  const pieces = partsOf(message).flatMap((part): (string | Medium)[] => {
    if (part.type === 'text') return [part.text]
    return part.type === 'image' || part.type === 'file' ? [mediumOf(part)] : []
  })
  const attachments = pieces.flatMap((piece) => {
    if (typeof piece === 'string' || piece.base64 === undefined) return []
    const { base64: data, mediaType: mimeType, filename } = piece
    return [
      { type: 'blob', data, mimeType, ...(filename !== undefined && { displayName: filename }) },
    ]
  })
  const texts = wordsOf(pieces, ({ base64 }) => base64 === undefined)
  return { content: texts.join('\n\n'), attachments }
}

/** A model's message: one text, then its calls. */
function replyData(message: AssistantMessage): Fields {
  const parts = partsOf(message)
  const texts = parts.flatMap((part) => (part.type === 'text' ? [part.text] : []))
  const toolRequests = parts.flatMap((part) => {
    if (part.type !== 'tool-call') return []
    const { toolCallId, toolName: name, input } = part
    return [{ toolCallId, name, arguments: input, type: 'function' }]
  })
  return { content: texts.join('\n\n'), toolRequests }
}

/** A tool's output: one text, and images next to it. */
function resultData({ toolCallId, output }: ToolResultPart): Fields {
  const pieces = outputPieces(output)
  const content = wordsOf(pieces, (medium) => !isShown(medium)).join('\n')
  const binaryResultsForLlm = pieces.flatMap((piece) => {
    if (typeof piece === 'string' || !isShown(piece)) return []
    return [{ type: 'image', data: piece.base64, mimeType: piece.mediaType }]
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

function isShown(medium: Medium): boolean {
  return medium.base64 !== undefined && isImage(medium)
}

/** The words among these, and words for the media that can't be represented otherwise. */
function wordsOf(
  pieces: readonly (string | Medium)[],
  asWords: (medium: Medium) => boolean,
): string[] {
  return pieces.flatMap((piece) => {
    if (typeof piece === 'string') return [piece]
    return asWords(piece) ? [attachmentText(piece)] : []
  })
}
