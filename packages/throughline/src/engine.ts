/**
 * The parts that a session is built from, for those who build something else from them: views of the
 * log, facts, measuring, planning, cutting, rendering, and their types.
 *
 * **Unstable**: a name here may change or go in any minor release. What `throughline` itself exports
 * does not.
 *
 * @packageDocumentation
 */
export { logOf } from './session/once/log-of-messages.ts'
export { overflowOf } from './compaction/overflow/overflow.ts'
export { planCompaction } from './compaction/plan/plan-compaction.ts'
export { counterOf } from './tokens/counter.ts'
export { renderContext } from './compaction/render/render.ts'
export { summaryRoleOf } from './compaction/render/summary-block.ts'
export { measure } from './compaction/measure/measure.ts'
export { factsOf } from './facts/facts-of.ts'
export { chronological } from './log/order.ts'
export { contextOf } from './log/context/context.ts'
export { historyOf } from './log/history.ts'
export { estimateTokens } from './tokens/estimate.ts'
export { costMeter } from './tokens/session-cost.ts'
export { parseTokens } from './tokens/windows.ts'
export { usableTokens } from './tokens/window.ts'
export { costOf, pricesOf } from './tokens/prices.ts'
export type { Chronological } from './log/order.ts'
export type { AppendCondition, Rewriting, Search, Selection } from './session/store.ts'
export type { PromptPiece } from './tokens/session-cost.ts'
export type { Prices } from './tokens/price-table.ts'
