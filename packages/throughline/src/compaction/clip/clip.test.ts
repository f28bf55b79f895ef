import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { runs } from '../../testing/generate/runs.ts'
import { estimateTokens } from '../../tokens/estimate.ts'
import { clipInput } from './clip-input.ts'
import { clipText, safeEnd } from './clip.ts'

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

  it('cuts at the ends of lines where they are near, and within a long line', () => {
    const lines = Array.from({ length: 400 }, (_, n) => `line ${n} of the log`)
    fc.assert(
      fc.property(fc.integer({ min: 200, max: 1_500 }), (budget) => {
        const clipped = clipText(lines.join('\n'), { budget, count: estimateTokens, note })
        for (const line of clipped.split('\n')) expect([note, ...lines]).toContain(line)
      }),
      runs(50),
    )
    const long = `first\n${'word '.repeat(4_000)}\nlast`
    const clipped = clipText(long, { budget: 400, count: estimateTokens, note })
    const [head = '', tail = ''] = clipped.split(note)
    expect(head.startsWith('first\nword')).toBe(true)
    expect(tail.endsWith('word \nlast')).toBe(true)
    // Neither is the smaller part of what there is room for.
    expect(estimateTokens(head)).toBeGreaterThan(100)
    expect(estimateTokens(tail)).toBeGreaterThan(100)
  })

  it('uses the room that it has', () => {
    fc.assert(
      fc.property(fc.integer({ min: 100, max: 2_000 }), (budget) => {
        const text = Array.from({ length: 3_000 }, (_, n) => `word${n}`).join(' ')
        const clipped = clipText(text, { budget, count: estimateTokens, note })
        expect(estimateTokens(clipped)).toBeGreaterThan(budget * 0.6)
      }),
      runs(50),
    )
  })

  it('ends a text before a character that it would cut in two, and never later', () => {
    for (const sign of ['🙂', '🏿', '\u{10000}']) {
      expect([0, 1, 2, 3, 4].map((end) => safeEnd(sign.repeat(2), end))).toEqual([0, 0, 2, 2, 4])
    }
    expect(safeEnd('a\ue000b', 1)).toBe(1)
    expect(safeEnd('near the \nend', 11)).toBe(9)
    expect(safeEnd('far\nfrom it', 11)).toBe(11)
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

  it('leaves an input that has no long text the same, and all that lies too deep in it', () => {
    const nested = (levels: number): unknown =>
      Array.from({ length: levels }).reduce<unknown>((inner) => ({ inner }), 'x '.repeat(2_000))
    const clip = (input: unknown): unknown =>
      clipInput(input, { leaf: 60, count: estimateTokens, ref: '7.0' })
    for (const input of [{ a: 'short', list: [1, null, ['b']] }, [], null, 3, nested(9)]) {
      expect(clip(input)).toBe(input)
    }
    expect(JSON.stringify(clip(nested(8))).length).toBeLessThan(500)
    expect(JSON.stringify(clip([['x '.repeat(2_000)]])).length).toBeLessThan(500)
    const hostile = nested(50_000)
    expect(clip(hostile)).toBe(hostile)
  })
})
