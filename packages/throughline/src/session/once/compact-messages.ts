import { isSummaryBlock } from '../../compaction/render/summary-block.ts'
import { knownArrays } from './known-arrays.ts'
import { messageText } from '../../log/message-text.ts'
import { compactLog, type CompactedLog, type CompactLogOptions } from './compact-log.ts'
import type { Message } from '../../log/message.ts'

/** The result of {@link compactMessages}: messages of the same type as the input. */
export type CompactedMessages<M> = Omit<CompactedLog, 'messages'> & { messages: M[] }

const arrays = knownArrays()

/**
 * Compacts the messages of an agent that keeps its own array, in the type that it uses: the AI
 * SDK's `ModelMessage`, or {@link Message}. System messages at the beginning are the system prompt
 * and stay where they are.
 *
 * An array that this function gave back, and that has only grown since, is compacted with all
 * that is known of what it replaced. An array that it was given, and that has only grown since,
 * keeps its compaction for as long as the result fits: a host may pass its full history at every
 * step, and gets one compaction for each growth. Both hold for the same message objects in the same
 * process. Of an array that was copied through JSON nothing is known: its summary, if it has one,
 * is read back, and a full history is compacted anew by each call. A {@link Session} with
 * `reconcile` keeps the whole log, and knows copies too.
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
  const { log, remember } = arrays.behind(said, options.window)
  const compacted = await compactLog(log, { ...options, system })
  remember(compacted)
  // What is new among them is plain text, in shapes that every message type has.
  return { ...compacted, messages: [...prompt, ...(compacted.messages as M[])] }
}

/** Not if an earlier compaction put its summary there; that is compacted again. */
function isPrompt(message: Message): boolean {
  return message.role === 'system' && !isSummaryBlock(message.content)
}
