import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import { describe, expect, test, vi } from 'vitest'
import { prose } from '../../../../../bench/tokens/prose.ts'
import { expectLinear } from '../../testing/growth.ts'
import { gptTokenCounter, pieceEnd } from './gpt-token-counter.ts'

const count = await gptTokenCounter()

describe('the exact counter', () => {
  test('counts as the tokenizer does', () => {
    expect(count('')).toBe(0)
    expect(count('hello world')).toBe(2)
    for (const text of Object.values(prose)) expect(count(text)).toBe(countTokens(text))
  })

  test('loses no more than 0.02% of a long real text to its pieces', () => {
    for (const name of [
      'package-lock.json',
      'node_modules/zod/README.md',
      'node_modules/vite/LICENSE.md',
    ]) {
      const text = readFileSync(new URL(`../../../../../${name}`, import.meta.url), 'utf8')
      const exact = countTokens(text, { disallowedSpecial: new Set() })
      const most = Math.max(1, exact * 0.0002)
      expect(Math.abs(count(text) - exact), name).toBeLessThanOrEqual(most)
    }
  })

  test('takes special tokens as the text they are', () => {
    expect(count('<|endoftext|>')).toBeGreaterThan(1)
    expect(count('a <|endofprompt|> b <|im_start|>')).toBeGreaterThan(8)
  })

  test('takes any string, lone surrogates included', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(count(text)).toBeGreaterThanOrEqual(text === '' ? 0 : 1)
      }),
    )
  })

  test.each(['a', ' ', '\n', '中', '👋'])(
    'counts a long run of %j in linear work',
    async (character) => {
      // The tokenizer alone takes minutes for the long one.
      const counting = (length: number) => () => {
        expect(count(character.repeat(length / character.length))).toBeGreaterThan(10)
      }
      await expectLinear(counting, { small: 10_000, large: 100_000 })
    },
  )

  test('knows the older vocabulary too', async () => {
    const older = await gptTokenCounter('cl100k_base')
    expect(older(prose['vietnamese'] ?? '')).toBeGreaterThan(count(prose['vietnamese'] ?? ''))
  })
})

describe('a piece', () => {
  test('ends behind a newline, else before a space, else between two characters', () => {
    const line = `${'word '.repeat(300)}\n`
    expect(pieceEnd(line.repeat(3), 0)).toBe(line.length)
    expect(pieceEnd('word '.repeat(1_000), 0)).toBe(1_999)
    expect(pieceEnd('a'.repeat(5_000), 0)).toBe(2_000)
    expect(pieceEnd(`a${'👋'.repeat(2_000)}`, 0)).toBe(1_999)
  })

  test('is never empty and never long, and all together are the text', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom(' ', '\n', 'a', '👋', 'word'), maxLength: 9_000 }),
        (text) => {
          let from = 0
          while (from < text.length) {
            const to = pieceEnd(text, from)
            expect(to).toBeGreaterThan(from)
            expect(to - from).toBeLessThanOrEqual(2_000)
            from = to
          }
          expect(from).toBe(text.length)
        },
      ),
    )
  })
})

test('without the package, the error says what to install', async () => {
  vi.doMock('gpt-tokenizer/encoding/cl100k_base', () => {
    throw new Error('Cannot find package')
  })
  vi.resetModules()
  const fresh = await import('./index.ts')
  await expect(fresh.gptTokenCounter('cl100k_base')).rejects.toMatchObject({
    code: 'MISSING_TOKENIZER',
    encoding: 'cl100k_base',
    message: expect.stringContaining('npm install gpt-tokenizer'),
  })
  vi.doUnmock('gpt-tokenizer/encoding/cl100k_base')
})
