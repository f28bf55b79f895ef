import { defaultPolicy, type Policy } from './policy.ts'
import { seedTailBudget } from './cut/tail-budget.ts'
import { protectedTools } from './prune/protected.ts'
import { seedContinuation } from './seed/seed-continuation.ts'
import { seedCut } from './seed/seed-cut.ts'
import { seedTranscript } from './seed/seed-prune.ts'
import { summaryAsSystem } from './render/summary-block.ts'

/** Policies to start from. */
export const presets: Readonly<Record<'default' | 'seed', Policy>> = {
  default: defaultPolicy,

  /** The seeds taken literally, except where that could send an invalid request. */
  seed: {
    ...defaultPolicy,
    reserved: () => 20_000,
    // T8 summarizes only when it has to, and the agent waits.
    prepareAt: (usable) => usable,
    lowWater: (usable) => usable,
    keep: (usable) => usable,
    names: () => 0,
    tail: seedTailBudget,
    protectedTools,
    // T9 is a step of T8 and is never used alone.
    prune: () => undefined,
    cut: seedCut,
    transcript: seedTranscript,
    continuation: seedContinuation,
    summaryRole: summaryAsSystem,
    recallTool: undefined,
  },
}
