import { percent } from './goals.ts'
import type { HarnessResult } from './elsewhere.ts'
import type { Result } from 'throughline/evaluation'

/** So far below the figures for Claude Code and Codex may those for another harness be. */
const allowance = 0.05

/**
 * Says in words of each harness whether it comes near what is reached for Claude Code and Codex,
 * and where it does not, what would be reached otherwise.
 */
export function elsewhereLines(
  measured: readonly HarnessResult[],
  own: readonly Result[],
): string[] {
  return measured.flatMap(({ harness, sessions, results, besideWords, bare }) => {
    if (results.length === 0) return [`${harness}: ${sessions} too short to be cut`]
    return results.flatMap((result, index) => {
      const goal = own.find(({ keep }) => keep === result.keep)
      const others = { besideWords: besideWords[index], bare: bare[index] }
      return goal ? [lineFor(harness, result, { goal, ...others })] : []
    })
  })
}

function lineFor(
  harness: string,
  { keep, forwardNeed, trail }: Result,
  {
    goal,
    besideWords,
    bare,
  }: { goal: Result } & Record<'besideWords' | 'bare', Result | undefined>,
): string {
  const need = forwardNeed.mean
  const needGoal = goal.forwardNeed.mean - allowance
  const reached = (other: Result | undefined): string => percent(other?.forwardNeed.mean ?? 0)
  const why = ` (${reached(besideWords)} beside what the human said last; a bare list of names: ${reached(bare)})`
  const needText =
    forwardNeed.cuts === 0
      ? 'forward need: no cut with ten or more needed'
      : `forward need ${percent(need)}, goal ${percent(needGoal)}: ${need >= needGoal ? 'met' : `MISSED${why}`}`
  const share = shareOf(trail)
  const shareGoal = shareOf(goal.trail) - allowance
  const shareText = `artifact trail ${trail.right} of ${trail.changed}, goal ${percent(shareGoal)}: ${share >= shareGoal ? 'met' : 'MISSED'}`
  const missed = trail.missed.length > 0 ? ` (${trail.missed.slice(0, 3).join(', ')})` : ''
  return `${harness} at ${keep / 1_000}k: ${needText}; ${shareText}${missed}`
}

function shareOf({ right, changed }: Result['trail']): number {
  return changed === 0 ? 1 : right / changed
}
