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
