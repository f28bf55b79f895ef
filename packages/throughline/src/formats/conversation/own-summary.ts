import { isSummaryBlock, readSummaryBlock } from '../../compaction/render/summary-block.ts'
import { messageText } from '../../log/message-text.ts'
import type { EntryDraft } from '../../log/entry.ts'

/**
 * Takes drafts one by one and returns them with our own summaries recognized: a file that we wrote
 * begins with one, in the form that its harness has for it.
 */
export function ownSummaries(): (draft: EntryDraft) => EntryDraft {
  let said = false
  let given = 0
  return (draft) => {
    const known = recognised(draft, said ? undefined : given)
    given += 1
    if (known.kind === 'message' || known.kind === 'checkpoint') said = true
    return known
  }
}

/** `base` is where the session began, as long as nothing before it could be hidden. */
function recognised(draft: EntryDraft, base: number | undefined): EntryDraft {
  if (draft.kind === 'checkpoint') {
    return { ...draft, summary: readSummaryBlock(draft.summary) ?? draft.summary }
  }
  if (draft.kind !== 'message' || draft.message.role !== 'user') return draft
  const text = messageText(draft.message)
  if (!isSummaryBlock(text)) return draft
  // Later ones were pasted by somebody: what comes before them is still there.
  if (base === undefined) return { ...draft, origin: 'harness' }
  return {
    kind: 'checkpoint',
    at: draft.at,
    base,
    summary: readSummaryBlock(text) ?? '',
    summarizer: 'throughline',
    tail: [],
    continuation: null,
    metadata: {},
  }
}
