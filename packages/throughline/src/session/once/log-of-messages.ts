import { readSummaryBlock } from '../../compaction/render/summary-block.ts'
import { messageText } from '../../log/message-text.ts'
import { chronological, type Chronological } from '../../log/order.ts'
import type { Entry, EntryDraft, Origin, Seq } from '../../log/entry.ts'
import type { Message } from '../../log/message.ts'

/**
 * Messages as a log: what a user said is taken as said by the human, but for what a compaction
 * put among the messages.
 */
export function logOf(messages: readonly Message[]): Chronological {
  return chronological(entriesOf(messages, 0))
}

/** Messages as the entries that follow the entry `newest`. */
export function entriesOf(messages: readonly Message[], newest: Seq): Entry[] {
  return messages.map((message, index) => {
    const before = newest + index
    return { ...firstDraft(message, before), seq: before + 1 }
  })
}

/**
 * A message of an array of which nothing is known, as the entry behind `before`: it may hold what
 * a compaction put there, such as the summary of what is gone.
 */
export function firstDraft(message: Message, before: Seq): EntryDraft {
  const summary =
    message.role === 'user' || message.role === 'system'
      ? readSummaryBlock(messageText(message))
      : undefined
  if (summary === undefined) return { kind: 'message', at: 0, message, origin: originOf(message) }
  return {
    kind: 'checkpoint',
    at: 0,
    base: before,
    summary,
    summarizer: 'unknown',
    tail: [],
    continuation: null,
    metadata: {},
  }
}

const origins = { user: 'human', assistant: 'model', tool: 'tool', system: 'harness' } as const

// What the engine and its writers say in the user's place.
const ownWords =
  /^\[(?:What was said before is not here|\d+ steps? (?:is|are) left out here|The assistant had just said:\]|Late result of |Pinned\] )/

/** A message that was said behind what is known: a text is what its role makes it, whatever it looks like. */
export function saidDraft(message: Message): EntryDraft {
  return { kind: 'message', at: 0, message, origin: origins[message.role] }
}

function originOf(message: Message): Origin {
  if (message.role !== 'user') return origins[message.role]
  const text = messageText(message)
  if (text === 'continue') return 'synthetic'
  return ownWords.test(text) ? 'harness' : 'human'
}
