import { isSame } from './same.ts'
import { partsOf, type Message } from '../../log/message.ts'

/** Whether two lists of our messages say the same. */
export function isSaidBy(messages: readonly Message[], others: readonly Message[]): boolean {
  return (
    messages.length === others.length &&
    messages.every((message, index) => isSameMessage(message, others[index] as Message))
  )
}

/** A text is the same alone and as a part. */
function isSameMessage(one: Message, other: Message): boolean {
  if (typeof one.content === typeof other.content) return isSame(one, other)
  const { content: _, ...rest } = one
  const { content: __, ...otherRest } = other
  return isSame(rest, otherRest) && isSame(partsOf(one), partsOf(other))
}
