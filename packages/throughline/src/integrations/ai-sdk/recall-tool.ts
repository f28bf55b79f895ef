import { jsonSchema, tool, type Tool } from 'ai'
import { recallDescription, recallInputSchema, recallReply } from '../../session/recall/reply.ts'
import type { RecallOptions } from '../../session/recall/asked.ts'
import type { Store } from '../../session/store.ts'

/** Whose past is read, and how much of it at once. */
export interface RecallToolOptions extends RecallOptions {
  store: Store
  /** The session's id in the store. */
  id: string
}

/**
 * A tool by which the model reads back what was pruned, clipped or summarized. Give its name to
 * the policy, so that the model is told of it. What the model can correct comes back as text.
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
