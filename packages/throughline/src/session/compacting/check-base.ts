import { indexAfter, type Chronological } from '../../log/order.ts'
import { changesView, type EntryDraft } from '../../log/entry.ts'
import { StoreConflictError } from '../errors.ts'
import { isRedaction } from '../operations/redaction.ts'

/**
 * Makes sure that a compaction still fits the log it was planned for. What was merely said
 * meanwhile stands behind its checkpoint; any other change of the view is a conflict, and so is a
 * redaction: the summary may hold what was taken out.
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
  if (since.some((entry) => changesView(entry) || isRedaction(entry))) {
    throw new StoreConflictError({ session, expected: base, newest })
  }
}
