import { anthropicWire, finishOf, usageOf } from '../../wires/anthropic/wire.ts'
import { apiReader, type ApiDocument } from '../api-reader.ts'
import { clockTime, jsonDocument, providerOf } from '../writing/written-fields.ts'
import { detectApi } from '../detect/detect-api.ts'
import { fieldsOf, nameOf, textOf, objectsOf, type Fields } from '../../json/fields.ts'
import { notes } from '../../wires/anthropic/message.ts'
import { refusalWords, withoutRefusals } from '../claude-code/origin.ts'
import type { WrittenFormat } from '../writing/harness.ts'
import { answerIn, holdsMessages, messagesIn, requestIn } from '../detect/request-body.ts'
import { alternate } from '../../wires/anthropic/alternate.ts'
import { lenientWriting } from '../../wires/reading.ts'
import { nativesIn } from '../../wires/wire.ts'
import { partsOf, type Message } from '../../log/message.ts'
import { writtenMessages } from '../api-written.ts'
import type { FormatWriter } from '../writing/format-writer.ts'

/** Writes a session as the messages of a Messages API request. */
export const anthropicWriter: FormatWriter = {
  name: 'anthropic',
  write({ summary, messages, facts: { model, system } }, { session }) {
    const said = writtenMessages({ summary, messages: withoutRefusals(messages) }).map(inParts)
    const turns = nativesIn(alternate(anthropicWire.write(said, lenientWriting), []))
    // The API wants the user first.
    const first =
      turns[0]?.role === 'assistant'
        ? [{ role: 'user', content: [{ type: 'text', text: nothingBefore }] }]
        : []
    const document = {
      ...(model !== undefined && providerOf(model) === 'anthropic' && { model }),
      ...(system !== undefined && { system }),
      messages: [...first, ...turns],
    }
    return { session, text: jsonDocument(document) }
  },
}

/** All of a request in one form, for whoever looks into it. */
function inParts(message: Message): Message {
  return { ...message, content: partsOf(message) } as Message
}

const nothingBefore = '[What was said before is not here.]'

/** Messages of Anthropic's Messages API: alone, or in requests and answers. */
export const anthropic: WrittenFormat = {
  writer: anthropicWriter,
  name: 'anthropic',
  place: 'Messages API messages as JSON or JSON lines',
  recognises: (records) => detectApi(records) === 'anthropic',
  reader: (ledger) =>
    apiReader(
      {
        wire: anthropicWire,
        notes,
        documentOf,
        // A message that came as an answer carries its own id, model and usage.
        detailsIn: (native) => ({
          id: nameOf(native['id']),
          at: clockTime(native['timestamp'] ?? native['created_at']),
          model: nameOf(native['model']),
          usage: usageOf(native['usage']),
          finish: finishOf(native['stop_reason']),
        }),
        // The API sends the model no more than its own compaction and what follows.
        standing(message) {
          const summary = textOf(fieldsOf(notes.of(message)['block'])?.['content'])
          return summary === undefined ? undefined : { checkpoint: summary }
        },
        wordsIn: refusalWords,
      },
      ledger,
    ),
}

/** A request of the Messages API, with its answer or without; an answer alone is a message. */
function documentOf(record: Fields): ApiDocument | undefined {
  if (typeof record['role'] === 'string') return undefined
  const request = requestIn(record, holdsMessages)
  const answer = answerIn(record, isAnswer)
  if (!request && !answer) return undefined
  const model = nameOf(answer?.['model']) ?? nameOf(request?.['model'])
  return {
    system: systemText(request?.['system']),
    messages: objectsOf(request && messagesIn(request)),
    answer: answer ? [answer] : [],
    details: {
      id: nameOf(answer?.['id']),
      at: answer && clockTime(record['timestamp'] ?? record['created_at']),
      model: answer && model,
      usage: usageOf(answer?.['usage']),
      finish: finishOf(answer?.['stop_reason']),
    },
    facts: { ...(model && { model }) },
    whole: request !== undefined,
  }
}

function isAnswer(body: Fields): boolean {
  return body['role'] === 'assistant' && Array.isArray(body['content'])
}

function systemText(system: unknown): string {
  if (typeof system === 'string') return system
  return objectsOf(system)
    .flatMap((block) => textOf(block['text']) ?? [])
    .join('\n\n')
}
