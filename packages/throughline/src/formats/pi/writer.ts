import { noModel, momentOf, providerOf } from '../writing/written-fields.ts'
import { attachmentText } from '../../compaction/clip/describe-media.ts'
import { isFailed, outputPieces } from '../../wires/text-pieces.ts'
import { isImage, mediumOf, type Medium } from '../../wires/media.ts'
import { partsOf, type AssistantMessage, type ToolResultPart } from '../../log/message.ts'
import type { FinishReason } from '../../log/entry.ts'
import type { FormatWriter, Identity, WrittenMessage } from '../writing/format-writer.ts'

type Fields = Record<string, unknown>

/** Writes a version 3 session that `pi --session` accepts: a compaction first, then the rest. */
export const piWriter: FormatWriter = {
  name: 'pi',
  write({ summary, messages, title }, identity) {
    const { session, now, directory } = identity
    const timestamp = new Date(now).toISOString()
    const header = { type: 'session', version: 3, id: session, timestamp, cwd: directory }
    const entries = messages.flatMap((written) => entriesOf(written, identity))
    // There is nothing before it that it could keep.
    const compaction = { type: 'compaction', timestamp, summary, tokensBefore: 0 }
    const named = { type: 'session_info', timestamp, name: title }
    const said = summary === undefined ? entries : [compaction, ...entries]
    const all = linked(title === undefined ? said : [named, ...said], identity)
    const lines = [header, ...all].map((line) => `${JSON.stringify(line)}\n`)
    return { session, text: lines.join('') }
  },
}

/** Every entry names the previous one: pi follows that chain from its end. */
function linked(entries: readonly Fields[], { newId }: Identity): Fields[] {
  let parentId: string | null = null
  return entries.map((entry) => {
    const id = newId()
    const kept = entry['type'] === 'compaction' && { firstKeptEntryId: id }
    const whole = { ...entry, ...kept, id, parentId }
    parentId = id
    return whole
  })
}

function entriesOf(written: WrittenMessage, { now }: Identity): Fields[] {
  const { message, origin, at } = written
  const moment = momentOf(at, now)
  const timestamp = new Date(moment).toISOString()
  const entry = (said: Fields): Fields => {
    return { type: 'message', timestamp, message: { ...said, timestamp: moment } }
  }
  if (message.role === 'tool') {
    return message.content.flatMap((part) =>
      part.type === 'tool-result' ? [entry(toolResult(part))] : [],
    )
  }
  if (message.role === 'assistant') return [entry(reply(message, written))]
  const content = partsOf(message).flatMap((part) => {
    if (part.type === 'text') return [block(part.text)]
    return part.type === 'image' || part.type === 'file' ? [block(mediumOf(part))] : []
  })
  if (origin === 'human') return [entry({ role: 'user', content })]
  return [{ type: 'custom_message', timestamp, customType: 'throughline', content, display: false }]
}

function reply(message: AssistantMessage, { model = noModel, finish }: WrittenMessage): Fields {
  const content = partsOf(message).flatMap((part): Fields[] => {
    if (part.type === 'text') return [block(part.text)]
    if (part.type !== 'tool-call') return []
    return [{ type: 'toolCall', id: part.toolCallId, name: part.toolName, arguments: part.input }]
  })
  const called = content.some(({ type }) => type === 'toolCall')
  const stopReason = stopReasonOf(finish, called)
  return { role: 'assistant', content, ...madeBy(model), usage: unused, stopReason }
}

function madeBy(model: string): Fields {
  return { api: 'unknown', provider: providerOf(model) ?? 'unknown', model }
}

const nothing = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 }
const unused = { ...nothing, totalTokens: 0, cost: { ...nothing, total: 0 } }

function stopReasonOf(finish: FinishReason | undefined, called: boolean): string {
  if (called) return 'toolUse'
  return finish === 'length' ? 'length' : 'stop'
}

function toolResult({ toolCallId, toolName, output }: ToolResultPart): Fields {
  const content = outputPieces(output).map(block)
  return { role: 'toolResult', toolCallId, toolName, content, isError: isFailed(output) }
}

/** pi accepts words, and images that are in the file itself. */
function block(piece: string | Medium): Fields {
  if (typeof piece === 'string') return { type: 'text', text: piece }
  const { mediaType, base64 } = piece
  if (base64 === undefined || !isImage(piece)) return { type: 'text', text: attachmentText(piece) }
  return { type: 'image', data: base64, mimeType: mediaType }
}
