import { finishOf, usageOf } from '../../wires/anthropic/usage.ts'
import { clockTime } from '../writing/clock-time.ts'
import { nameOf, objectsOf, textOf, type Fields } from '../../json/fields.ts'
import { answerIn, holdsMessages, messagesIn, requestIn } from '../detect/request-body.ts'
import type { ApiDocument } from '../api-reader.ts'

/** A request of the Messages API, with its answer or without; an answer alone is a message. */
export function documentOf(record: Fields): ApiDocument | undefined {
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
