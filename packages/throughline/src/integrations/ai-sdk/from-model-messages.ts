import type { ModelMessage } from 'ai'
import type { Message } from '../../log/message.ts'

const known = new WeakMap<ModelMessage, { content: unknown; message: Message }>()

/**
 * The SDK's messages as they go into a log: all that they say, without the fields that the SDK
 * sets to `undefined`, so that a log reads back the same from a store that keeps JSON. A message
 * that was looked at once is the same object again.
 * @example
 * await reconcile(session, fromModelMessages(messages))
 */
export function fromModelMessages(messages: readonly ModelMessage[]): Message[] {
  return messages.map((message) => {
    const before = known.get(message)
    if (before && before.content === message.content) return before.message
    const made = withoutUndefined(message)
    known.set(message, { content: message.content, message: made })
    return made
  })
}

function withoutUndefined(message: ModelMessage): Message {
  const { content } = message
  if (typeof content === 'string') return defined(message)
  return defined({ ...message, content: content.map(defined) } as Message)
}

/** The object itself, where it has nothing that is undefined. */
function defined<Value extends object>(value: Value): Value {
  const entries = Object.entries(value)
  if (entries.every(([, field]) => field !== undefined)) return value
  return Object.fromEntries(entries.filter(([, field]) => field !== undefined)) as Value
}
