import { describe, expect, it } from 'vitest'
import { overflowOf, overflowWords } from './overflow.ts'
import { others } from '../../testing/other-errors.ts'

/** The number in a message that a reader would take for the limit: what stands in the group. */
function limitIn({ message, pattern }: (typeof overflowWords)[number]): number | undefined {
  const limit = /"n_ctx":(\d+)/.exec(message)?.[1] ?? pattern.exec(message)?.groups?.['limit']
  return limit === undefined ? undefined : Number(limit.replace(/[,.]/g, ''))
}

describe('every line of the tables', () => {
  it.each(overflowWords)('is found in what $provider says: $message', (words) => {
    const overflow = overflowOf(new Error(words.message))
    expect(overflow).toMatchObject({ unit: words.unit ?? 'tokens' })
    const limit = limitIn(words)
    if (limit !== undefined) expect(overflow?.limit).toBe(limit)
    expect(words.source).toMatch(/^https:\/\/\S+$/)
  })

  it.each(overflowWords)('finds its own words, and nothing in an empty text: $pattern', (words) => {
    const own = words.message.replace(/"n_ctx":(\d+)/, 'n_ctx: $1')
    expect(words.pattern.test(own)).toBe(true)
    expect(words.pattern.test('')).toBe(false)
  })

  it.each(overflowWords)('names a limit that is believable: $message', (words) => {
    const { limit } = overflowOf(new Error(words.message)) ?? {}
    if (limit !== undefined) expect(limit).toBeGreaterThanOrEqual(1_000)
  })
})

describe('words that no table has', () => {
  it.each([
    'Request input tokens exceed model token limit. Reduce the input size.',
    'Input is longer than the model context length.',
    'Your request exceeded the maximum context.',
    'The conversation is too long for the context window of this model.',
    'tokens_limit_reached',
    'error: prompt_too_long',
    'context window full',
    'The model’s context window was exceeded',
  ])('say that a context is too long: %s', (message) => {
    expect(overflowOf(new Error(message))).toEqual({ unit: 'tokens' })
    expect(overflowOf({ statusCode: 422, message })).toEqual({ unit: 'tokens' })
  })

  it.each([401, 404, 429, 500, 503])('are not believed of the status %d', (statusCode) => {
    const message = 'Input is longer than the model context length.'
    expect(overflowOf({ statusCode, message })).toBeUndefined()
  })
})

describe('what is no overflow', () => {
  it.each(others)('is $what', ({ error }) => {
    expect(overflowOf(error)).toBeUndefined()
  })

  it.each([undefined, null, 0, 413, true, Symbol('overflow'), () => {}, {}, [], ''])(
    'is %s',
    (value) => {
      expect(overflowOf(value)).toBeUndefined()
    },
  )
})

describe('a limit', () => {
  it.each([
    ['prompt is too long: 208,310 tokens > 200,000 maximum', 200_000],
    ['exceeds the maximum number of tokens allowed (1.048.576).', undefined],
    [
      'The input token count (1.200.000) exceeds the maximum number of tokens allowed (1.048.576).',
      1_048_576,
    ],
    ["This model's maximum context length is 128000. However, …", 128_000],
  ])('is read with its separators: %s', (message, limit) => {
    expect(overflowOf(new Error(message))?.limit).toBe(limit)
  })

  it('is the one that is named, whichever of several words comes first', () => {
    const body = {
      code: 'context_length_exceeded',
      message: 'maximum context length is 4096 tokens',
    }
    expect(overflowOf({ error: body })).toEqual({ limit: 4096, unit: 'tokens' })
  })
})
