import type { Message } from '../log/message.ts'

export interface Pairs {
  /** Calls without a result, except the pending ones of the newest step. */
  orphanCalls: number
  /** Results whose call isn't in the message before them. */
  orphanResults: number
}

/** Whether each call of a context has its one result, and each result its call. */
export function pairsOf(messages: readonly Message[]): Pairs {
  let open = new Set<string>()
  const pairs: Pairs = { orphanCalls: 0, orphanResults: 0 }
  for (const message of messages) {
    if (message.role !== 'tool') {
      pairs.orphanCalls += open.size
      open = new Set()
    }
    if (typeof message.content === 'string') continue
    for (const part of message.content) {
      if (part.type === 'tool-call') open.add(part.toolCallId)
      if (part.type === 'tool-result' && !open.delete(part.toolCallId)) pairs.orphanResults++
    }
  }
  return pairs
}
