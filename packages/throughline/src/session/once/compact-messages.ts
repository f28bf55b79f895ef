import { isSummaryBlock } from '../../compaction/render/summary-block.ts'
import { messageText } from '../../log/message-text.ts'
import { chronological, type Chronological } from '../../log/order.ts'
import { compactLog, type CompactedLog, type CompactLogOptions } from './compact-log.ts'
import { entriesOf } from './log-of-messages.ts'
import type { Message } from '../../log/message.ts'

/** The result of {@link compactMessages}: messages of the same type as the input. */
export type CompactedMessages<M> = Omit<CompactedLog, 'messages'> & { messages: M[] }

/** Returned arrays, by their first message, with the log behind each. */
const given = new WeakMap<Message, { messages: readonly Message[]; log: Chronological }>()

/**
 * Compacts the messages of an agent that keeps its own array, in the type that it uses: the AI
 * SDK's `ModelMessage`, or {@link Message}. System messages at the beginning are the system prompt
 * and stay where they are.
 *
 * If an array that this function returned has only grown since, the next compaction still knows
 * everything that the array replaced. If the array was copied through JSON, only the summary is
 * left, with the rules in it. A {@link Session} keeps the whole log.
 * @throws ContextFloorError if even the smallest possible context doesn't fit the window.
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
  // The new messages are plain text, in shapes that every message type has.
  return { ...compacted, messages: [...prompt, ...(compacted.messages as M[])] }
}

/** Not if an earlier compaction put its summary there; that is compacted again. */
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
