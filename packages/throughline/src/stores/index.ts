/**
 * What a store is built from that is not in this package: its entries as text, its condition, its
 * search. Verify the store with `storeConformance` of `throughline/testing`.
 *
 * **Unstable**: a name here may change or go in any minor release.
 *
 * @packageDocumentation
 */
export { candidates, checkCondition } from './condition.ts'
export { decodeEntry, encodeEntry, readBack } from './sqlite/payload.ts'
export { matchingSeqs } from './matches.ts'
export { jsonLinesStore } from './json-lines/json-lines-store.ts'
