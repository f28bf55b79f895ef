import { describe, expect, it } from 'vitest'
import { others } from '../../testing/other-errors.ts'
import { overflowOf, overflowWords, reasoningRefusalOf, reasoningWords } from './overflow.ts'

describe('a refusal of reasoning', () => {
  it.each(reasoningWords)('is found in what $provider says: $message', (words) => {
    expect(reasoningRefusalOf(new Error(words.message))).toBe(words.says)
    const body = JSON.stringify({ error: { message: words.message } })
    expect(reasoningRefusalOf({ statusCode: 400, responseBody: body })).toBe(words.says)
    expect(overflowOf(new Error(words.message))).toBeUndefined()
    expect(words.pattern.test('')).toBe(false)
    expect(words.source).toMatch(/^https:\/\/\S+$/)
  })

  it.each(others)('is not $what', ({ error }) => {
    expect(reasoningRefusalOf(error)).toBeUndefined()
  })

  it.each(overflowWords)('is no overflow: $message', ({ message }) => {
    expect(reasoningRefusalOf(new Error(message))).toBeUndefined()
  })
})
