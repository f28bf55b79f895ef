import { createHash } from 'node:crypto'
import { isFailed, outputPieces } from '../../wires/text-pieces.ts'
import { mediumOf, wordsFor, type Medium } from '../../wires/media.ts'
import { momentOf } from '../writing/written-fields.ts'
import { partsOf, type Message, type Part, type ToolOutput } from '../../log/message.ts'
import { unheard, wordsBefore } from './user-parts.ts'
import type { FormatWriter, Identity, WrittenSession } from '../writing/format-writer.ts'

type Fields = Record<string, unknown>

/** Writes a session that `gemini --session-file` accepts, one message per line. */
export const geminiCliWriter: FormatWriter = {
  name: 'gemini-cli',
  write(session, identity) {
    const lines = [header(session, identity), ...messagesOf(session, identity)]
    const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('')
    return { session: identity.session, text }
  },
}

/** Gemini CLI calls a session by one line that it has its model write, and calls that a summary. */
function header({ title }: WrittenSession, { session, now, directory }: Identity): Fields {
  const time = new Date(now).toISOString()
  const projectHash = createHash('sha256').update(directory).digest('hex')
  const named = title !== undefined && { summary: title }
  return {
    sessionId: session,
    projectHash,
    startTime: time,
    lastUpdated: time,
    kind: 'main',
    ...named,
  }
}

/** Gemini CLI keeps a call and its result together, in the message of the reply. */
function messagesOf({ summary, messages }: WrittenSession, { now, newId }: Identity): Fields[] {
  const outputs = new Map<string, ToolOutput>()
  for (const { message } of messages) {
    for (const part of partsOf(message)) {
      if (part.type === 'tool-result') outputs.set(part.toolCallId, part.output)
    }
  }
  const at = (time: number): Fields => ({ id: newId(), timestamp: new Date(time).toISOString() })
  const first = summary === undefined ? [] : [{ ...at(now), ...user([{ text: summary }]) }]
  const rest = messages.flatMap(({ message, origin, at: said }) => {
    const stamp = at(momentOf(said, now))
    if (message.role === 'tool') return []
    if (message.role === 'assistant') return [{ ...stamp, ...reply(message, outputs, stamp) }]
    const mark = origin !== 'human' && { throughline: { origin: 'harness' } }
    return [{ ...stamp, ...user(userParts(message)), ...mark }]
  })
  return [...first, ...rest]
}

function user(content: Fields[]): Fields {
  const text = content.map((part) => part['text'] ?? '').join('')
  // Gemini CLI would ignore such a message as a command to itself.
  return { type: 'user', content: unheard(text) ? [{ text: wordsBefore }, ...content] : content }
}

function userParts(message: Message): Fields[] {
  return partsOf(message).flatMap((part) => {
    if (part.type === 'text') return [{ text: part.text }]
    return part.type === 'image' || part.type === 'file' ? [sentPart(mediumOf(part))] : []
  })
}

function reply(
  message: Message,
  outputs: ReadonlyMap<string, ToolOutput>,
  { timestamp }: Fields,
): Fields {
  const parts = partsOf(message)
  const content = parts.flatMap((part) => (part.type === 'text' ? [{ text: part.text }] : []))
  const toolCalls = parts.flatMap((part) => callRecord(part, outputs, timestamp))
  return { type: 'gemini', content, ...(toolCalls.length > 0 && { toolCalls }) }
}

function callRecord(
  part: Part,
  outputs: ReadonlyMap<string, ToolOutput>,
  timestamp: unknown,
): Fields[] {
  if (part.type !== 'tool-call') return []
  const { toolCallId: id, toolName: name, input: args } = part
  const output = outputs.get(id) ?? { type: 'error-text', value: '' }
  const status = isFailed(output) ? 'error' : 'success'
  return [{ id, name, args, result: resultParts(id, name, output), status, timestamp }]
}

/** A tool's output: text in the response, and media after it. */
function resultParts(id: string, name: string, output: ToolOutput): Fields[] {
  const pieces = outputPieces(output)
  const words = pieces.filter((piece) => !isSent(piece)).map(wordsFor)
  const said = words.filter((text) => text !== '').join('\n')
  const response = isFailed(output) ? { error: said } : { output: said }
  return [{ functionResponse: { id, name, response } }, ...pieces.filter(isSent).map(sentPart)]
}

function isSent(piece: string | Medium): piece is Medium {
  return typeof piece !== 'string' && piece.base64 !== undefined
}

function sentPart(piece: string | Medium): Fields {
  if (!isSent(piece)) return { text: wordsFor(piece) }
  return { inlineData: { mimeType: piece.mediaType, data: piece.base64 } }
}
