import { partsOf, type Message } from '../log/message.ts'

/**
 * Fields of a request that aren't part of the message's content: where a provider's cache ends; the
 * name of a result's tool, which comes from its call; and the id by which a framework keeps a
 * message.
 */
const beside: ReadonlySet<string> = new Set([
  'cache_control',
  'prompt_cache_breakpoint',
  'toolName',
  'messageId',
])

/** Whether two messages, or parts of them, say the same. */
export function isSame(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true
  if (Array.isArray(one) || Array.isArray(other)) {
    return (
      Array.isArray(one) &&
      Array.isArray(other) &&
      one.length === other.length &&
      one.every((item, index) => isSame(item, other[index]))
    )
  }
  const left = fieldsIn(one)
  const right = fieldsIn(other)
  if (!left || !right) return saysNothing(one) && saysNothing(other)
  for (const key in left) {
    if (Object.hasOwn(left, key) && !beside.has(key) && !isSame(left[key], right[key])) return false
  }
  for (const key in right) {
    if (Object.hasOwn(left, key) || !Object.hasOwn(right, key) || beside.has(key)) continue
    if (!saysNothing(right[key])) return false
  }
  return true
}

function fieldsIn(value: unknown): Readonly<Record<string, unknown>> | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : undefined
}

/** Equal to a missing field: one that contains only fields that aren't content. */
function saysNothing(value: unknown): boolean {
  const fields = fieldsIn(value)
  if (!fields) return value === undefined
  return Object.keys(fields).every((key) => beside.has(key) || saysNothing(fields[key]))
}

/** Whether two lists of our messages say the same. */
export function isSaidBy(messages: readonly Message[], others: readonly Message[]): boolean {
  return (
    messages.length === others.length &&
    messages.every((message, index) => isSameMessage(message, others[index] as Message))
  )
}

/** A text is the same alone and as a part. */
function isSameMessage(one: Message, other: Message): boolean {
  if (one === other) return true
  if (typeof one.content === typeof other.content) return isSame(one, other)
  const { content: _, ...rest } = one
  const { content: __, ...otherRest } = other
  return isSame(rest, otherRest) && isSame(partsOf(one), partsOf(other))
}
