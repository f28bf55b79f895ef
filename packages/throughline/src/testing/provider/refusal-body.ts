import type { Refusal } from './served-answer.ts'

export type Fields = Readonly<Record<string, unknown>>

/** The reason for a rejection. */
export interface RefusedRequest {
  /** The size of the request and the model's limit, in tokens. */
  tokens: number
  window: number
  /** What is wrong with an invalid request. */
  problem: string
}

/** A rejection in the words of an API. */
export interface RefusalBody {
  status: number
  body: Fields
}

/** Anthropic's words: https://docs.anthropic.com/en/api/errors */
export function anthropicRefusal(refusal: Refusal, about: RefusedRequest): RefusalBody {
  const { tokens, window, problem } = about
  const as = (status: number, type: string, message: string): RefusalBody => ({
    status,
    body: { type: 'error', error: { type, message } },
  })
  switch (refusal) {
    case 'overflow':
      return as(
        400,
        'invalid_request_error',
        `prompt is too long: ${tokens} tokens > ${window} maximum`,
      )
    case 'illegal':
      return as(400, 'invalid_request_error', problem)
    case 'rate-limit':
      return as(
        429,
        'rate_limit_error',
        'This request would exceed the rate limit for your organization of 40,000 input tokens per minute.',
      )
    case 'failure':
      return as(500, 'api_error', 'Internal server error')
    case 'overloaded':
      return as(529, 'overloaded_error', 'Overloaded')
    case 'key':
      return as(401, 'authentication_error', 'invalid x-api-key')
    case 'model':
      return as(404, 'not_found_error', 'model: no-such-model')
  }
}

/** OpenAI's words: https://platform.openai.com/docs/guides/error-codes */
function openaiRefusal(refusal: Refusal, overflow: string, problem: string): RefusalBody {
  const as = (status: number, type: string, code: string | null, message: string): RefusalBody => ({
    status,
    body: { error: { message, type, param: null, code } },
  })
  switch (refusal) {
    case 'overflow':
      return as(400, 'invalid_request_error', 'context_length_exceeded', overflow)
    case 'illegal':
      return as(400, 'invalid_request_error', null, problem)
    case 'rate-limit':
      return as(
        429,
        'tokens',
        'rate_limit_exceeded',
        'Rate limit reached on tokens per min (TPM): Limit 30000, Used 29000, Requested 9000.',
      )
    case 'failure':
      return as(500, 'server_error', null, 'The server had an error while processing your request.')
    case 'overloaded':
      return as(503, 'server_error', null, 'The engine is currently overloaded.')
    case 'key':
      return as(401, 'invalid_request_error', 'invalid_api_key', 'Incorrect API key provided.')
    case 'model':
      return as(
        404,
        'invalid_request_error',
        'model_not_found',
        'The model `no-such-model` does not exist or you do not have access to it.',
      )
  }
}

export function chatRefusal(refusal: Refusal, about: RefusedRequest): RefusalBody {
  const { tokens, window, problem } = about
  const words = `This model's maximum context length is ${window} tokens. However, your messages resulted in ${tokens} tokens. Please reduce the length of the messages.`
  return openaiRefusal(refusal, words, problem)
}

/** The Responses API names no sizes. */
export function responsesRefusal(refusal: Refusal, { problem }: RefusedRequest): RefusalBody {
  const words =
    'Your input exceeds the context window of this model. Please adjust your input and try again.'
  return openaiRefusal(refusal, words, problem)
}

/** Google's words: https://ai.google.dev/gemini-api/docs/troubleshooting */
export function geminiRefusal(refusal: Refusal, about: RefusedRequest): RefusalBody {
  const { tokens, window, problem } = about
  const as = (code: number, status: string, message: string): RefusalBody => ({
    status: code,
    body: { error: { code, message, status } },
  })
  switch (refusal) {
    case 'overflow':
      return as(
        400,
        'INVALID_ARGUMENT',
        `The input token count (${tokens}) exceeds the maximum number of tokens allowed (${window}).`,
      )
    case 'illegal':
      return as(400, 'INVALID_ARGUMENT', problem)
    case 'rate-limit':
      return as(429, 'RESOURCE_EXHAUSTED', 'Resource has been exhausted (e.g. check quota).')
    case 'failure':
      return as(500, 'INTERNAL', 'An internal error has occurred.')
    case 'overloaded':
      return as(503, 'UNAVAILABLE', 'The model is overloaded. Please try again later.')
    case 'key':
      return as(400, 'INVALID_ARGUMENT', 'API key not valid. Please pass a valid API key.')
    case 'model':
      return as(
        404,
        'NOT_FOUND',
        'models/no-such-model is not found for API version v1beta, or is not supported for generateContent.',
      )
  }
}
