import type { ContextItem } from '../../log/context/context-item.ts'

/** What says of a message that it only told the agent of a compaction that is near. */
export const reminderMark = { reminder: true } as const

/** Whether it is such a message: what it says is no longer true after a compaction. */
export function isReminder(item: ContextItem): boolean {
  return item.type === 'message' && item.metadata?.['reminder'] === true
}
