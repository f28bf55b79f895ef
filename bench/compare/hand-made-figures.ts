import type { Result } from 'throughline/evaluation'
import type { Asked, Figures } from './figures.ts'

/** Figures with known answers, for the tests of the report. */
export function figuresOf(contested: Figures['contested'], fields: Partial<Figures> = {}): Figures {
  return {
    sessions: { source: 'corpus', count: 1 },
    window: 64_000,
    recorded: [],
    harnesses: [],
    contested,
    growth: [],
    ...fields,
  }
}

/** Someone whose forward need is this at 8k, and nothing else is wrong. */
export function askedWith(id: string, share: number, fields: Partial<Asked> = {}): Asked {
  return {
    id,
    name: id,
    atCuts: [resultWith(id, share)],
    facts: [],
    lives: [],
    recordedAnswers: 0,
    ...fields,
  }
}

export function resultWith(compactor: string, share: number, fields: Partial<Result> = {}): Result {
  return {
    compactor,
    keep: 8_000,
    forwardNeed: { mean: share, worst: undefined, cuts: 1, repositories: 1 },
    kept: { mean: 7_000, most: 7_900 },
    over: 0,
    trail: { changed: 2, right: 2, missed: [] },
    invented: [],
    orphans: 0,
    human: { said: 4, held: 4 },
    reReads: { again: 0, spared: 0 },
    ...fields,
  }
}

/** A peer's own particulars. */
export const about = {
  name: 'other',
  package: 'other-package',
  version: '1.2.3',
  work: 'trims',
  settings: 'as it comes',
} as const
