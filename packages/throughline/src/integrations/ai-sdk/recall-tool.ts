import { jsonSchema, tool, type Tool } from 'ai'
import { recallDescription, recallInputSchema, recallReply } from '../../session/recall/reply.ts'
import type { RecallOptions } from '../../session/recall/question.ts'
import type { Store } from '../../session/store.ts'

/** Which session is read, and how much at once. */
export interface RecallToolOptions extends RecallOptions {
  store: Store
  /** The session's id in the store. */
  id: string
}

/**
 * A tool with which the model reads back what was pruned, clipped or summarized. Set its name in
 * the policy, so that texts mention it to the model. Mistakes that the model can correct are
 * returned as text.
 * @example
 * const tools = { recall: recallTool({ store, id: 'a' }) }
 * const policy = { ...defaultPolicy, recallTool: 'recall' }
 */
export function recallTool({ store, id, ...options }: RecallToolOptions): Tool<unknown, string> {
  return tool({
    description: recallDescription,
    inputSchema: jsonSchema<unknown>(recallInputSchema),
    execute: async (input) => {
      const reply = await recallReply(store, id, input, options)
      return 'text' in reply ? reply.text : reply.error
    },
  })
}
