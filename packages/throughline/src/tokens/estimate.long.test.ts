import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { kindsOfText } from '../../../../bench/tokens/kinds.ts'
import { gptTokenCounter } from '../integrations/gpt-tokenizer/index.ts'
import { estimateTokens } from './estimate.ts'
import { expectLinear } from '../testing/growth.ts'
import type { CountTokens } from './message-tokens.ts'

const anyText = fc.string({ unit: 'binary', maxLength: 200 })

describe('an estimate', () => {
  test('is nothing for nothing, and at least one token for anything else', () => {
    expect(estimateTokens('')).toBe(0)
    fc.assert(
      fc.property(anyText, (text) => {
        const tokens = estimateTokens(text)
        expect(Number.isSafeInteger(tokens)).toBe(true)
        expect(tokens).toBeGreaterThanOrEqual(text === '' ? 0 : 1)
      }),
    )
  })

  test('of two texts together is that of both, within four tokens', () => {
    fc.assert(
      fc.property(anyText, anyText, (a, b) => {
        const together = estimateTokens(a + b)
        expect(Math.abs(together - estimateTokens(a) - estimateTokens(b))).toBeLessThanOrEqual(4)
      }),
    )
    const digits = '0123456789'.repeat(100)
    const whole = estimateTokens(digits)
    for (let cut = 0; cut < digits.length; cut += 7) {
      const parts = estimateTokens(digits.slice(0, cut)) + estimateTokens(digits.slice(cut))
      expect(Math.abs(whole - parts)).toBeLessThanOrEqual(4)
    }
  })

  test('takes any string, lone surrogates included', () => {
    for (const text of ['\ud83d', '\udc4b\ud83d', '\u0000', '\uffff', 'a\ud800b']) {
      expect(estimateTokens(text)).toBeGreaterThanOrEqual(1)
    }
  })

  test('says what its documentation says', () => {
    expect(estimateTokens('The quick brown fox jumps over the lazy dog.')).toBe(11)
  })
})

describe('a megabyte', () => {
  const characters = [
    'a',
    'Z',
    ' ',
    '\n',
    '\t',
    '=',
    '7',
    'é',
    'ế',
    'ж',
    '中',
    'あ',
    '한',
    '👋',
    '\ud83d',
  ]
  test.each(characters)('of %j takes work in proportion', async (character) => {
    const text = character.repeat(1_000_000 / character.length)
    const tokens = estimateTokens(text)
    const estimating = (length: number) => () => estimateTokens(text.slice(0, length))
    await expectLinear(estimating, { small: 50_000, large: text.length })
    expect(tokens).toBeGreaterThan(1_000)
    expect(tokens).toBeLessThanOrEqual(1_000_000)
  })
})

describe('against o200k_base, an estimate', () => {
  const kinds = kindsOfText()
  let count: CountTokens
  beforeAll(async () => {
    count = await gptTokenCounter('o200k_base')
  })

  test.each(kinds)('of $name is within 0.88 and 1.13', ({ text }) => {
    const part = text.slice(0, 300_000)
    const bias = estimateTokens(part) / count(part)
    expect(bias).toBeGreaterThan(0.88)
    expect(bias).toBeLessThan(1.13)
  })

  const lists = ['paths', 'identifiers', 'paths with identifiers', 'stack traces', 'logs']
  test.each(lists)('of a list of %s is off by no more than a twentieth', (name) => {
    const text = kinds.find((kind) => kind.name === name)?.text ?? ''
    const bias = estimateTokens(text) / count(text)
    expect(Math.abs(bias - 1)).toBeLessThan(0.05)
  })

  test('is nearer than characters / 4 wherever the two differ much', () => {
    for (const { text } of kinds) {
      const part = text.slice(0, 100_000)
      const tokens = count(part)
      const quarter = Math.abs(part.length / 4 / tokens - 1)
      if (quarter > 0.2) expect(Math.abs(estimateTokens(part) / tokens - 1)).toBeLessThan(quarter)
    }
  })
})
