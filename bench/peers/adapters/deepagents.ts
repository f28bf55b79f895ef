import { createSummarizationMiddleware, type StateBackend } from 'deepagents'
import { summaryTokens, tailShare, type Adapter } from '../adapter.ts'
import { ContextOverflowError } from '@langchain/core/errors'
import { countTokens, fromLangChain, StandInChatModel, toLangChain } from '../shapes/langchain.ts'
import type { BaseMessage } from '@langchain/core/messages'

/** Its file with the whole history is not counted, because it isn't part of the context. */
const nowhere = {
  write: async (path: string) => ({ path }),
  edit: async (path: string) => ({ path }),
}

export const deepagents: Adapter = {
  name: 'deepagents summarization',
  package: 'deepagents',
  work: 'summarizes',
  settings:
    'keep 40% of the budget as messages; a model whose window is the budget, and that refuses what is longer',
  async compact({ messages, keep, model }) {
    const middleware = createSummarizationMiddleware({
      model: new StandInChatModel(model, summaryTokens(keep), keep),
      backend: nowhere as unknown as StateBackend,
      trigger: { type: 'tokens', value: 1 },
      keep: { type: 'tokens', value: Math.floor(keep * tailShare) },
    })
    const before = toLangChain(messages)
    let after: BaseMessage[] = before
    const request = {
      messages: before,
      state: { messages: before, _summarizationSessionId: 'bench' },
      tools: [],
      runtime: {},
    }
    const handler = async (changed: { messages: BaseMessage[] }): Promise<unknown> => {
      if (countTokens(changed.messages) > keep) throw new ContextOverflowError('too long')
      after = changed.messages
      return { content: '' }
    }
    await middleware.wrapModelCall?.(request as never, handler as never)
    const first = after === before ? '' : (after[0]?.text ?? '')
    // Around it is the path of its history file, which no session ever held.
    const summary = first.slice(first.indexOf('<summary>'))
    return { messages: fromLangChain(after), summary }
  },
}
