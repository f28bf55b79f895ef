/**
 * T8's budget: the most that the tail may hold, in tokens of the model, of a request that may hold
 * `usable` and of which a compaction keeps `keep`.
 *
 * The seed says clamp(25% of usable, 2,000, 8,000). And at most 30% of keep: with 40% an agent had
 * to look up 2 to 3% more again where 3,000 tokens were kept (`npm run bench:fidelity`).
 */
export function tailBudget(usable: number, keep: number): number {
  return Math.min(seedTailBudget(usable), Math.floor(keep * 0.3))
}

/** The seed's own. */
export function seedTailBudget(usable: number): number {
  return Math.min(Math.max(Math.floor(usable / 4), 2_000), 8_000)
}
