import { isSummaryBlock } from '../../compaction/render/summary-block.ts'
import { messageText } from '../../log/message-text.ts'
import { chronological, type Chronological } from '../../log/order.ts'
import { compactLog, type CompactedLog, type CompactLogOptions } from './compact-log.ts'
import { entriesOf } from './log-of-messages.ts'
import type { Message } from '../../log/message.ts'

/** What {@link compactMessages} gives: messages of the type that it was given. */
export type CompactedMessages<M> = Omit<CompactedLog, 'messages'> & { messages: M[] }

/** What was given back, by the first of its messages, and the log that stands behind it. */
const given = new WeakMap<Message, { messages: readonly Message[]; log: Chronological }>()

/**
 * Compacts messages of an agent that keeps its own array, in the type that it keeps them in:
 * the AI SDK's `ModelMessage`, or {@link Message}. System messages at its beginning are the
 * system prompt: they stay where they are.
 *
 * An array that this function gave back, and that has only grown since, is compacted with all
 * that is known of what it replaced. Of one that was copied through JSON the summary is all
 * that is left, with the rules in it; a {@link Session} keeps the whole log.
 * @throws ContextFloorError if not even the least context fits the window.
 * @example
 * const { messages: shorter } = await compactMessages(messages, { window: { context: 200_000 } })
 */
export async function compactMessages<M extends Message>(
  messages: readonly M[],
  options: CompactLogOptions,
): Promise<CompactedMessages<M>> {
  const start = messages.findIndex((message) => !isPrompt(message))
  const prompt = messages.slice(0, start === -1 ? messages.length : start)
  const said = messages.slice(prompt.length)
  const texts = prompt.map(messageText)
  const system = [...(options.system === undefined ? [] : [options.system]), ...texts].join('\n\n')
  const compacted = await compactLog(logBehind(said), { ...options, system })
  const [first] = compacted.messages
  if (first) given.set(first, { messages: compacted.messages, log: compacted.log })
  // What is new among them is plain text, in shapes that every message type has.
  return { ...compacted, messages: [...prompt, ...(compacted.messages as M[])] }
}

/** Not where an earlier compaction put its summary there: it is compacted again. */
function isPrompt(message: Message): boolean {
  return message.role === 'system' && !isSummaryBlock(message.content)
}

function logBehind(said: readonly Message[]): Chronological {
  const [first] = said
  const known = first && given.get(first)
  if (!known?.messages.every((message, index) => said[index] === message)) {
    return chronological(entriesOf(said, 0))
  }
  const newest = known.log.at(-1)?.seq ?? 0
  return chronological([...known.log, ...entriesOf(said.slice(known.messages.length), newest)])
}
