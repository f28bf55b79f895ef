import { summarizationMiddleware } from 'langchain'
import { RemoveMessage, type BaseMessage } from '@langchain/core/messages'
import { summaryTokens, tailShare, type Adapter } from '../adapter.ts'
import { countTokens, fromLangChain, StandInChatModel, toLangChain } from '../shapes/langchain.ts'

export const langchainSummarization = adapterShowing(
  'LangChain summarizationMiddleware',
  '40% of the budget for messages; it shows the model the newest 4,000 tokens of the rest, its default',
)

/** The same, for users who have found the option. */
export const langchainSummarizationOfAll = adapterShowing(
  'LangChain summarizationMiddleware, trimTokensToSummarize raised',
  '40% of the budget for messages; it shows the model all of the rest',
  1_000_000,
)

function adapterShowing(name: string, settings: string, shown?: number): Adapter {
  return {
    name,
    package: 'langchain',
    work: 'summarizes',
    settings,
    async compact({ messages, keep, model }) {
      const options = {
        model: new StandInChatModel(model, summaryTokens(keep)),
        trigger: { tokens: 1 },
        keep: { tokens: Math.floor(keep * tailShare) },
        tokenCounter: countTokens,
        ...(shown !== undefined && { trimTokensToSummarize: shown }),
      }
      const { beforeModel } = summarizationMiddleware(options as never)
      const before = toLangChain(messages)
      const run = typeof beforeModel === 'function' ? beforeModel : beforeModel?.hook
      const answer = await run?.({ messages: before } as never, { context: {} } as never)
      const changed = (answer as { messages?: BaseMessage[] } | undefined)?.messages
      if (!changed) return { messages: fromLangChain(before), summary: '' }
      const after = changed.filter((message) => !RemoveMessage.isInstance(message))
      return { messages: fromLangChain(after), summary: after[0]?.text ?? '' }
    },
  }
}
