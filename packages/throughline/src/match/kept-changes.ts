import { entriesInForce } from '../log/history.ts'
import { messageKeys } from './message-keys.ts'
import { parseRef } from '../log/ref.ts'
import type { Changes } from './changes.ts'
import type { Chronological } from '../log/order.ts'
import type { Entry, EntryDraft, EntryOf, Omission, Seq, TailItem } from '../log/entry.ts'
import type { Match } from './match-view.ts'

interface Rewind {
  match: Match
  changes: Changes
  rewindTo: Seq
  /** The newest entry before what is kept. */
  newest: Seq
}

/**
 * The changes of the context after the rewind target that still apply, because the host's array
 * contains them. The entries are drafts after `newest`.
 */
export function keptChanges(log: Chronological, rewind: Rewind): EntryDraft[] {
  const { match, changes, rewindTo, newest } = rewind
  const matched = new Set(match.sources.map((source) => source?.seq))
  const keys = new Set(match.sources.map((source) => source?.key))
  const summary = match.sources.find((source) => source?.under !== undefined)
  const undone = undoneBy(log, rewindTo)
  const isAside = isOnlyAside(undone, changes)
  const kept: EntryDraft[] = []
  for (const entry of undone) {
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
      const stays = (item: TailItem): boolean =>
        item.type === 'omission'
          ? keys.has(omissionKey(item))
          : item.seq <= rewindTo && matched.has(item.seq)
      kept.push(again(entry, base, stays))
    } else if (entry.kind === 'checkpoint' && isAside) {
      kept.push(again(entry, base, (item) => item.type === 'omission' || item.seq <= rewindTo))
    }
  }
  return kept
}

/**
 * Whether a rewind takes back nothing but words that stood behind a request and have been answered:
 * hosts add the time, or a list of what is to be done, to each request, and never say it again.
 */
export function isAsideBy(log: Chronological, changes: Changes): boolean {
  const { rewindTo } = changes
  return rewindTo !== undefined && isOnlyAside(undoneBy(log, rewindTo), changes)
}

function isOnlyAside(undone: readonly Entry[], { added: [first] }: Changes): boolean {
  if (first?.message.role !== 'assistant' || first.ours) return false
  return undone.every((entry) => entry.kind !== 'message' || entry.message.role === 'user')
}

function undoneBy(log: Chronological, rewindTo: Seq): Entry[] {
  return entriesInForce(log).filter(({ seq }) => seq > rewindTo)
}

function again(
  entry: EntryOf<'checkpoint'>,
  base: Seq,
  stays: (item: TailItem) => boolean,
): EntryDraft {
  const { seq: _, ...draft } = entry
  return { ...draft, base, tail: draft.tail.filter(stays), continuation: null }
}

function omissionKey({ text }: Omission): number | undefined {
  return messageKeys({ role: 'user', content: text })[0]?.key
}
