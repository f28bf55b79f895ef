import { indexAfter } from '../log/entry-at.ts'
import { StoreConflictError } from './errors.ts'
import type { Entry, EntryDraft } from '../log/entry.ts'
import type { Chronological } from '../log/order.ts'

const viewChanges: ReadonlySet<Entry['kind']> = new Set(['checkpoint', 'prune', 'rewind'])

/**
 * Makes sure that a compaction still fits the log it was planned for. What was merely said
 * meanwhile stands behind its checkpoint; any other change of the view is a conflict.
 * @throws StoreConflictError
 */
export function checkBase(
  session: string,
  log: Chronological,
  drafts: readonly EntryDraft[],
): void {
  const newest = log.at(-1)?.seq ?? 0
  const base = drafts.find((draft) => 'base' in draft)?.base ?? newest
  const since = log.slice(indexAfter(log, base))
  if (since.some(({ kind }) => viewChanges.has(kind))) {
    throw new StoreConflictError({ session, expected: base, newest })
  }
}
