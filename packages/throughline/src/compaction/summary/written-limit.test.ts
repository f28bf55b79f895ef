import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { estimateTokens as count } from '../../tokens/estimate.ts'
import { estimatedTokens } from '../../tokens/units.ts'
import { writtenLimit } from './written-limit.ts'

const limit = estimatedTokens(3_000)
const english = 'The parser takes empty input now, since the lexer yields an end token. '.repeat(60)
const names = '- `packages/throughline/src/compaction/summary/repair.ts`: repairSummary()\n'.repeat(
  60,
)
const chinese = '解析器现在接受空输入,因为词法分析器会产生一个结束标记。'.repeat(60)

describe('the limit that a model is told', () => {
  it('is in words as dense as summaries are, where nothing was measured', () => {
    expect(writtenLimit(limit, { count, said: [] })).toEqual({
      tokens: 3_000,
      about: { amount: 1_300, of: 'words' },
    })
  })

  it('has fewer words where the summary before is full of names', () => {
    const plain = writtenLimit(limit, { count, said: [english] }).about.amount
    const dense = writtenLimit(limit, { count, said: [english], previous: names }).about.amount
    expect(dense).toBeLessThan(plain * 0.6)
  })

  it('is in characters where words have no spaces between them', () => {
    expect(writtenLimit(limit, { count, said: [chinese] }).about.of).toBe('characters')
  })

  it('never asks for more words than the room holds', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 20_000 }), fc.array(fc.string()), (tokens, said) => {
        const { about } = writtenLimit(estimatedTokens(tokens), { count, said })
        if (about.of === 'words') expect(about.amount).toBeLessThanOrEqual(tokens / 2)
      }),
    )
  })
})
