import { compactLog } from '../../session/once/compact-log.ts'
import { logOf } from '../../testing/conformance/format-conformance.ts'
import { placed } from '../../testing/generate/build.ts'
import { writtenSession } from '../writing/written-session.ts'
import type { EntryDraft } from '../../log/entry.ts'
import type { SessionFacts } from '../format.ts'
import type { WrittenSession } from '../writing/format-writer.ts'

/** What is written of these drafts, as they are or compacted. */
export async function writtenOf(
  drafts: readonly EntryDraft[],
  form: 'whole' | 'compacted',
  facts: SessionFacts = {},
): Promise<WrittenSession> {
  const read = logOf(drafts.map(placed))
  if (form === 'whole') return writtenSession(read, facts)
  const { log } = await compactLog(read, { window: { context: 1e6 }, trigger: 'manual' })
  return writtenSession(log, facts)
}
