import { readSummaryBlock, saidBehindSummaryBlock } from '../../compaction/render/summary-block.ts'
import { travelledSummary, withoutBareRefs } from '../../compaction/render/travelled.ts'
import { messageText } from '../../log/message-text.ts'
import { chronological, type Chronological } from '../../log/order.ts'
import type { Entry, EntryDraft, MessageDraft, Origin, Seq } from '../../log/entry.ts'
import type { Message, UserMessage } from '../../log/message.ts'

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
    ...others.map(saidByAnyone),
  ]
  const came = newest === 0 && drafts[0]?.kind === 'checkpoint' ? drafts.map(travelled) : drafts
  return came.map((draft, index) => ({ ...draft, seq: newest + index + 1 }))
}

/** What stands behind a summary came with it from another log, and no ref of that one holds here. */
function travelled(draft: EntryDraft): EntryDraft {
  if (draft.kind !== 'message') return draft
  const message = withoutBareRefs(draft.message)
  return message === draft.message ? draft : { ...draft, message }
}

/** A summary, and what the human said after it in the same message. */
function beginningDrafts(message: Message): EntryDraft[] {
  const draft = firstDraft(message, 0)
  if (draft.kind !== 'checkpoint' || message.role !== 'user') return [draft]
  const said = behindSummary(message.content)
  if (said === undefined) return [draft]
  return [draft, saidByAnyone({ ...message, content: said })]
}

function behindSummary(content: UserMessage['content']): UserMessage['content'] | undefined {
  if (typeof content === 'string') return saidBehindSummaryBlock(content) || undefined
  const [block, ...parts] = content
  const behind = block?.type === 'text' ? saidBehindSummaryBlock(block.text) : ''
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
  return {
    kind: 'checkpoint',
    at: 0,
    base: before,
    summarizer: 'unknown',
    tail: [],
    continuation: null,
    ...travelledSummary(summary),
  }
}

const origins = { user: 'human', assistant: 'model', tool: 'tool', system: 'harness' } as const

// Texts that the engine and its writers put into user messages.
const ownWords =
  /^\[(?:What was said before is not here|\d+ steps? (?:is|are) left out here|The assistant had just said:\]|Late result of |Pinned\] )/

/**
 * A message that was added to a known array: its role decides what it is, whatever its text looks
 * like.
 */
export function saidDraft(message: Message): EntryDraft {
  return { kind: 'message', at: 0, message, origin: origins[message.role] }
}

function saidByAnyone(message: Message): MessageDraft {
  return { kind: 'message', at: 0, message, origin: originOf(message) }
}

function originOf(message: Message): Origin {
  if (message.role !== 'user') return origins[message.role]
  const text = messageText(message)
  return ownOrigin(text) ?? 'human'
}

/**
 * The origin of a text that Throughline itself added to the messages; `undefined` for any other
 * text.
 */
export function ownOrigin(text: string): Extract<Origin, 'synthetic' | 'harness'> | undefined {
  if (text === 'continue') return 'synthetic'
  return ownWords.test(text) ? 'harness' : undefined
}
