import { withThousands } from '../../terminal/numbers.ts'
import type { ReplayedCompaction } from './replay-session.ts'

/** What a compaction did, in a few words. */
export function howText({ action, rung }: Pick<ReplayedCompaction, 'action' | 'rung'>): string {
  if (action === 'prune') return 'pruned'
  if (rung === 'shorter-tail') return 'summarized, shorter tail'
  if (rung === 'clipped-tail') return 'summarized, clipped tail'
  return 'summarized'
}

export function compactionText(compaction: ReplayedCompaction): string {
  const { before, after } = compaction
  return `${howText(compaction)}, ${withThousands(before)} → ${withThousands(after)} tokens`
}
