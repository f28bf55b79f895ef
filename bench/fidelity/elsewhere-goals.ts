import { percent } from './goals.ts'
import type { HarnessResult } from './elsewhere.ts'
import type { Result } from 'throughline/evaluation'

/** How far below the figures for Claude Code and Codex those for another harness may be. */
const allowance = 0.05

/**
 * Says for each harness whether it comes close to the results for Claude Code and Codex and, if
 * not, what would be reached otherwise.
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
  const why = ` (${reached(besideWords)} without the human’s last words; a bare list of names: ${reached(bare)})`
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
