/** An error of a provider or a package that isn't about the window. */
export interface OtherError {
  what: string
  error: unknown
}

/** An HTTP error with its body, as packages throw it. */
function refused(status: number, error: Readonly<Record<string, unknown>>): unknown {
  const body = { error }
  return Object.assign(new Error(`${status} ${JSON.stringify(body)}`), {
    status,
    statusCode: status,
    error,
    responseBody: JSON.stringify(body),
  })
}

/** Errors that must never be mistaken for an overflow; each is a message that was really sent. */
export const others: readonly OtherError[] = [
  {
    what: 'Groq’s limit of tokens a minute, which comes as 413',
    // https://github.com/assafelovic/gpt-researcher/issues/985
    error: refused(413, {
      message:
        'Request too large for model `llama-3.1-70b-versatile` in organization `org_1` on tokens per minute (TPM): Limit 6000, Requested 14368, please reduce your message size and try again.',
      type: 'tokens',
      code: 'rate_limit_exceeded',
    }),
  },
  {
    what: 'OpenAI’s limit of tokens a minute',
    // https://github.com/vanna-ai/vanna-flask/issues/11
    error: refused(429, {
      message:
        'Request too large for gpt-4o on tokens per min (TPM): Limit 30000, Requested 342389. The input or output tokens must be reduced in order to run successfully.',
      code: 'rate_limit_exceeded',
    }),
  },
  {
    what: 'Anthropic’s limit of input tokens a minute, without its status',
    // https://github.com/BoltAI/BoltAI/issues/338
    error: new Error(
      'This request would exceed the rate limit for your organization of 40,000 input tokens per minute. Please reduce the prompt length or the maximum tokens requested, or try again later.',
    ),
  },
  {
    what: 'Bedrock’s throttling',
    // https://github.com/anthropics/claude-code/issues/1466
    error: new Error('ThrottlingException: Too many tokens, please wait before trying again.'),
  },
  {
    what: 'any words at all with the status 429',
    error: refused(429, { message: 'prompt is too long: 9000 tokens > 8000 maximum' }),
  },
  {
    what: 'OpenRouter’s want of credit for so long an answer',
    // https://github.com/can1357/oh-my-pi/issues/9569
    error: refused(402, {
      message:
        'This request requires more credits, or fewer max_tokens. You requested up to 65536 tokens, but can only afford 1000.',
    }),
  },
  {
    what: 'a key that is not known',
    error: refused(401, { type: 'authentication_error', message: 'invalid x-api-key' }),
  },
  {
    what: 'Anthropic’s limit of an answer',
    // https://github.com/anthropics/claude-code/issues/24451
    error: refused(400, {
      type: 'invalid_request_error',
      message:
        'max_tokens: 128001 > 64000, which is the maximum allowed number of output tokens for claude-opus-4-5-20251101',
    }),
  },
  {
    what: 'OpenAI’s limit of an answer',
    // https://github.com/tailcallhq/forgecode/issues/1185
    error: refused(400, {
      message:
        'max_tokens is too large: 20480. This model supports at most 16384 completion tokens, whereas you provided 20480.',
      param: 'max_tokens',
      code: 'invalid_value',
    }),
  },
  {
    what: 'Bedrock’s limit of an answer',
    // https://github.com/sigoden/aichat/pull/813
    error: new Error(
      'The maximum tokens you requested exceeds the model limit of 4096. Try again with a maximum tokens value that is lower than 4096.',
    ),
  },
  {
    what: 'an answer that may be as long as the window, at OpenRouter',
    // https://github.com/OpenHands/OpenHands/issues/9937
    error: refused(400, {
      message:
        "This endpoint's maximum context length is 131072 tokens. However, you requested about 138956 tokens (7884 of text input, 131072 in the output). Please reduce the length of either one.",
    }),
  },
  {
    what: 'an answer that may be longer than the window, at Azure',
    // https://github.com/Azure/azure-sdk-for-python/issues/40986
    error: refused(400, {
      code: 'context_length_exceeded',
      message:
        "This model's maximum context length is 128000 tokens. However, you requested 1124171 tokens (124171 in the messages, 1000000 in the completion). Please reduce the length of the messages or completion.",
    }),
  },
  {
    what: 'an answer that may be as long as the window, at vLLM',
    // https://github.com/vllm-project/vllm/blob/v0.11.0/vllm/entrypoints/openai/serving_engine.py
    error: refused(400, {
      message:
        "'max_tokens' or 'max_completion_tokens' is too large: 100000. This model's maximum context length is 8192 tokens and your request has 50 input tokens (100000 > 8192 - 50).",
    }),
  },
  {
    what: 'Cohere’s limit of an answer',
    // https://docs.cohere.com/reference/errors
    error: refused(400, {
      message:
        'too many tokens: max tokens must be less than or equal to 4096, the limit of context length.',
    }),
  },
  {
    what: 'Gemini’s limit of an answer',
    error: refused(400, {
      message:
        'Unable to submit request because it has a maxOutputTokens value of 100000 but the supported range is from 1 (inclusive) to 8193 (exclusive).',
    }),
  },
  {
    what: 'Groq’s limit of an answer',
    // https://github.com/skapadia3214/groq-moa/issues/8
    error: refused(400, {
      message: 'max_tokens for `llama-3.1-8b-instant` must be less than or equal to 8000',
      type: 'invalid_request_error',
    }),
  },
  {
    what: 'Cloudflare’s limit of an answer',
    // https://github.com/anomalyco/models.dev/pull/4422
    error: refused(400, {
      message:
        'max_completion_tokens is too large: 262144. This model supports at most 256000 completion tokens.',
    }),
  },
  {
    what: 'an id that is too long, at OpenAI',
    // https://github.com/openai/codex/issues/39133
    error: refused(400, {
      message:
        "Invalid 'input[1943].id': string too long. Expected a string with maximum length 64, but got a string with length 74 instead.",
      code: 'string_above_max_length',
    }),
  },
  {
    what: 'a description that is too long, at Bedrock',
    error: refused(400, {
      message:
        'Malformed input request: expected maxLength: 64, actual: 80, please reformat your input and try again.',
    }),
  },
  {
    what: 'a picture that is too large, at Anthropic',
    error: refused(400, {
      message:
        'messages.5.content.0.image.source.base64: image exceeds 5 MB maximum: 6000000 bytes > 5242880 bytes',
    }),
  },
  {
    what: 'Azure’s content filter',
    error: refused(400, {
      code: 'content_filter',
      message:
        "The response was filtered due to the prompt triggering Azure OpenAI's content management policy.",
      innererror: { code: 'ResponsibleAIPolicyViolation' },
    }),
  },
  {
    what: 'a server that is too busy',
    error: refused(529, { type: 'overloaded_error', message: 'Overloaded' }),
  },
  { what: 'a server that failed', error: refused(500, { message: 'Internal server error' }) },
  {
    what: 'a cut connection',
    error: new TypeError('terminated', { cause: new Error('ECONNRESET') }),
  },
  {
    what: 'the text of a tool that an error quotes',
    error: refused(400, {
      message:
        'messages.7.content.0: invalid value "prompt is too long: 208310 tokens > 200000 maximum"',
    }),
  },
  {
    what: 'the text of a tool in backticks, and context_length_exceeded in what was sent',
    error: {
      message: 'Unexpected item `output: maximum context length is 4096 tokens` at input[3]',
      statusCode: 400,
      requestBodyValues: { input: [{ output: '{"code":"context_length_exceeded"}' }] },
    },
  },
]
