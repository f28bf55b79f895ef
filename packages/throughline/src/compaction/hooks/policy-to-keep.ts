import { parseRef } from '../../log/ref.ts'
import { locatedParts } from '../clip/parts.ts'
import type { Ref, Seq } from '../../log/entry.ts'
import type { Policy } from '../policy.ts'
import type { PruneInput } from '../prune/prune.ts'

/** The policy for one compaction that should leave these entries and parts unchanged. */
export function policyToKeep(policy: Policy, keep: readonly Ref[]): Policy {
  const seqs = new Set(keep.map((each): Seq => parseRef(each)?.seq ?? 0))
  return {
    ...policy,
    prune: (input) => policy.prune({ ...input, pinned: pinnedWith(input, new Set(keep)) }),
    cut: (input) => policy.cut({ ...input, wanted: seqs }),
  }
}

function pinnedWith({ units, pinned }: PruneInput, keep: ReadonlySet<Ref>): ReadonlySet<Ref> {
  const kept = units
    .flatMap(locatedParts)
    .filter(({ ref, item }) => keep.has(ref) || keep.has(`${item.seq}`))
  return new Set([...pinned, ...kept.map(({ ref }) => ref)])
}
