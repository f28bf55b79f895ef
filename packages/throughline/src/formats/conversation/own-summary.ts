import { isSummaryBlock, readSummaryBlock } from '../../compaction/render/summary-block.ts'
import { messageText } from '../../log/message-text.ts'
import { partsOf } from '../../log/message.ts'
import { ownOrigin } from '../../session/once/log-of-messages.ts'
import type { EntryDraft, MessageDraft } from '../../log/entry.ts'

/** What is known of a session so far. */
interface Seen {
  given: number
  said: boolean
  /** A summary of ours stands in front. */
  ours: boolean
  /** What sets the agent going behind it was not seen yet: there is at most one. */
  waiting: boolean
  /** The newest message is an answer behind which nothing was to be done. */
  answered: boolean
}

/**
 * Takes drafts one by one, and gives them back with our own summaries known as such: a file that
 * we wrote begins with one, in whatever form its harness has for it. What stands behind it and
 * is ours too, such as what tells of steps that were left out, was said by no human.
 */
export function ownSummaries(): (draft: EntryDraft) => EntryDraft {
  const seen: Seen = {
    given: 0,
    said: false,
    ours: false,
    waiting: false,
    answered: false,
  }
  return (draft) => {
    const known = recognised(draft, seen)
    seen.given += 1
    if (known.kind === 'message' || known.kind === 'checkpoint') seen.said = true
    if (known.kind === 'message') seen.answered = isAnswer(known)
    return known
  }
}

function recognised(draft: EntryDraft, seen: Seen): EntryDraft {
  if (draft.kind === 'checkpoint') {
    const summary = readSummaryBlock(draft.summary)
    if (summary === undefined) return draft
    begin(seen)
    return { ...draft, summary }
  }
  if (draft.kind !== 'message' || draft.message.role !== 'user') return draft
  const text = messageText(draft.message)
  if (!isSummaryBlock(text)) return seen.ours ? ownWords(draft, text, seen) : draft
  // Later ones were pasted by somebody: what stands before them is still there.
  if (seen.said) return { ...draft, origin: 'harness' }
  begin(seen)
  return {
    kind: 'checkpoint',
    at: draft.at,
    // Where the session began: nothing stands there that another could hide.
    base: seen.given,
    summary: readSummaryBlock(text) ?? '',
    summarizer: 'throughline',
    tail: [],
    continuation: null,
    metadata: {},
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
