import { entriesIn, rangesAt, rewindsIn } from '../../log/history.ts'
import { messageKeys } from './message-keys.ts'
import { parseRef } from '../../log/ref.ts'
import type { EntryDraft, Omission, Seq } from '../../log/entry.ts'
import type { Chronological } from '../../log/order.ts'
import type { Match } from './match-view.ts'

/**
 * The changes of the context after the rewind target that still apply, because the host's array
 * contains them. The entries are drafts after `newest`.
 */
export function keptChanges(
  log: Chronological,
  match: Match,
  rewindTo: Seq,
  newest: Seq,
): EntryDraft[] {
  const undone = entriesIn(log, rangesAt(rewindsIn(log), log.at(-1)?.seq ?? 0))
  const matched = new Set(match.sources.map((source) => source?.seq))
  const keys = new Set(match.sources.map((source) => source?.key))
  const summary = match.sources.find((source) => source?.under !== undefined)
  const kept: EntryDraft[] = []
  for (const entry of undone) {
    if (entry.seq <= rewindTo) continue
    const base = newest + kept.length
    if (entry.kind === 'prune') {
      const replacements = entry.replacements.filter(
        ({ ref }) => (parseRef(ref)?.seq ?? Infinity) <= rewindTo,
      )
      if (replacements.length > 0) {
        const { seq: _, ...draft } = entry
        kept.push({ ...draft, base, replacements })
      }
    }
    if (entry.kind === 'checkpoint' && entry.seq === summary?.seq) {
      const tail = entry.tail.filter((item) =>
        item.type === 'omission'
          ? keys.has(omissionKey(item))
          : item.seq <= rewindTo && matched.has(item.seq),
      )
      const { seq: _, ...draft } = entry
      kept.push({ ...draft, base, tail, continuation: null })
    }
  }
  return kept
}

function omissionKey({ text }: Omission): number | undefined {
  return messageKeys({ role: 'user', content: text })[0]?.key
}
