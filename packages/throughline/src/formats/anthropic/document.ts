import { finishOf, usageOf } from '../claude-code/usage.ts'
import { clockTime } from '../clock-time.ts'
import { nameOf, objectsOf, textOf, type Fields } from '../fields.ts'
import { bodyOf } from '../request-body.ts'
import type { ApiDocument } from '../api-reader.ts'

/** A request of the Messages API, with its answer or without; an answer alone is a message. */
export function documentOf(record: Fields): ApiDocument | undefined {
  if (typeof record['role'] === 'string') return undefined
  const request = bodyOf(record, requestNames, (body) => Array.isArray(body['messages']))
  const answer = bodyOf(record, answerNames, isAnswer)
  if (!request && !answer) return undefined
  const model = nameOf(answer?.['model']) ?? nameOf(request?.['model'])
  return {
    system: systemText(request?.['system']),
    messages: objectsOf(request?.['messages']),
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

const requestNames = ['request', 'body', 'params', 'input']
const answerNames = ['response', 'output', 'body']

function isAnswer(body: Fields): boolean {
  return body['role'] === 'assistant' && Array.isArray(body['content'])
}

function systemText(system: unknown): string {
  if (typeof system === 'string') return system
  return objectsOf(system)
    .flatMap((block) => textOf(block['text']) ?? [])
    .join('\n\n')
}
