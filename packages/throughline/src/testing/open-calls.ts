import { partsOf, type Message } from '../log/message.ts'
import type { ContextItem } from '../log/context/context-item.ts'

/** The ids of the calls that have no result. */
export function openCallIds(messages: readonly Message[]): string[] {
  const open = new Set<string>()
  for (const part of messages.flatMap(partsOf)) {
    if (part.type === 'tool-call') open.add(part.toolCallId)
    if (part.type === 'tool-result') open.delete(part.toolCallId)
  }
  return [...open]
}

/** What has become of a call, and the place of its assistant message among the items. */
export interface CallState {
  id: string
  step: number
  is: 'answered' | 'awaits approval' | 'awaits result' | 'decided' | 'aborted' | 'left to provider'
}

/**
 * The tests' own reading of the calls of a context, call by call: it shares no line with the
 * engine's.
 */
export function callStates(items: readonly ContextItem[]): CallState[] {
  return items.flatMap((item, step): CallState[] => {
    if (item.type !== 'message' || item.message.role !== 'assistant') return []
    const behind = items.slice(step + 1)
    const others = behind.findIndex(
      (next) => next.type !== 'message' || next.message.role !== 'tool',
    )
    const answers = (others < 0 ? behind : behind.slice(0, others)).flatMap((next) =>
      next.type === 'message' ? partsOf(next.message) : [],
    )
    const own = partsOf(item.message)
    return own.flatMap((call, index): CallState[] => {
      if (call.type !== 'tool-call') return []
      const id = call.toolCallId
      const later = [...own.slice(index + 1), ...answers]
      const state = (is: CallState['is']): CallState[] => [{ id, step, is }]
      if (later.some((part) => part.type === 'tool-result' && part.toolCallId === id)) {
        return state('answered')
      }
      const ask = own.find(
        (part) => part.type === 'tool-approval-request' && part.toolCallId === id,
      )
      if (call.providerExecuted && (!ask || others >= 0)) return state('left to provider')
      if (others >= 0) return state('aborted')
      if (ask?.type !== 'tool-approval-request') return state('awaits result')
      const decided = answers.some(
        (part) => part.type === 'tool-approval-response' && part.approvalId === ask.approvalId,
      )
      return state(decided ? 'decided' : 'awaits approval')
    })
  })
}
