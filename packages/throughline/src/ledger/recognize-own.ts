import { isSummaryBlock, readSummaryBlock } from '../compaction/render/summary-block.ts'
import { travelledNote, travelledSummary, withoutBareRefs } from '../compaction/render/travelled.ts'
import { travelledMark } from '../log/travelled.ts'
import { messageText, partsOf } from '../log/message.ts'
import { markedContinue, ownOriginOf } from './own-words.ts'
import { printOf, type Ledger, type WrittenContext } from './ledger.ts'
import type { CheckpointDraft, EntryDraft, EntryOf, MessageDraft, Origin } from '../log/entry.ts'

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
  /** Who said what was written with the summary, by {@link printOf}, as far as it was not met yet. */
  written: Map<string, Origin[]>
}

/**
 * Takes the drafts of a session one by one and returns them with what Throughline wrote known again:
 * the summary that it begins with, and behind it what no human said, such as a marker for steps that
 * were left out. Refs in it belong to another log.
 *
 * Only what the ledger vouches for speaks for the human. Any other summary keeps what it says, as the
 * words of a model.
 */
export function recognizeOwn(ledger?: Ledger): (draft: EntryDraft) => EntryDraft {
  const seen: Seen = {
    given: 0,
    said: false,
    ours: false,
    waiting: false,
    answered: false,
    written: new Map(),
  }
  return (draft) => {
    const own = recognized(draft, seen, ledger)
    seen.given += 1
    if (own.kind === 'message' || own.kind === 'checkpoint') seen.said = true
    if (own.kind !== 'message') return own
    seen.answered = isAnswer(own)
    return seen.ours ? travelled(own) : own
  }
}

function travelled(draft: MessageDraft): MessageDraft {
  const message = withoutBareRefs(draft.message)
  return message === draft.message ? draft : { ...draft, message }
}

// What we put before a context that no summary begins.
const nearBeginning = 4

function recognized(draft: EntryDraft, seen: Seen, ledger: Ledger | undefined): EntryDraft {
  if (draft.kind === 'checkpoint') {
    const own = readSummaryBlock(draft.summary)
    if (own === undefined) return known(draft, ledger)
    if (seen.said) return writtenLater(draft, own, seen, ledger)
    begin(seen)
    const { metadata, ...summary } = summaryOf(own, seen, ledger)
    return { ...draft, ...summary, metadata: { ...draft.metadata, ...metadata } }
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
    summarizer: 'unknown',
    tail: [],
    continuation: null,
    ...summaryOf(readSummaryBlock(text) ?? '', seen, ledger),
  }
}

/**
 * A compaction of ours in the midst of a session, where the ledger knows it: what it says was read
 * from the entries before it. Otherwise a model may have copied the form.
 */
function writtenLater(
  draft: CheckpointDraft,
  own: string,
  seen: Seen,
  ledger: Ledger | undefined,
): CheckpointDraft {
  const written = ledger?.find(own)
  if (!written) return draft
  expect(written, seen)
  begin(seen)
  const metadata = { ...draft.metadata, written: markOf(written) }
  return { ...draft, summarizer: 'throughline', metadata }
}

/** A reader may have known a compaction of ours by itself: the ledger says the rest. */
function known(draft: CheckpointDraft, ledger: Ledger | undefined): CheckpointDraft {
  const written = ledger?.find(draft.summary)
  if (!written) return draft
  return { ...draft, metadata: { ...draft.metadata, written: markOf(written) } }
}

/** The summary of a block, and who wrote it where the ledger knows. */
function summaryOf(
  own: string,
  seen: Seen,
  ledger: Ledger | undefined,
): Pick<CheckpointDraft, 'summary' | 'metadata'> & { summarizer?: string } {
  const written = ledger?.find(own)
  const read = travelledSummary(own)
  if (!written) return read
  expect(written, seen)
  const metadata = { ...read.metadata, ...travelledMark, written: markOf(written) }
  return { ...read, summarizer: 'throughline', metadata }
}

function expect({ messages }: WrittenContext, seen: Seen): void {
  seen.written.clear()
  for (const { print, origin } of messages) {
    const known = seen.written.get(print)
    if (known) known.push(origin)
    else seen.written.set(print, [origin])
  }
}

/** What a checkpoint says of the compaction that wrote its summary. */
export interface WrittenMark extends Omit<WrittenContext, 'messages'> {
  /** How many stood behind the summary. */
  messages: number
}

function markOf({ messages, ...mark }: WrittenContext): WrittenMark {
  return { ...mark, messages: messages.length }
}

/**
 * The compaction by which Throughline wrote the summary that a session began with; `undefined` for
 * any other checkpoint.
 */
export function writtenMark({
  metadata,
}: Pick<EntryOf<'checkpoint'>, 'metadata'>): WrittenMark | undefined {
  return metadata['written'] as WrittenMark | undefined
}

function begin(seen: Seen): void {
  seen.ours = true
  seen.waiting = true
}

function isAnswer({ message }: MessageDraft): boolean {
  return message.role === 'assistant' && partsOf(message).every((part) => part.type !== 'tool-call')
}

/**
 * What we said in the user's place: no human wrote it, whoever the file says did. The ledger knows,
 * unless the text was changed. A human may say `continue` too: without a mark, ours is the first one
 * behind a summary that stands in the middle of a task.
 */
function ownWords(draft: MessageDraft, text: string, seen: Seen): MessageDraft {
  const noted = text === '' ? undefined : seen.written.get(printOf(draft.message))?.shift()
  if (noted !== undefined) return withOrigin(draft, noted, seen)
  const origin = ownOriginOf(draft.message)
  if (origin === undefined) return draft
  const isMarked = text === markedContinue || origin === 'harness'
  if (!isMarked && draft.origin === 'human' && (!seen.waiting || seen.answered)) return draft
  return withOrigin(draft, origin, seen)
}

function withOrigin(draft: MessageDraft, origin: Origin, seen: Seen): MessageDraft {
  if (origin !== 'synthetic') return draft.origin === origin ? draft : { ...draft, origin }
  seen.waiting = false
  return { ...draft, origin, metadata: { ...draft.metadata, compaction_continue: true } }
}
