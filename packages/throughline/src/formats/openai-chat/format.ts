import { apiReader, type ApiDocument } from '../api-reader.ts'
import { detectApi } from '../detect/detect-api.ts'
import { nameOf, countOf, fieldsOf, objectsOf, textOf, type Fields } from '../../json/fields.ts'
import { notes } from '../../wires/openai-chat/message.ts'
import { openaiChatWire, finishOf, usageOf } from '../../wires/openai-chat/wire.ts'
import { textCalls } from './text-calls.ts'
import type { WrittenFormat } from '../writing/harness.ts'
import type { SessionFacts } from '../format.ts'
import { messageSign } from '../detect/api-sign.ts'
import { clockTime, jsonDocument } from '../writing/written-fields.ts'
import { answerIn, holdsMessages, messagesIn, requestIn } from '../detect/request-body.ts'
import { lenientWriting } from '../../wires/reading.ts'
import { nativesIn } from '../../wires/wire.ts'
import { writtenMessages } from '../api-written.ts'
import type { FormatWriter } from '../writing/format-writer.ts'

/** Writes the messages that a request of Chat Completions holds of a session. */
export const openaiChatWriter: FormatWriter = {
  name: 'openai-chat',
  write({ facts: { system }, ...written }, { session }) {
    const prompt = system === undefined ? [] : [{ role: 'system', content: system }]
    const messages = nativesIn(openaiChatWire.write(writtenMessages(written), lenientWriting))
    return { session, text: jsonDocument({ messages: [...prompt, ...messages] }) }
  },
}

/** Messages of OpenAI's Chat Completions: alone, or in requests and completions. */
export const openaiChat: WrittenFormat = {
  writer: openaiChatWriter,
  name: 'openai-chat',
  place: 'Chat Completions messages as JSON or JSON lines',
  recognises: (records) => detectApi(records) === 'openai-chat',
  reader: (ledger) =>
    apiReader(
      {
        wire: openaiChatWire,
        notes,
        documentOf,
        sourceOf(native) {
          const name = native['role'] === 'user' ? nameOf(native['name']) : undefined
          return name === undefined ? undefined : { source: { name } }
        },
        translator: textCalls,
      },
      ledger,
    ),
}

/** A request of Chat Completions, its completion, or both. */
function documentOf(record: Fields): ApiDocument | undefined {
  if (messageSign(record)) return undefined
  const request = requestIn(record, holdsMessages)
  const response = answerIn(record, (body) => Array.isArray(body['choices']))
  if (!request && !response) return undefined
  const choice = objectsOf(response?.['choices'])[0]
  const message = fieldsOf(choice?.['message'])
  const model = nameOf(response?.['model']) ?? nameOf(request?.['model'])
  return {
    system: textOf(request?.['system']) ?? '',
    messages: objectsOf(request && messagesIn(request)),
    answer: message ? [{ role: 'assistant', ...message }] : [],
    details: {
      id: nameOf(response?.['id']),
      at: clockTime(response?.['created']),
      model,
      usage: usageOf(response?.['usage']),
      finish: finishOf(choice?.['finish_reason']),
    },
    facts: factsOf(record, model),
    whole: request !== undefined,
  }
}

function factsOf(record: Fields, model: string | undefined): SessionFacts {
  const window = countOf(record['context_window'])
  return { ...(model && { model }), ...(window && { window }) }
}
