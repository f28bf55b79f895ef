import { isSummaryBlock } from '../../compaction/render/summary-block.ts'
import { providerCompactionIn } from '../../log/context/provider-compaction.ts'
import { isSaidBy } from '../../match/same.ts'
import { messageText, type Message } from '../../log/message.ts'

/** What a developer says, and a provider's own compaction at the beginning of what is known. */
function isStanding(message: Message): boolean {
  return message.role === 'system' && !isSummaryBlock(message.content)
}

/**
 * The leading messages that are the system prompt, and all others: `block` is what a provider
 * compacted for this session.
 */
export function splitPrompt(
  messages: readonly Message[],
  block: readonly Message[] = [],
): {
  prompt: readonly Message[]
  said: readonly Message[]
} {
  const start = messages.findIndex(
    (message) => !isStanding(message) || block.some((other) => isSaidBy([message], [other])),
  )
  if (start === 0) return { prompt: [], said: messages }
  const length = start === -1 ? messages.length : start
  return { prompt: messages.slice(0, length), said: messages.slice(length) }
}

/** A system prompt and the messages that belong to it, as one text. */
export function promptText(system: string | undefined, prompt: readonly Message[]): string {
  return [...(system === undefined ? [] : [system]), ...prompt.map(messageText)].join('\n\n')
}

/**
 * The compacted messages, with the permanent ones among the removed messages placed after the
 * system prompt, where they apply to everything that follows.
 */
export function withStanding(
  before: readonly Message[],
  after: readonly Message[],
  block: readonly Message[] = [],
): readonly Message[] {
  const { prompt, said } = splitPrompt(after, block)
  const left = after.filter(isStanding)
  const begins = splitPrompt(before, block).prompt
  // Our summary covers what a provider compacted on the way. First, it would stand for all.
  const lost = before.filter(
    (message) =>
      isStanding(message) &&
      (begins.includes(message) || providerCompactionIn(message) === undefined) &&
      !left.some((other) => isSaidBy([message], [other])),
  )
  return lost.length === 0 ? after : [...prompt, ...lost, ...said]
}
