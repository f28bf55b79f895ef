import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { runs } from '../../testing/generate/runs.ts'
import { estimateTokens } from '../../tokens/estimate.ts'
import { clipInput } from './clip-input.ts'
import { clipText } from './clip.ts'

const note = '[… left out here; the whole is ref 7.0 …]'
const arbitraryText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 4_000 }),
  fc
    .tuple(fc.constantFrom('word ', '漢字', '🙂', '\n', 'a', 'line of text\n'), fc.nat(3_000))
    .map(([piece, times]) => piece.repeat(times)),
)

describe('clipping', () => {
  it('keeps to the budget, or leaves nothing but its note', () => {
    fc.assert(
      fc.property(arbitraryText, fc.nat(600), (text, budget) => {
        const clipped = clipText(text, { budget, count: estimateTokens, note })
        if (clipped !== note) expect(estimateTokens(clipped)).toBeLessThanOrEqual(budget)
      }),
      runs(200),
    )
  })

  it('returns a text that fits as it is', () => {
    fc.assert(
      fc.property(arbitraryText, (text) => {
        expect(clipText(text, { budget: estimateTokens(text), count: estimateTokens, note })).toBe(
          text,
        )
      }),
      runs(50),
    )
  })

  it('never cuts an emoji in two', () => {
    fc.assert(
      fc.property(fc.integer({ min: 100, max: 2_000 }), fc.nat(400), (times, budget) => {
        const clipped = clipText('🙂'.repeat(times), { budget, count: estimateTokens, note })
        expect(clipped.isWellFormed()).toBe(true)
      }),
      runs(100),
    )
  })

  it('keeps beginning, end, and the lines that speak of errors', () => {
    const lines = Array.from({ length: 400 }, (_, n) =>
      n === 200 ? 'TypeError: no such thing' : `line ${n}`,
    )
    const clipped = clipText(lines.join('\n'), { budget: 150, count: estimateTokens, note })
    expect(clipped).toContain('line 0\n')
    expect(clipped).toContain('line 399')
    expect(clipped).toContain('TypeError: no such thing')
    expect(clipped).toContain(note)
  })

  it('clips the long texts inside an input and keeps its shape', () => {
    const input = { file_path: 'src/a.ts', edits: [{ new_string: 'x '.repeat(2_000) }], count: 3 }
    const clipped = clipInput(input, { leaf: 60, count: estimateTokens, ref: '7.0' })
    expect(clipped).toMatchObject({ file_path: 'src/a.ts', count: 3 })
    expect(JSON.stringify(clipped).length).toBeLessThan(500)
    expect(clipInput({ a: 'short' }, { leaf: 60, count: estimateTokens, ref: '7.0' })).toEqual({
      a: 'short',
    })
  })
})
