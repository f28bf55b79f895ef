/** The provider whose words an overflow error uses. */
export type OverflowVoice = 'anthropic' | 'openai' | 'silent'

/** A provider's answer to a prompt that is too long: its status, body and words. */
export class PromptTooLongError extends Error {
  readonly statusCode = 400
  readonly isRetryable = false
  readonly responseBody: string

  constructor(message: string, responseBody: string) {
    super(message)
    this.name = 'PromptTooLongError'
    this.responseBody = responseBody
  }
}

/**
 * The error with which a provider rejects `tokens` for a model with a limit of `limit` tokens.
 * `silent` names no numbers, as some providers don't.
 */
export function overflowError(
  voice: OverflowVoice,
  { tokens, limit }: { tokens: number; limit: number },
): PromptTooLongError {
  const { type, message, code } = words(voice, tokens, limit)
  return new PromptTooLongError(message, JSON.stringify({ error: { type, message, code } }))
}

function words(
  voice: OverflowVoice,
  tokens: number,
  limit: number,
): { type: string; message: string; code?: string } {
  switch (voice) {
    case 'anthropic':
      return {
        type: 'invalid_request_error',
        message: `prompt is too long: ${tokens} tokens > ${limit} maximum`,
      }
    case 'openai':
      return {
        type: 'invalid_request_error',
        code: 'context_length_exceeded',
        message: `This model's maximum context length is ${limit} tokens. However, your messages resulted in ${tokens} tokens. Please reduce the length of the messages.`,
      }
    case 'silent':
      return {
        type: 'invalid_request_error',
        message: 'Your input exceeds the context window of this model. Please adjust your input.',
      }
  }
}
