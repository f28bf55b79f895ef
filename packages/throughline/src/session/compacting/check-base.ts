import { indexAfter, type Chronological } from '../../log/order.ts'
import { changesView, type EntryDraft } from '../../log/entry.ts'
import { StoreConflictError } from '../errors.ts'
import { isRedaction } from '../../log/entry.ts'

/**
 * Checks that a compaction still fits the log it was planned for. Messages added in the meantime go
 * after its checkpoint. Any other change of the view is a conflict. So is a redaction, because the
 * summary may contain the redacted text.
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
