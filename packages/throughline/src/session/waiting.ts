import { partsOf } from '../log/message.ts'
import type { ContextItem } from '../log/context-item.ts'
import type { AssistantMessage, Message, ToolCallPart, ToolMessage } from '../log/message.ts'

/**
 * Whether the newest step waits for someone: for the result of a call, or for the answer to an
 * approval. A call that was approved waits for nobody; the next step runs it.
 */
export function waitsForSomeone(items: readonly ContextItem[]): boolean {
  const answers: ToolMessage[] = []
  for (let index = items.length - 1; index >= 0; index--) {
    const item = items[index] as ContextItem
    if (item.type !== 'message') return false
    const { message } = item
    if (message.role === 'assistant') return unanswered(message, answers)
    if (message.role !== 'tool') return false
    answers.push(message)
  }
  return false
}

/** The calls of these messages that have no result, as far as the provider does not run them. */
export function openCalls(messages: readonly Message[]): ToolCallPart[] {
  const open = new Map<string, ToolCallPart>()
  for (const part of messages.flatMap(partsOf)) {
    if (part.type === 'tool-call' && !part.providerExecuted) open.set(part.toolCallId, part)
    if (part.type === 'tool-result') open.delete(part.toolCallId)
  }
  return [...open.values()]
}

function unanswered(message: AssistantMessage, answers: readonly ToolMessage[]): boolean {
  const waiting = new Set(openCalls([message, ...answers]).map(({ toolCallId }) => toolCallId))
  const approvals = new Set<string>()
  for (const part of answers.flatMap(partsOf)) {
    if (part.type === 'tool-approval-response') approvals.add(part.approvalId)
  }
  for (const part of partsOf(message)) {
    if (part.type !== 'tool-approval-request') continue
    if (approvals.has(part.approvalId)) waiting.delete(part.toolCallId)
    else waiting.add(part.toolCallId)
  }
  return waiting.size > 0
}
