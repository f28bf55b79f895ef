import { fieldsOf, listOf, type Fields } from '../../json/fields.ts'
import { messageSign, type Api, type ApiSign } from './api-sign.ts'
import { answerIn, messagesIn, requestIn } from './request-body.ts'

/**
 * The API whose messages, or requests and answers, these records are. The first sign that only one
 * API has decides. Without a sign, because everything is plain text, they are read as messages of
 * Chat Completions: the most widely adopted form, in which such messages mean the same.
 */
export function detectApi(records: readonly unknown[]): Api | undefined {
  if (records.some(isNote)) return undefined
  let plain = false
  for (const value of records) {
    const record = fieldsOf(value)
    const sign = record && recordSign(record)
    if (sign === 'plain') plain = true
    else if (sign) return sign
  }
  return plain ? 'openai-chat' : undefined
}

/** Kimi CLI wrote such messages too, and among them notes with roles of its own. */
function isNote(value: unknown): boolean {
  const role = fieldsOf(value)?.['role']
  return typeof role === 'string' && role.startsWith('_')
}

function recordSign(record: Fields): ApiSign | undefined {
  // mini-swe-agent also writes messages in this form, but is a harness of its own.
  const mini = fieldsOf(record['info'])?.['mini_version']
  if (record['trajectory_format'] !== undefined || mini !== undefined) return undefined
  // So does Cline, which tells when it wrote them.
  if (typeof record['updated_at'] === 'string') return undefined
  const sign = messageSign(record) ?? answerSign(record)
  if (sign) return sign
  // Only the SDK answers with messages.
  if (Array.isArray(fieldsOf(record['response'])?.['messages'])) return 'ai-sdk'
  return requestSign(record)
}

function answerSign(record: Fields): Api | undefined {
  const answer = answerIn(record, (body) => answerOf(body) !== undefined)
  return answer && answerOf(answer)
}

function answerOf(body: Fields): Api | undefined {
  if (body['role'] === 'assistant' && 'stop_reason' in body) return 'anthropic'
  if (fieldsOf(listOf(body['choices'])[0])?.['message']) return 'openai-chat'
  return body['object'] === 'response' && Array.isArray(body['output'])
    ? 'openai-responses'
    : undefined
}

function requestSign(record: Fields): ApiSign | undefined {
  const request = requestIn(record, (body) => requestOf(body) !== undefined)
  return request && requestOf(request)
}

function requestOf(body: Fields): ApiSign | undefined {
  const { input } = body
  if (typeof input === 'string' && typeof body['instructions'] === 'string') {
    return 'openai-responses'
  }
  const sign = signOf(messagesIn(body) ?? [])
  if (sign !== 'plain') return sign
  return Array.isArray(body['messages']) ? bodySign(body) : 'openai-responses'
}

function signOf(messages: readonly unknown[]): ApiSign | undefined {
  let plain: 'plain' | undefined
  for (const value of messages) {
    const message = fieldsOf(value)
    const sign = message && messageSign(message)
    if (sign && sign !== 'plain') return sign
    if (sign) plain = sign
  }
  return plain
}

/**
 * What accompanies plain messages: each API has its own place for the system prompt and the tools.
 */
function bodySign(body: Fields): ApiSign {
  const tool = fieldsOf(listOf(body['tools'])[0])
  const { system } = body
  if (fieldsOf(tool?.['function'])) return 'openai-chat'
  if (tool?.['input_schema'] || body['anthropic_version'] || Array.isArray(system)) {
    return 'anthropic'
  }
  if (typeof system === 'string') return 'max_tokens' in body ? 'anthropic' : 'ai-sdk'
  return typeof body['instructions'] === 'string' ? 'ai-sdk' : 'plain'
}
