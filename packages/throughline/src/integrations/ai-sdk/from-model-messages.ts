import { aiSdkWire } from '../../wires/ai-sdk/wire.ts'
import { messagesIn } from '../../wires/wire.ts'
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
    const [made] = messagesIn(aiSdkWire.read([message]))
    // Of a message of the SDK's there is always one.
    if (!made) return message
    known.set(message, { content: message.content, message: made })
    return made
  })
}
