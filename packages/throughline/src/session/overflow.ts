/** A provider's own words for "the context is too long". */
interface OverflowWords {
  provider: string
  /** Matched against the error's message and body. The first group, if any, is the limit. */
  pattern: RegExp
}

// One line a provider, with the message that it really sends.
const table: readonly OverflowWords[] = [
  // prompt is too long: 208310 tokens > 200000 maximum
  { provider: 'anthropic', pattern: /prompt is too long(?:: \d+ tokens > (\d+) maximum)?/i },
  // input length and `max_tokens` exceed context limit: 196304 + 21333 > 200000, …
  { provider: 'anthropic', pattern: /exceed context limit: \d+ \+ \d+ > (\d+)/i },
  // This model's maximum context length is 128000 tokens. However, your messages resulted in …
  { provider: 'openai', pattern: /maximum context length is (\d+) tokens/i },
  // Your input exceeds the context window of this model.
  { provider: 'openai-responses', pattern: /exceeds the context window/i },
  { provider: 'openai', pattern: /context_length_exceeded/i },
  // The input token count (1200001) exceeds the maximum number of tokens allowed (1048576).
  { provider: 'google', pattern: /exceeds the maximum number of tokens allowed(?: \((\d+)\))?/i },
  // Input is too long for requested model.
  { provider: 'bedrock', pattern: /input is too long for requested model/i },
  // This model's maximum prompt length is 131072 but the request contains 537812 tokens.
  { provider: 'xai', pattern: /maximum prompt length is (\d+)/i },
  // the request exceeds the available context size (4096 tokens), try increasing it
  { provider: 'llama.cpp', pattern: /exceeds the available context size(?: \((\d+) tokens\))?/i },
]

/** What a provider's error says of the context; `undefined` if it speaks of something else. */
export function overflowOf(error: unknown): { limit?: number } | undefined {
  if (typeof error !== 'object' || error === null) return undefined
  const status = 'statusCode' in error ? error.statusCode : undefined
  if (status === 401 || status === 403 || status === 429) return undefined
  const text = wordsOf(error)
  for (const { pattern } of table) {
    const match = pattern.exec(text)
    if (!match) continue
    const limit = Number(match[1])
    return limit > 0 ? { limit } : {}
  }
  return status === 413 ? {} : undefined
}

// An error's body may hold the whole request again.
const longestBody = 10_000

function wordsOf(error: object): string {
  const fields = ['message', 'responseBody', 'code'].map((field) =>
    field in error ? String((error as Record<string, unknown>)[field]).slice(0, longestBody) : '',
  )
  const cause = 'cause' in error && typeof error.cause === 'object' ? error.cause : undefined
  const inner = cause && 'message' in cause ? String(cause.message).slice(0, longestBody) : ''
  return [...fields, inner].join('\n')
}
