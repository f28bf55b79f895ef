import type { Message } from '../../log/message.ts'
import type { Unit } from '../../log/steps.ts'

/** The messages of a context as the seeds see them: roles, in order. */
export function messagesOf(units: readonly Unit[]): Message[] {
  return units.flatMap((unit) =>
    unit.items.flatMap((item) => {
      if (item.type === 'message') return [item.message]
      return item.type === 'continuation' ? [item.continuation.message] : []
    }),
  )
}
