import fc from 'fast-check'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { compileErrors } from '../testing/compile-errors.ts'
import { runs } from '../testing/generate/runs.ts'
import { estimatedTokens, modelTokens, toEstimated, toFree, toModel } from './units.ts'

const tokens = fc.integer({ min: 0, max: 2_000_000 })
const ratio = fc.double({ min: 0.5, max: 3, noNaN: true })

describe('the two units of tokens', () => {
  it('cannot be mixed: every way to do so does not compile', () => {
    const folder = fileURLToPath(new URL('does-not-compile', import.meta.url))
    const { asked, found } = compileErrors(folder, 'mixed-units.ts')
    expect(asked.length).toBeGreaterThan(10)
    expect(found).toEqual(asked)
  })

  it('what is estimated for a room in tokens of the model never is more than that room', () => {
    fc.assert(
      fc.property(tokens, ratio, (room, times) => {
        const own = toEstimated(modelTokens(room), times)
        expect(toModel(own, times)).toBeLessThanOrEqual(room)
        expect(toModel(estimatedTokens(own + 1), times)).toBeGreaterThan(room)
      }),
      runs(2_000),
    )
    // 170 × 1.1 is 187.00000000000003.
    expect(toModel(toEstimated(modelTokens(187), 1.1), 1.1)).toBeLessThanOrEqual(187)
    expect(toModel(toEstimated(modelTokens(2_033), 1.07), 1.07)).toBeLessThanOrEqual(2_033)
  })

  it('what has to be freed is freed', () => {
    fc.assert(
      fc.property(tokens, ratio, (room, times) => {
        const own = toFree(modelTokens(room), times)
        expect(own * times).toBeGreaterThanOrEqual(room * (1 - 1e-12))
      }),
      runs(500),
    )
  })

  it('are the same at a ratio of 1', () => {
    fc.assert(
      fc.property(tokens, (count) => {
        expect(toModel(estimatedTokens(count), 1)).toBe(count)
        expect(toEstimated(modelTokens(count), 1)).toBe(count)
      }),
      runs(100),
    )
  })
})
