import { itemPool } from './pending-items.ts'
import { waitsForSomeone } from '../../log/open-calls.ts'
import type { AgentConversation } from './agents-compaction.ts'
import type { AgentInputItem, OpenAIResponsesCompactionAwareSession } from '@openai/agents'
import type { AgentItem } from '../../wires/openai-agents/item.ts'

/**
 * The session of a run. It gives what the model sees of the conversation; the rest is in the log.
 */
export function agentSession(
  id: string,
  conversation: AgentConversation,
): OpenAIResponsesCompactionAwareSession {
  async function replace(items: AgentItem[]): Promise<void> {
    const { take } = await conversation.open()
    await take(items)
    conversation.taken = items
    conversation.unsaved = []
  }

  return {
    getSessionId: async () => id,
    async getItems(limit) {
      const { messages } = await conversation.open()
      const items = messages() as AgentInputItem[]
      conversation.taken = [...items]
      conversation.unsaved = []
      return limit === undefined ? items : items.slice(Math.max(0, items.length - limit))
    },
    async addItems(items) {
      const { messages } = await conversation.open()
      const saved = itemPool(conversation.unsaved)
      // The SDK may hand over a summary of ours in the place of what the summary replaced.
      const ours = itemPool(conversation.unsaved.length > 0 ? messages() : [])
      const fresh = items.filter((item) => !saved.take(item) && !ours.take(item))
      await replace([...conversation.taken, ...fresh])
    },
    async popItem() {
      await conversation.open()
      const last = conversation.taken.at(-1)
      if (last) await replace(conversation.taken.slice(0, -1))
      return last as AgentInputItem | undefined
    },
    clearSession: () => replace([]),
    async runCompaction(args) {
      const { session, messages } = await conversation.open()
      if (waitsForSomeone(session.context().items)) return null
      const report = await (args?.force === true ? session.compact() : session.fit())
      if (report.action === 'none') return null
      conversation.taken = messages()
      const { inputTokens = 0, outputTokens = 0 } = report.spent ?? {}
      const usage = { inputTokens, outputTokens, totalTokens: inputTokens + outputTokens }
      return { usage: usage as never }
    },
  }
}
