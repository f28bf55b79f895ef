import { partsOf, type Message } from '../log/message.ts'

/** The ids of the calls that have no result. */
export function openCallIds(messages: readonly Message[]): string[] {
  const open = new Set<string>()
  for (const part of messages.flatMap(partsOf)) {
    if (part.type === 'tool-call') open.add(part.toolCallId)
    if (part.type === 'tool-result') open.delete(part.toolCallId)
  }
  return [...open]
}
