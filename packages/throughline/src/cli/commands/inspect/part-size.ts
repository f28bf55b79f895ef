import type { RealCounter } from '../../sizes/real-counter.ts'
import type { AssistantMessage, AssistantPart, ToolPart } from '../../../log/message.ts'

const empty: AssistantMessage = { role: 'assistant', content: [] }

/** What a part adds to its message, in tokens. */
export function partSize(part: AssistantPart | ToolPart, { message: count }: RealCounter): number {
  const message = { ...empty, content: [part] } as AssistantMessage
  return count(message) - count(empty)
}
