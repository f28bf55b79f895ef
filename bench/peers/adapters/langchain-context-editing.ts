import { ClearToolUsesEdit } from 'langchain'
import { ToolMessage } from '@langchain/core/messages'
import { countTokens, fromLangChain, StandInChatModel, toLangChain } from '../shapes/langchain.ts'
import type { Adapter } from '../adapter.ts'

export const langchainContextEditing: Adapter = {
  name: 'LangChain ContextEditing (ClearToolUsesEdit)',
  package: 'langchain',
  work: 'trims',
  settings:
    'keeps the newest tool results that fit next to everything else, which it never clears: it has no budget',
  async compact({ messages, keep, model }) {
    const after = toLangChain(messages)
    const others = countTokens(after.filter((message) => !ToolMessage.isInstance(message)))
    const room = keep - others
    const edit = new ClearToolUsesEdit({
      trigger: { tokens: 1 },
      keep: room > 0 ? { tokens: room } : { messages: 0 },
    })
    await edit.apply({
      messages: after,
      model: new StandInChatModel(model, 1),
      countTokens: async (some) => countTokens(some),
    })
    return { messages: fromLangChain(after), summary: '' }
  },
}
