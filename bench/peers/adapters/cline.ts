import { createContextCompactionPrepareTurn } from '@cline/core'
import { fromCline, toCline, type ClineMessage } from '../shapes/cline.ts'
import type { Adapter } from '../adapter.ts'

/** Cline aims at this share of the window it is given. */
const targetRatio = 0.7

export const cline: Adapter = {
  name: 'Cline basic compaction',
  package: '@cline/core',
  work: 'trims',
  settings: 'strategy "basic", a window of which the budget is its target; by its own estimate',
  async compact({ messages, keep }) {
    const window = Math.floor(keep / targetRatio)
    const prepareTurn = createContextCompactionPrepareTurn({
      providerId: 'stand-in',
      modelId: 'stand-in',
      apiKey: '',
      sessionId: 'bench',
      compaction: { enabled: true, strategy: 'basic' },
    } as never)
    const before = toCline(messages)
    const result = await prepareTurn?.({
      agentId: 'bench',
      conversationId: 'bench',
      parentAgentId: null,
      iteration: 1,
      messages: before,
      apiMessages: before,
      abortSignal: new AbortController().signal,
      systemPrompt: '',
      tools: [],
      model: {
        id: 'stand-in',
        provider: 'stand-in',
        info: { id: 'stand-in', contextWindow: window, maxInputTokens: window },
      },
    } as never)
    const after = (result?.messages ?? before) as unknown as ClineMessage[]
    return { messages: fromCline(after), summary: '' }
  },
}
