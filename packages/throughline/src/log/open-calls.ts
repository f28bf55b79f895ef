import type { ContextItem } from './context-item.ts'
import type { AssistantMessage, ToolMessage } from './message.ts'

/** Where a tool message must stand: behind its step, before whatever was said meanwhile. */
export function placeForResults(
  items: readonly ContextItem[],
  message: ToolMessage,
): number | undefined {
  let place = items.length
  const answered = new Set<string>()
  for (let index = items.length - 1; index >= 0; index--) {
    const item = items[index] as ContextItem
    if (item.type === 'summary') return undefined
    if (item.type !== 'message') {
      place = index
      continue
    }
    if (item.message.role === 'tool') {
      addResultIds(item.message, answered)
    } else if (item.message.role === 'assistant') {
      const open = openCallIds(item.message, answered)
      // A call takes one result: `delete` says no to the second.
      const answers = message.content.every(
        (part) => part.type !== 'tool-result' || open.delete(part.toolCallId),
      )
      return answers ? place : undefined
    } else {
      place = index
    }
  }
  return undefined
}

/** Calls that the provider runs itself wait for nobody: it puts their results in by itself. */
function openCallIds(message: AssistantMessage, answered: ReadonlySet<string>): Set<string> {
  const open = new Set<string>()
  if (typeof message.content === 'string') return open
  for (const part of message.content) {
    if (part.type === 'tool-result') open.delete(part.toolCallId)
    if (part.type !== 'tool-call' || part.providerExecuted) continue
    if (!answered.has(part.toolCallId)) open.add(part.toolCallId)
  }
  return open
}

/** Where the newest step begins, if it still waits for results. */
export function openStepStart(items: readonly ContextItem[]): number | undefined {
  const answered = new Set<string>()
  for (let index = items.length - 1; index >= 0; index--) {
    const item = items[index] as ContextItem
    if (item.type !== 'message' || item.message.role === 'user') return undefined
    if (item.message.role === 'assistant') {
      return openCallIds(item.message, answered).size > 0 ? index : undefined
    }
    if (item.message.role === 'tool') addResultIds(item.message, answered)
  }
  return undefined
}

function addResultIds(message: ToolMessage, ids: Set<string>): void {
  for (const part of message.content) {
    if (part.type === 'tool-result') ids.add(part.toolCallId)
  }
}
