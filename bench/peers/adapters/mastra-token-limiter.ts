import { TokenLimiterProcessor } from '@mastra/core/processors'
import type { Message } from 'throughline'
import type { Adapter } from '../adapter.ts'

export const mastraTokenLimiter: Adapter = {
  name: 'Mastra TokenLimiter',
  package: '@mastra/core',
  work: 'trims',
  settings: 'the budget as its limit, by its own estimate of tokens',
  async compact({ messages, keep }) {
    const limiter = new TokenLimiterProcessor({ limit: keep })
    const prompt = messages.map((message) =>
      message.role !== 'system' && typeof message.content === 'string'
        ? { ...message, content: [{ type: 'text', text: message.content }] }
        : message,
    )
    const answer = await limiter.processLLMRequest({ prompt } as never)
    const after = (answer as { prompt?: Message[] } | undefined)?.prompt ?? prompt
    return { messages: after as Message[], summary: '' }
  },
}
