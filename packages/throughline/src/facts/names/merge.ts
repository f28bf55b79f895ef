import type { NameFact } from '../facts.ts'

/** Merges two facts that turned out to be about the same name. */
export function mergeNames(first: NameFact, second: NameFact): NameFact {
  const owned = first.owner === '' ? second : first
  return {
    ...owned,
    name: first.name,
    calls: first.calls + second.calls,
    mentions: first.mentions + second.mentions,
    lastSeq: Math.max(first.lastSeq, second.lastSeq),
    weight: (first.weight ?? 0) + (second.weight ?? 0),
  }
}
