import { aiSdkWire } from '../../wires/ai-sdk/wire.ts'
import { nativesIn, messagesIn } from '../../wires/wire.ts'
import type { ModelMessage, SystemModelMessage } from 'ai'
import type { Message } from '../../log/message.ts'

/** A request's messages as the SDK accepts them. */
export interface SplitPrompt {
  /** Leading system messages, which the SDK wants separate from the messages. */
  system: SystemModelMessage[]
  messages: ModelMessage[]
}

/**
 * Messages for the SDK. Consecutive tool messages are merged, because the SDK looks for the answers
 * to approvals only in the last message. Images become the files that it now expects.
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
 * The one place where our type is converted to the SDK's: media, JSON values and provider options
 * are `unknown` to us and pass through unchanged.
 */
function asModelMessages(messages: readonly { role: string }[]): ModelMessage[] {
  return messages as ModelMessage[]
}

const known = new WeakMap<ModelMessage, { content: unknown; message: Message }>()

/**
 * The SDK's messages as a log stores them: all of their content, without fields that the SDK sets
 * to `undefined`, so that a log reads back the same from a store that keeps JSON. A message that
 * was converted before gives the same object again.
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
