import { isSummaryBlock, readSummaryBlock } from '../../compaction/render/summary-block.ts'
import {
  travelledNote,
  travelledSummary,
  withoutBareRefs,
} from '../../compaction/render/travelled.ts'
import { messageText } from '../../log/message-text.ts'
import type { EntryDraft, MessageDraft } from '../../log/entry.ts'

/**
 * Takes drafts one by one, and gives them back with our own summaries known as such: a file that
 * we wrote begins with one, in whatever form its harness has for it.
 */
export function ownSummaries(): (draft: EntryDraft) => EntryDraft {
  let said = false
  let given = 0
  let begunByUs = false
  return (draft) => {
    const known = recognised(draft, { given, base: said ? undefined : given })
    given += 1
    if (known.kind === 'message' || known.kind === 'checkpoint') {
      if (!said) begunByUs = known !== draft
      said = true
    }
    return begunByUs && known.kind === 'message' ? travelled(known) : known
  }
}

function travelled(draft: MessageDraft): MessageDraft {
  const message = withoutBareRefs(draft.message)
  return message === draft.message ? draft : { ...draft, message }
}

// What we put before a context that no summary begins.
const nearBeginning = 4

/** `base` is where the session began, as long as nothing stands there that another could hide. */
function recognised(
  draft: EntryDraft,
  { given, base }: { given: number; base: number | undefined },
): EntryDraft {
  if (draft.kind === 'checkpoint') {
    const own = readSummaryBlock(draft.summary)
    if (own === undefined) return draft
    const { summary, metadata } = travelledSummary(own)
    return { ...draft, summary, metadata: { ...draft.metadata, ...metadata } }
  }
  if (draft.kind !== 'message' || draft.message.role !== 'user') return draft
  const text = messageText(draft.message)
  const sources = given < nearBeginning ? travelledNote(text) : undefined
  if (sources) return { ...draft, origin: 'harness', metadata: { ...draft.metadata, sources } }
  if (!isSummaryBlock(text)) return draft
  // Later ones were pasted by somebody: what stands before them is still there.
  if (base === undefined) return { ...draft, origin: 'harness' }
  return {
    kind: 'checkpoint',
    at: draft.at,
    base,
    summarizer: 'throughline',
    tail: [],
    continuation: null,
    ...travelledSummary(readSummaryBlock(text) ?? ''),
  }
}
