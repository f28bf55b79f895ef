import { aiSdkWire } from '../../wires/ai-sdk/wire.ts'
import { apiReader, type ApiDocument } from '../api-reader.ts'
import { detectApi } from '../detect/detect-api.ts'
import { nameOf, fieldsOf, objectsOf, textOf, type Fields } from '../../json/fields.ts'
import { notes, finishOf, usageOf } from '../../wires/ai-sdk/read-parts.ts'
import { messageSign } from '../detect/api-sign.ts'
import { clockTime, jsonDocument } from '../writing/written-fields.ts'
import { holdsMessages, messagesIn, requestIn } from '../detect/request-body.ts'
import type { WrittenFormat } from '../writing/harness.ts'
import type { Origin } from '../../log/entry.ts'
import { isFailed, outputPieces } from '../../wires/text-pieces.ts'
import { lenientWriting } from '../../wires/reading.ts'
import { mediumOf, type Medium } from '../../wires/media.ts'
import { nativesIn } from '../../wires/wire.ts'
import { userEntries } from '../conversation/user-entries.ts'
import {
  partsOf,
  type Message,
  type Part,
  type ToolOutput,
  type ToolOutputPart,
  type UserPart,
} from '../../log/message.ts'
import { summaryAsUser } from '../../compaction/render/summary-block.ts'
import type { FormatWriter, WrittenMessage } from '../writing/format-writer.ts'
import type { OriginPart } from '../conversation/user-messages.ts'

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

/** The AI SDK's model messages and UI messages, alone or in requests. */
export const aiSdk: WrittenFormat = {
  writer: aiSdkWriter,
  name: 'ai-sdk',
  place: 'AI SDK messages as JSON or JSON lines',
  recognises: (records) => detectApi(records) === 'ai-sdk',
  reader: (ledger) =>
    apiReader(
      {
        wire: aiSdkWire,
        notes,
        documentOf,
        sourceOf(native) {
          const id = nameOf(native['id'])
          return id === undefined ? undefined : { source: { message: id } }
        },
        originOf: notedOrigin,
        toolMessages: 'as-written',
      },
      ledger,
    ),
}

/** The input or output of a call to the SDK, or both; or a saved chat. */
function documentOf(record: Fields): ApiDocument | undefined {
  if (messageSign(record)) return undefined
  const request = requestIn(record, holdsMessages)
  const response = fieldsOf(record['response'])
  const answer = objectsOf(response?.['messages'])
  if (!request && answer.length === 0) return undefined
  // The usage is that of the last step.
  const newest = answer.findLastIndex(({ role }) => role === 'assistant')
  const before = newest < 0 ? answer.length : newest
  const model = nameOf(response?.['modelId']) ?? nameOf(request?.['model'])
  const id = request && nameOf(request['id'])
  return {
    system: textOf(request?.['instructions']) ?? textOf(request?.['system']) ?? '',
    messages: [...objectsOf(request && messagesIn(request)), ...answer.slice(0, before)],
    answer: answer.slice(before),
    details: {
      at: clockTime(response?.['timestamp']),
      model: nameOf(response?.['modelId']),
      usage: usageOf(record['usage']),
      finish: finishOf(record['finishReason']),
    },
    facts: { ...(id && { id }), ...(model && { model }) },
    whole: request !== undefined,
  }
}

/** The author of a user's message, if we noted it. */
function notedOrigin(message: Fields): Origin | undefined {
  const noted = fieldsOf(fieldsOf(message['providerOptions'])?.['throughline'])
  const origin = noted?.['origin']
  return origin === 'harness' || origin === 'human' ? origin : undefined
}
