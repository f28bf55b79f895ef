import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { searchText, searchWords, wordPositions } from './search-words.ts'
import type { AssistantMessage, Part } from '../../log/message.ts'

const signs = ['a', 'Z', '7', ' ', '\n', '.', '_', 'é', 'e\u0301', '™', '½', 'ﬁ', '数', 'が', 'か\u3099', 'ｶ', '㌔', 'ไ', '\u0e31', '…', '👍', '\ud800'] // prettier-ignore

function wordsOf(part: Part): string[] {
  const message = { role: 'assistant', content: [part] } as AssistantMessage
  return searchWords(searchText({ kind: 'message', at: 0, seq: 1, origin: 'model', message }))
}

describe('the words of a search', () => {
  test('are found where they stand', () => {
    const text = 'one Zwei, café 数据 e\u0301t'
    const positions = [...wordPositions(text)]
    expect(positions.map(({ word }) => word)).toEqual(['one', 'zwei', 'cafe', '数', '据', 'et'])
    expect(positions.map(({ at }) => text.slice(at, at + 1))).toEqual([
      'o',
      'Z',
      'c',
      '数',
      '据',
      'e',
    ])
  })

  test('are the same with their positions and without', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...signs)), (picked) => {
        const text = picked.join('')
        expect([...wordPositions(text)].map(({ word }) => word)).toEqual(searchWords(text))
      }),
    )
  })

  test('are letters and digits of the whole text without its marks', () => {
    const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/gu
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...signs)), (picked) => {
        const text = picked.join('')
        const letters = text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
        const words = letters.replace(unspaced, ' $& ').match(/[\p{L}\p{N}]+/gu) ?? []
        expect(searchWords(text)).toEqual(words)
      }),
    )
  })

  test('are whole at the beginning of a line, in whatever they stand', () => {
    const written = 'import a\nconst b\n\treturn c'
    const call = { type: 'tool-call', toolCallId: 'c', toolName: 'write' } as const
    const result = { type: 'tool-result', toolCallId: 'c', toolName: 'run' } as const
    const parts: Part[] = [
      { ...call, input: { content: written } },
      { ...call, input: { edits: [{ new_string: written }] } },
      { ...result, output: { type: 'json', value: { stdout: written } } },
      { ...result, output: { type: 'json', value: [{ lines: [written] }] } },
      { ...result, output: { type: 'text', value: `import a\n\x1b[1mconst\x1b[0m b\n\treturn c` } },
    ]
    for (const part of parts) {
      expect(wordsOf(part)).toEqual(expect.arrayContaining(['const', 'return']))
    }
  })
})
