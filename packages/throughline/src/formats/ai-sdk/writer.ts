import { aiSdkWire } from '../../wires/ai-sdk/wire.ts'
import { isFailed, outputPieces } from '../../wires/text-pieces.ts'
import { jsonDocument } from '../writing/written-fields.ts'
import { lenientWriting } from '../../wires/reading.ts'
import { mediumOf, type Medium } from '../../wires/media.ts'
import { nativesIn } from '../../wires/wire.ts'
import { userEntries } from '../conversation/user-entries.ts'
import { partsOf, type Message, type Part, type ToolOutput } from '../../log/message.ts'
import { summaryAsUser } from '../../compaction/render/summary-block.ts'
import type { FormatWriter, WrittenMessage } from '../writing/format-writer.ts'
import type { Fields } from '../../json/fields.ts'
import type { Origin } from '../../log/entry.ts'
import type { OriginPart } from '../conversation/user-messages.ts'
import type { ToolOutputPart, UserPart } from '../../log/message.ts'

/**
 * Writes the messages for a call to the AI SDK. The SDK rejects a system prompt among them; callers
 * pass it separately.
 */
export const aiSdkWriter: FormatWriter = {
  name: 'ai-sdk',
  write({ summary, messages }, { session }) {
    const said = messages.map(asJson)
    const all = summary === undefined ? said : [summaryAsUser(summary), ...said]
    return { session, text: jsonDocument(nativesIn(aiSdkWire.write(all, lenientWriting))) }
  },
}

/** A message with media that JSON can hold, and a note of who spoke. */
function asJson({ message, origin }: WrittenMessage): Message {
  const content = partsOf(message).map(partAsJson)
  if (message.role === 'assistant' || message.role === 'tool') {
    return { role: message.role, content } as Message
  }
  const said = typeof message.content === 'string' ? message.content : content
  return { role: 'user', content: said, ...originNote(message, origin) } as Message
}

function partAsJson(part: Part): Part {
  if (part.type === 'tool-result') return { ...part, output: outputAsJson(part.output) }
  return part.type === 'image' || part.type === 'file' ? fileAsJson(mediumOf(part)) : part
}

function fileAsJson(medium: Medium | string): Part {
  if (typeof medium === 'string') return { type: 'text', text: medium }
  const { base64, url, ...named } = medium
  return { type: 'file', ...named, data: url ?? base64 }
}

function outputAsJson(output: ToolOutput): ToolOutput {
  if (output.type !== 'content') return output
  const failed = isFailed(output) && { providerOptions: { throughline: { failed: true } } }
  return { type: 'content', value: outputPieces(output).map(pieceAsJson), ...failed }
}

/** JSON has no URLs, which all kinds of parts but an old one expect. */
function pieceAsJson(piece: Medium | string): ToolOutputPart {
  if (typeof piece === 'string') return { type: 'text', text: piece }
  const { base64, url, ...named } = piece
  if (url !== undefined) return { type: 'file-url', url, ...named }
  return { type: 'file', ...named, data: { type: 'data', data: base64 } }
}

/**
 * A note about who wrote a user's message, if that isn't obvious. Providers only read their own
 * options and ignore it.
 */
function originNote(message: Message, origin: Origin): Fields {
  const said = origin === 'human' ? 'human' : 'harness'
  const parts = partsOf(message).map((part): OriginPart => {
    return { origin: 'human', part: part as UserPart }
  })
  const shows = userEntries(parts, 0).every((entry) => entry.origin === said)
  return shows ? {} : { providerOptions: { throughline: { origin: said } } }
}
