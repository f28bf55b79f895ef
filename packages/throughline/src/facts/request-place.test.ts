import { describe, expect, it } from 'vitest'
import { beginsHere, clippedBelow } from './request-place.ts'
import { isLocalSummary } from './summary/local-summary.ts'
import { withoutRepeats } from '../compaction/summary/models-words.ts'
import { emptyFacts } from './facts-of.ts'

describe('what stands behind the ref of the latest request', () => {
  // The third is what earlier versions wrote.
  it.each(['', beginsHere, clippedBelow, ', in full below'])(
    'is known when it comes back: “%s”',
    (place) => {
      const quoted = '> Fix the lexer …'
      expect(
        isLocalSummary(
          `## Goal\nThe latest request [3]${place}:\n${quoted}\n\n## Instructions\n(none)`,
        ),
      ).toBe(true)
      const goal = `Fix it.\nLatest request [3]${place}:\n${quoted}`
      expect(withoutRepeats(goal, 'Goal', emptyFacts())).toBe('Fix it.')
    },
  )
})
