import { placeholder } from '../../compaction/prune/placeholder.ts'
import { ref } from '../../log/ref.ts'
import { giveDraft, type State } from './state.ts'
import type { Replacement } from '../../log/entry.ts'
import type { Cleared } from './view-changes.ts'

/** Gives the outputs that opencode cleared here as one prune. */
export function givePrune(state: State, cleared: readonly Cleared[] = []): void {
  const calls = new Map(cleared.map(({ call, at }) => [call, at]))
  let compacted = 0
  const replacements: Replacement[] = []
  for (const [call, at] of calls) {
    const result = state.results.get(call)
    if (!result) continue
    compacted = Math.max(compacted, at)
    const name = ref(result.seq, result.part)
    const text = placeholder({ tool: result.tool, bytes: result.bytes, ref: name })
    const replacement: Replacement = { how: 'pruned', ref: name, text }
    replacements.push(replacement)
    const same = state.cleared.get(result.seq)
    if (same) same.push(replacement)
    else state.cleared.set(result.seq, [replacement])
  }
  if (replacements.length === 0) return
  giveDraft(state, {
    kind: 'prune',
    at: compacted,
    base: state.drafts.given,
    replacements,
    metadata: { time: { compacted } },
  })
}
