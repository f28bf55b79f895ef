import { pruneMessages, type ModelMessage } from 'ai'
import { tokensOf } from '../shapes/neutral.ts'
import type { Message } from 'throughline'
import type { Adapter } from '../adapter.ts'

/** What it can keep of tool calls, the most first. */
const choices = [
  ...[200, 150, 100, 70, 50, 40, 30, 20, 15, 10, 8, 6, 4, 3, 2].map(
    (count) => `before-last-${count}-messages` as const,
  ),
  'before-last-message',
  'all',
] as const

export const aiSdkPruneMessages: Adapter = {
  name: 'AI SDK pruneMessages',
  package: 'ai',
  work: 'trims',
  settings:
    'no reasoning, and the tool calls of as many last messages as fit; it never drops text: it has no budget',
  async compact({ messages, keep }) {
    let pruned: Message[] = []
    for (const toolCalls of choices) {
      pruned = pruneMessages({
        messages: [...messages] as ModelMessage[],
        reasoning: 'all',
        toolCalls,
        emptyMessages: 'remove',
      }) as Message[]
      if (tokensOf(pruned) <= keep) break
    }
    return { messages: pruned, summary: '' }
  },
}
