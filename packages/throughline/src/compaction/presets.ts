import { defaultPolicy, type Policy } from './policy.ts'
import { seedTailBudget } from './cut/tail-budget.ts'
import { protectedTools } from './prune/protected.ts'
import { seedContinuation, seedCut, seedTemplate, seedTranscript } from './seed/seed.ts'
import { summaryAsSystem } from './render/summary-block.ts'
import type { Window } from '../tokens/window.ts'

// T8 reserves 20,000 and still means to work with a window of 8,000: the least tail has to be left
// twice, once for itself and once for what precedes it.
const leastUsable = 4_000

/** T8's 20,000; a quarter of a window that this would leave too little of. */
function seedReserved({ context }: Window): number {
  return context - 20_000 >= leastUsable ? 20_000 : Math.floor(context / 4)
}

/** Policies to start from. */
export const presets: Readonly<Record<'default' | 'seed' | 'economic', Policy>> = {
  default: defaultPolicy,

  /** The seeds taken literally, except where that could send an invalid request. */
  seed: {
    ...defaultPolicy,
    reserved: seedReserved,
    // T8 summarizes when it has to, and the agent waits.
    prepareAt: (usable) => usable,
    lowWater: (usable) => usable,
    keep: (usable) => usable,
    names: () => 0,
    tail: seedTailBudget,
    longestTail: seedTailBudget,
    protectedTools,
    // T9 is a step of T8 and is never used alone.
    prune: () => undefined,
    template: seedTemplate,
    cut: seedCut,
    transcript: seedTranscript,
    continuation: seedContinuation,
    summaryRole: summaryAsSystem,
    recallTool: undefined,
  },

  /**
   * A session is compacted at the size that costs least: with the model's list prices, a cache of
   * five minutes, and the pace at which the session grows. As much is kept as by default; a smaller
   * `keep` saves more, and costs facts.
   */
  economic: {
    ...defaultPolicy,
    economy: {},
    // It is compacted earlier, so a model's summary is begun earlier.
    prepareAt: (usable) => Math.floor(usable / 2),
  },
}
