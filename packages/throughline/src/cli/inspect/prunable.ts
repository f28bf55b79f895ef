import { pruneCandidates } from '../../compaction/prune/prune.ts'
import { staleRefs } from '../../compaction/prune/stale.ts'
import { scale, type Counter } from '../../compaction/plan/measure.ts'
import type { Policy } from '../../compaction/policy.ts'
import type { Context } from '../../log/context.ts'
import type { Unit } from '../../log/steps.ts'

/** What pruning could free, in tokens. */
export interface Prunable {
  tokens: number
  /** Outputs and inputs of calls that would be pruned or clipped. */
  parts: number
  /** Of the tokens, those of outputs that a later read or edit made stale. */
  stale: number
}

export function prunableOf(
  units: readonly Unit[],
  context: Context,
  policy: Policy,
  { usable, counter }: { usable: number; counter: Counter },
): Prunable {
  const candidates = pruneCandidates({
    units,
    need: Infinity,
    recent: policy.recent(usable),
    recentSteps: policy.recentSteps,
    tailTurns: policy.tailTurns,
    protectedTools: policy.protectedTools,
    pinned: new Set([...context.pins.values()].flatMap(({ ref }) => (ref ? [ref] : []))),
    stale: staleRefs(units, policy.lenses),
    counter,
  })
  const sum = (of: typeof candidates): number =>
    scale(
      of.reduce((total, { frees }) => total + frees, 0),
      counter,
    )
  return {
    tokens: sum(candidates),
    parts: candidates.length,
    stale: sum(candidates.filter(({ stale }) => stale)),
  }
}
