import type { ContextItem } from '../../log/context/context-item.ts'
import type { Message } from '../../log/message.ts'

/** What the seeds see of a context: messages with roles, in order; a continuation is one of them. */
export function messageOf(item: ContextItem): Message | undefined {
  if (item.type === 'message') return item.message
  return item.type === 'continuation' ? item.continuation.message : undefined
}

export function roleOf(item: ContextItem): Message['role'] | undefined {
  return messageOf(item)?.role
}
