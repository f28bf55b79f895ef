/**
 * T8's budget: the most that the tail may hold, in tokens of the model. A request may hold
 * `usable`, and a compaction keeps at most `keep` of it.
 *
 * The seed says clamp(25% of usable, 2,000, 8,000). Here the tail also takes at most 30% of `keep`.
 * With 40%, and 3,000 tokens kept, an agent had to look up 2 to 3% more again (`npm run
 * bench:fidelity`).
 */
export function tailBudget(usable: number, keep: number): number {
  return Math.min(seedTailBudget(usable), Math.floor(keep * 0.3))
}

/** The budget as the seed defines it. */
export function seedTailBudget(usable: number): number {
  return Math.min(Math.max(Math.floor(usable / 4), 2_000), 8_000)
}
