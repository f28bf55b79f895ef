import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  advanceCalibrations,
  calibrate,
  emptyCalibrations,
  learnedWindow,
  ratioOf,
  startingRatio,
} from './calibration.ts'
import { logFrom } from '../testing/generate/build.ts'
import type { EntryDraft } from '../log/entry.ts'
import { estimatedTokens, modelTokens } from './units.ts'

const learn = (previous: number, reading: { estimate: number; reported: number }): number =>
  calibrate(previous, {
    estimate: estimatedTokens(reading.estimate),
    reported: modelTokens(reading.reported),
  })

test('a reading moves the ratio a fifth of the way', () => {
  expect(learn(1, { estimate: 100_000, reported: 130_000 })).toBeCloseTo(1.06)
  expect(learn(1.3, { estimate: 1_000, reported: 1_300 })).toBeCloseTo(1.3)
})

test('the ratio converges on what the provider counts', () => {
  let ratio = 1
  for (let step = 0; step < 30; step++) ratio = learn(ratio, { estimate: 1_000, reported: 1_350 })
  expect(ratio).toBeCloseTo(1.35, 2)
})

test('an absurd usage changes nothing', () => {
  const absurd = [0, -5, Number.NaN, Number.POSITIVE_INFINITY, 4_001, 249]
  for (const reported of absurd) expect(learn(1.2, { estimate: 1_000, reported })).toBe(1.2)
  for (const estimate of [0, -1, Number.NaN, Number.POSITIVE_INFINITY]) {
    expect(learn(1.2, { estimate, reported: 1_000 })).toBe(1.2)
  }
})

test('the ratio stays within a half and two, whatever comes', () => {
  fc.assert(
    fc.property(fc.double(), fc.double(), fc.double(), (previous, estimate, reported) => {
      const ratio = learn(previous, { estimate, reported })
      expect(ratio).toBeGreaterThanOrEqual(0.5)
      expect(ratio).toBeLessThanOrEqual(2)
    }),
  )
})

test('Claude begins where its vocabulary is', () => {
  expect(startingRatio('claude-opus-4-5-20251101')).toBe(1.3)
  expect(startingRatio('us.anthropic.claude-sonnet-4-5-20250929-v1:0')).toBe(1.3)
  expect(startingRatio('gpt-5.4')).toBe(1)
  expect(startingRatio(undefined)).toBe(1)
})

test('an overflow without a number makes the window smaller until the next change of the view', () => {
  const refused: EntryDraft = {
    kind: 'observation',
    at: 0,
    observation: { type: 'limit', tokens: 50_000, assumed: true },
  }
  const pruned: EntryDraft = { kind: 'prune', at: 0, base: 1, replacements: [], metadata: {} }
  const after = (drafts: readonly EntryDraft[]): number =>
    learnedWindow(advanceCalibrations(emptyCalibrations(), logFrom(drafts)), {
      window: { context: 100_000 },
    }).context
  expect(after([refused])).toBe(50_000)
  expect(after([refused, pruned])).toBe(100_000)
})

test.each([0, -3, NaN, Infinity, 1e300, 1e-300])(
  'a log that teaches a ratio of %d shrinks and grows nothing beyond a half and two',
  (ratio) => {
    const log = logFrom([
      { kind: 'observation', at: 1, observation: { type: 'calibration', ratio } },
    ])
    const known = ratioOf(advanceCalibrations(emptyCalibrations(), log), undefined)
    expect(known).toBeGreaterThanOrEqual(0.5)
    expect(known).toBeLessThanOrEqual(2)
  },
)
