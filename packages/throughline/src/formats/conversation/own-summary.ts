import { isSummaryBlock, readSummaryBlock } from '../../compaction/render/summary-block.ts'
import {
  travelledNote,
  travelledSummary,
  withoutBareRefs,
} from '../../compaction/render/travelled.ts'
import { messageText, partsOf } from '../../log/message.ts'
import { ownOrigin } from '../../session/once/log-of-messages.ts'
import type { EntryDraft, MessageDraft } from '../../log/entry.ts'

/** What is known of a session so far. */
interface Seen {
  given: number
  said: boolean
  /** It begins with what we wrote. */
  ours: boolean
  /** What sets the agent going after our summary was not seen yet: there is at most one. */
  waiting: boolean
  /** The newest message is an answer after which nothing was to be done. */
  answered: boolean
}

/**
 * Takes drafts one by one and returns them with our own summaries recognized: a file that we wrote
 * begins with one, in the form that its harness has for it. What follows it and is ours too, such as
 * a marker for steps that were left out, was said by no human, and its refs belong to another log.
 */
export function ownSummaries(): (draft: EntryDraft) => EntryDraft {
  const seen: Seen = { given: 0, said: false, ours: false, waiting: false, answered: false }
  return (draft) => {
    const known = recognized(draft, seen)
    seen.given += 1
    if (known.kind === 'message' || known.kind === 'checkpoint') seen.said = true
    if (known.kind !== 'message') return known
    seen.answered = isAnswer(known)
    return seen.ours ? travelled(known) : known
  }
}

function travelled(draft: MessageDraft): MessageDraft {
  const message = withoutBareRefs(draft.message)
  return message === draft.message ? draft : { ...draft, message }
}

// What we put before a context that no summary begins.
const nearBeginning = 4

function recognized(draft: EntryDraft, seen: Seen): EntryDraft {
  if (draft.kind === 'checkpoint') {
    const own = readSummaryBlock(draft.summary)
    // Ours stands at the beginning of what we wrote: behind anything else, a model may have copied it.
    if (own === undefined || seen.said) return draft
    begin(seen)
    const { summary, metadata } = travelledSummary(own)
    return { ...draft, summary, metadata: { ...draft.metadata, ...metadata } }
  }
  if (draft.kind !== 'message' || draft.message.role !== 'user') return draft
  const text = messageText(draft.message)
  const sources = seen.given < nearBeginning ? travelledNote(text) : undefined
  if (sources) {
    if (!seen.said) seen.ours = true
    return { ...draft, origin: 'harness', metadata: { ...draft.metadata, sources } }
  }
  if (!isSummaryBlock(text)) return seen.ours ? ownWords(draft, text, seen) : draft
  // Later ones were pasted by somebody: what comes before them is still there.
  if (seen.said) return { ...draft, origin: 'harness' }
  begin(seen)
  return {
    kind: 'checkpoint',
    at: draft.at,
    // Where the session began: nothing before it could be hidden.
    base: seen.given,
    summarizer: 'throughline',
    tail: [],
    continuation: null,
    ...travelledSummary(readSummaryBlock(text) ?? ''),
  }
}

function begin(seen: Seen): void {
  seen.ours = true
  seen.waiting = true
}

function isAnswer({ message }: MessageDraft): boolean {
  return message.role === 'assistant' && partsOf(message).every((part) => part.type !== 'tool-call')
}

/**
 * What we said in the user's place: no human wrote it, whoever the file says did. A human may say
 * `continue` too: where the file has no mark, ours is the first one behind a summary that stands in
 * the middle of a task.
 */
function ownWords(draft: MessageDraft, text: string, seen: Seen): MessageDraft {
  const wordsOnly = partsOf(draft.message).every((part) => part.type === 'text')
  const origin = wordsOnly ? ownOrigin(text) : undefined
  if (origin === undefined) return draft
  if (origin === 'harness') return { ...draft, origin }
  if (draft.origin === 'human' && (!seen.waiting || seen.answered)) return draft
  seen.waiting = false
  return { ...draft, origin, metadata: { ...draft.metadata, compaction_continue: true } }
}
