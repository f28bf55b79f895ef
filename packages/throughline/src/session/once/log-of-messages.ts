import { readSummaryBlock, saidBehindSummaryBlock } from '../../compaction/render/summary-block.ts'
import { travelledSummary, withoutBareRefs } from '../../compaction/render/travelled.ts'
import { travelledMark } from '../../log/travelled.ts'
import { ownOriginOf } from '../../ledger/own-words.ts'
import { asksInWords } from '../../facts/human/asks-in-words.ts'
import { messageText, textsOf, type Message, type UserMessage } from '../../log/message.ts'
import { speechesIn } from '../../facts/human/speech.ts'
import { chronological, type Chronological } from '../../log/order.ts'
import type { Entry, EntryDraft, MessageDraft, Origin, Seq } from '../../log/entry.ts'

/**
 * Turns messages into a log. User messages count as the human's, except those that a compaction
 * inserted.
 */
export function logOf(messages: readonly Message[]): Chronological {
  return chronological(entriesOf(messages, 0))
}

/**
 * Messages as the entries that follow the entry `newest`. Only the first message of an array can
 * be the summary of what is gone: elsewhere, what looks like one is a text like others.
 */
export function entriesOf(messages: readonly Message[], newest: Seq): Entry[] {
  const [first, ...others] = messages
  if (first === undefined) return []
  const drafts = [
    ...(newest === 0 ? beginningDrafts(first) : [saidByAnyone(first)]),
    ...others.map((message, index) => saidByAnyone(message, messages[index])),
  ]
  const came = newest === 0 && drafts[0]?.kind === 'checkpoint' ? drafts.map(travelled) : drafts
  return came.map((draft, index) => ({ ...draft, seq: newest + index + 1 }))
}

/** Everything after a summary came with it from another log, whose refs are not valid here. */
function travelled(draft: EntryDraft): EntryDraft {
  if (draft.kind !== 'message') return draft
  const message = withoutBareRefs(draft.message)
  return message === draft.message ? draft : { ...draft, message }
}

/** A summary, and what the human said after it in the same message. */
function beginningDrafts(message: Message): EntryDraft[] {
  const draft = vouchedFor(firstDraft(message, 0))
  if (draft.kind !== 'checkpoint' || message.role !== 'user') return [draft]
  const said = behindSummary(message.content)
  if (said === undefined) return [draft]
  const others = saidByAnyone({ ...message, content: said })
  // We never write words after a summary into the same text: another program joined these.
  if (wordsAfterBlock(message.content) === '') return [draft, others]
  const { travelled: _, ...metadata } = draft.metadata
  return [{ ...draft, metadata }, others]
}

/**
 * What an array begins with: a client may have put words of its own around our summary, and the caller
 * whose array it is vouches for it.
 */
export function vouchedFor(draft: EntryDraft): EntryDraft {
  const isClients = draft.kind === 'message' && draft.origin === 'harness'
  return isClients ? { ...draft, metadata: { ...draft.metadata, ...travelledMark } } : draft
}

/** The words that follow the summary in its own text. */
function wordsAfterBlock(content: UserMessage['content']): string {
  if (typeof content === 'string') return saidBehindSummaryBlock(content)
  const [block] = content
  return block?.type === 'text' ? saidBehindSummaryBlock(block.text) : ''
}

function behindSummary(content: UserMessage['content']): UserMessage['content'] | undefined {
  if (typeof content === 'string') return saidBehindSummaryBlock(content) || undefined
  const parts = content.slice(1)
  const behind = wordsAfterBlock(content)
  const all = behind === '' ? parts : [{ type: 'text' as const, text: behind }, ...parts]
  return all.length === 0 ? undefined : all
}

/**
 * Turns a message of an unknown array into the entry after `before`. The message may have been
 * inserted by a compaction, such as a summary of earlier messages.
 */
export function firstDraft(message: Message, before: Seq): EntryDraft {
  const summary =
    message.role === 'user' || message.role === 'system'
      ? readSummaryBlock(messageText(message))
      : undefined
  if (summary === undefined) return saidByAnyone(message)
  const read = travelledSummary(summary)
  return {
    kind: 'checkpoint',
    at: 0,
    base: before,
    summarizer: 'unknown',
    tail: [],
    continuation: null,
    ...read,
    // The array is the caller's own: what begins it is what an earlier call returned.
    metadata: { ...travelledMark, ...read.metadata },
  }
}

const origins = { user: 'human', assistant: 'model', tool: 'tool', system: 'harness' } as const

/**
 * A message that was added to a known array behind the message `before`: its role decides what it
 * is, and what in it is surely the human's.
 */
export function saidDraft(message: Message, before?: Message): EntryDraft {
  const origin = message.role === 'user' ? speaker(message, before) : origins[message.role]
  return { kind: 'message', at: 0, message, origin }
}

function saidByAnyone(message: Message, before?: Message): MessageDraft {
  return { kind: 'message', at: 0, message, origin: originOf(message, before) }
}

function originOf(message: Message, before: Message | undefined): Origin {
  if (message.role !== 'user') return origins[message.role]
  return ownOriginOf(message) ?? speaker(message, before)
}

/** The human, unless all words of the message are a client's or a tool's. */
function speaker(message: UserMessage, before: Message | undefined): Origin {
  const texts = textsOf(message).filter((text) => text.trim() !== '')
  if (texts.length === 0) return 'human'
  const speeches = speechesIn(texts, before !== undefined && asksInWords(before)).flat()
  const made = speeches.find(({ text }) => text.trim() !== '')?.by
  return made === undefined || speeches.some(({ by }) => by === 'human') ? 'human' : made
}
