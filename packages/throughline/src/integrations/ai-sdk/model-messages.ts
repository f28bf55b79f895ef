import { aiSdkWire } from '../../wires/ai-sdk/wire.ts'
import { isEach } from '../../match/prefix.ts'
import { sealedIn } from '../../log/context/provider-compaction.ts'
import { messagesIn, nativesIn, type Pair } from '../../wires/wire.ts'
import type { ModelMessage, SystemModelMessage } from 'ai'
import type { AiSdkMessage } from '../../wires/ai-sdk/read-parts.ts'
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
  // A provider's own compaction is none of the system's, whatever its API calls it.
  const start = messages.findIndex(
    (message) => message.role !== 'system' || sealedIn(message) !== undefined,
  )
  const leading = messages.slice(0, start === -1 ? messages.length : start)
  return {
    system: asModelMessages(leading).filter((message) => message.role === 'system'),
    messages: asModelMessages(
      nativesIn(aiSdkWire.write(messages.slice(leading.length)).map(asBefore)),
    ),
  }
}

const written = new WeakMap<Message, Pair<AiSdkMessage>>()

/** What was written before is the same object again. */
function asBefore(pair: Pair<AiSdkMessage>): Pair<AiSdkMessage> {
  const [message] = pair.messages
  if (!message) return pair
  const before = written.get(message)
  if (before && isEach(before.messages, pair.messages)) return before
  const made = thawed(pair)
  written.set(message, made)
  return made
}

/**
 * The host's own lists of parts, where a store has frozen them: engines go through frozen lists
 * slowly, and the SDK does so several times a step.
 */
function thawed(pair: Pair<AiSdkMessage>): Pair<AiSdkMessage> {
  const [message] = pair.messages
  if (!message || pair.natives.length !== 1) return pair
  if (message.role === 'system') return knownAs(pair, message)
  if (pair.natives[0] !== message) return pair
  if (typeof message.content === 'string' || !Object.isFrozen(message.content)) return pair
  const content = message.content.slice()
  return knownAs({ ...pair, natives: [{ ...message, content } as ModelMessage] }, message)
}

/** Where it comes back, it is what it was made of. */
function knownAs(pair: Pair<AiSdkMessage>, message: Message): Pair<AiSdkMessage> {
  const native = pair.natives[0] as ModelMessage
  const { content } = native
  known.set(native, { content, length: content.length, message })
  return pair
}

/**
 * The one place where our type is converted to the SDK's: media, JSON values and provider options
 * are `unknown` to us and pass through unchanged.
 */
function asModelMessages(messages: readonly { role: string }[]): ModelMessage[] {
  return messages as ModelMessage[]
}

interface Known {
  content: unknown
  length: number
  message: Message
}

const known = new WeakMap<ModelMessage, Known>()

/**
 * The SDK's messages as a log stores them: all of their content, without fields that the SDK sets
 * to `undefined`, so that a log reads back the same from a store that keeps JSON. A message that
 * was converted before gives the same object again.
 * @example
 * await reconcile(session, fromModelMessages(messages))
 */
export function fromModelMessages(messages: readonly ModelMessage[]): Message[] {
  return messages.map(readNow)
}

function isKnown({ content, length }: Known, native: ModelMessage): boolean {
  return content === native.content && length === native.content.length
}

function readNow(native: ModelMessage): Message {
  const before = known.get(native)
  if (before && isKnown(before, native)) return before.message
  const [made] = messagesIn(aiSdkWire.read([native]))
  const { content } = native
  // Of a message of the SDK's there is always one.
  const message: Message = made ?? native
  known.set(native, { content, length: content.length, message })
  return message
}
