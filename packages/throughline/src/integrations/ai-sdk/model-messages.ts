import { aiSdkWire } from '../../wires/ai-sdk/wire.ts'
import { nativesIn, messagesIn } from '../../wires/wire.ts'
import type { ModelMessage, SystemModelMessage } from 'ai'
import type { Message } from '../../log/message.ts'

/** A request's messages as the SDK takes them. */
export interface SplitPrompt {
  /** System messages that stand first: the SDK wants them beside the messages, not among them. */
  system: SystemModelMessage[]
  messages: ModelMessage[]
}

/**
 * Messages for the SDK. Those of tools that follow each other are joined, since it looks for the
 * answers to approvals in the last message alone; images become the files that it now wants.
 * @example
 * const { system, messages } = toModelMessages(session.messages())
 */
export function toModelMessages(messages: readonly Message[]): SplitPrompt {
  const start = messages.findIndex(({ role }) => role !== 'system')
  const leading = messages.slice(0, start === -1 ? messages.length : start)
  const others = nativesIn(aiSdkWire.write(messages.slice(leading.length)))
  return {
    system: asModelMessages(leading).filter((message) => message.role === 'system'),
    messages: asModelMessages(others),
  }
}

/**
 * The one place where our type gives way to the SDK's: media, JSON values and provider options
 * are `unknown` to us and pass through as they came.
 */
function asModelMessages(messages: readonly { role: string }[]): ModelMessage[] {
  return messages as ModelMessage[]
}

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
