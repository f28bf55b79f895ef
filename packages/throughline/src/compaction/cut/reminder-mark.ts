import type { ContextItem } from '../../log/context/context-item.ts'

/** The mark of a message that only told the agent that a compaction is near. */
export const reminderMark = { reminder: true } as const

/** Whether it is such a message: what it says is no longer true after a compaction. */
export function isReminder(item: ContextItem): boolean {
  return item.type === 'message' && item.metadata?.['reminder'] === true
}
