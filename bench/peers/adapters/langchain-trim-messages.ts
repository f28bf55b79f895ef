import { trimMessages } from '@langchain/core/messages'
import { countTokens, fromLangChain, toLangChain } from '../shapes/langchain.ts'
import type { Adapter } from '../adapter.ts'

export const langchainTrimMessages: Adapter = {
  name: 'LangChain trimMessages',
  package: '@langchain/core',
  work: 'trims',
  settings: 'strategy "last", whole messages, the budget as maxTokens',
  async compact({ messages, keep }) {
    const after = await trimMessages(toLangChain(messages), {
      maxTokens: keep,
      tokenCounter: countTokens,
      strategy: 'last',
      startOn: ['human', 'ai'],
    })
    return { messages: fromLangChain(after), summary: '' }
  },
}
