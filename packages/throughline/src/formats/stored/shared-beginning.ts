import { draftOf } from '../../log/draft-of.ts'
import { encodeEntry } from '../../stores/sqlite/payload.ts'
import { placed, placesAfter } from './placed.ts'
import type { Entry, Seq } from '../../log/entry.ts'

/** The entries of a store that come from a file, in its order. */
export interface StoredPart {
  entries: readonly Entry[]
  /** Where they stand. */
  seqs: readonly Seq[]
  /** Those of the store whose text was overwritten: no file says the same any more. */
  redacted: ReadonlySet<Seq>
}

export function storedPart(stored: readonly Entry[], seqs: readonly Seq[]): StoredPart {
  const redacted = new Set<Seq>()
  for (const entry of stored) {
    if (entry.kind !== 'observation' || entry.observation.type !== 'redaction') continue
    for (const seq of entry.observation.seqs) redacted.add(seq)
  }
  return { entries: seqs.map((seq) => stored[seq - 1] as Entry), seqs, redacted }
}

/** How many entries, from the first on, a file and a store have alike. */
export function sharedBeginning(
  log: readonly Entry[],
  { entries, seqs, redacted }: StoredPart,
): number {
  const places = placesAfter(seqs, Infinity)
  const most = Math.min(log.length, entries.length)
  for (let index = 0; index < most; index++) {
    const [own, other] = [log[index] as Entry, entries[index] as Entry]
    const alike = redacted.has(other.seq)
      ? own.kind === other.kind
      : encodeEntry(placed(draftOf(own), places)) === encodeEntry(draftOf(other))
    if (!alike) return index
  }
  return most
}
