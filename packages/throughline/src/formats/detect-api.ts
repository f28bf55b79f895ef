import { fieldsOf, listOf, type Fields } from './fields.ts'
import { messageSign, type Api, type ApiSign } from './api-sign.ts'
import { bodyOf } from './request-body.ts'

/**
 * The API whose messages these records are, or whose requests and answers. The first sign
 * that only one of them has decides. Where there is none, since all is plain text, they are
 * read as messages of Chat Completions: the form that most others took over, and in which
 * such messages mean the same.
 */
export function detectApi(records: readonly unknown[]): Api | undefined {
  let plain = false
  for (const value of records) {
    const record = fieldsOf(value)
    const sign = record && recordSign(record)
    if (sign === 'plain') plain = true
    else if (sign) return sign
  }
  return plain ? 'openai-chat' : undefined
}

function recordSign(record: Fields): ApiSign | undefined {
  // mini-swe-agent writes messages of this form too, but is a harness of its own.
  const mini = fieldsOf(record['info'])?.['mini_version']
  if (record['trajectory_format'] !== undefined || mini !== undefined) return undefined
  return messageSign(record) ?? answerSign(record) ?? requestSign(record)
}

const answerNames = ['response', 'completion', 'output', 'body']

function answerSign(record: Fields): Api | undefined {
  let sign: Api | undefined
  bodyOf(record, answerNames, (body) => (sign = answerOf(body)) !== undefined)
  return sign
}

function answerOf(body: Fields): Api | undefined {
  if (body['role'] === 'assistant' && 'stop_reason' in body) return 'anthropic'
  if (fieldsOf(listOf(body['choices'])[0])?.['message']) return 'openai-chat'
  return body['object'] === 'response' && Array.isArray(body['output'])
    ? 'openai-responses'
    : undefined
}

const requestNames = ['request', 'body', 'input', 'params', 'response']

function requestSign(record: Fields): ApiSign | undefined {
  let sign: ApiSign | undefined
  bodyOf(record, requestNames, (body) => (sign = requestOf(body)) !== undefined)
  return sign
}

function requestOf(body: Fields): ApiSign | undefined {
  const { input, messages } = body
  if (Array.isArray(input) && signOf(input)) return 'openai-responses'
  if (typeof input === 'string' && typeof body['instructions'] === 'string') {
    return 'openai-responses'
  }
  const sign = Array.isArray(messages) ? signOf(messages) : undefined
  return sign === 'plain' ? bodySign(body) : sign
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

/** What stands beside plain messages: each API has its own place for the system prompt and the tools. */
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
