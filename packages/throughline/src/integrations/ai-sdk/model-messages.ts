import { aiSdkWire } from '../../wires/ai-sdk/wire.ts'
import { noteSameBeginning } from '../../match/host-array.ts'
import { isEach, sameBeginning } from '../../match/prefix.ts'
import { sealedIn } from '../../log/context/provider-compaction.ts'
import { messagesIn, type Pair } from '../../wires/wire.ts'
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
  return modelMessagesWriter()(messages)
}

/** The same for a conversation: what the last list began with is not written again. */
export function modelMessagesWriter(): (messages: readonly Message[]) => SplitPrompt {
  let last: readonly Message[] = []
  const natives: AiSdkMessage[] = []
  /** How many messages each of these was made of. */
  const counts: number[] = []
  return (messages) => {
    const same = sameBeginning(messages, last)
    let end = last.length
    // What follows may be merged with the last one.
    do end -= counts.pop() ?? 0
    while (end > same)
    natives.length = counts.length
    for (const pair of aiSdkWire.write(messages.slice(end)).map(asBefore)) {
      natives.push(...pair.natives)
      counts.push(pair.messages.length)
    }
    last = messages
    // A provider's own compaction is none of the system's, whatever its API calls it.
    const start = messages.findIndex(
      (message) => message.role !== 'system' || sealedIn(message) !== undefined,
    )
    const leading = start === -1 ? messages.length : start
    return {
      system: asModelMessages(natives.slice(0, leading)).filter(
        (message) => message.role === 'system',
      ),
      messages: asModelMessages(natives.slice(leading)),
    }
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
  if (message.role === 'system') {
    knownAs(pair.natives[0] as ModelMessage, message)
    return pair
  }
  if (pair.natives[0] !== message) return pair
  if (typeof message.content === 'string' || !Object.isFrozen(message.content)) return pair
  const native = { ...message, content: message.content.slice() } as ModelMessage
  knownAs(native, message)
  return { ...pair, natives: [native] }
}

/** Where it comes back, it is what it was made of. */
function knownAs(native: ModelMessage, message: Message): Known {
  const { content } = native
  const one = { native, content, length: content.length, message }
  known.set(native, one)
  return one
}

/**
 * The one place where our type is converted to the SDK's: media, JSON values and provider options
 * are `unknown` to us and pass through unchanged.
 */
function asModelMessages(messages: readonly { role: string }[]): ModelMessage[] {
  return messages as ModelMessage[]
}

interface Known {
  native: ModelMessage
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
  return messages.map((native) => readNow(native).message)
}

/** The same for a conversation: what the last list began with is not looked up again. */
export function modelMessagesReader(): typeof fromModelMessages {
  const read: ModelMessage[] = []
  // Beside each other in memory: only the host's own messages must be fetched to compare them.
  const contents: unknown[] = []
  const lengths: number[] = []
  let messages: Message[] = []
  return (natives) => {
    const most = Math.min(natives.length, read.length)
    let same = 0
    while (same < most && natives[same] === read[same]) {
      const { content } = natives[same] as ModelMessage
      if (content !== contents[same] || content.length !== lengths[same]) break
      same++
    }
    read.length = contents.length = lengths.length = same
    const before = messages
    messages = before.slice(0, same)
    noteSameBeginning(messages, before, same)
    for (let at = same; at < natives.length; at++) {
      const one = readNow(natives[at] as ModelMessage)
      read.push(one.native)
      contents.push(one.content)
      lengths.push(one.length)
      messages.push(one.message)
    }
    return messages
  }
}

function isKnown(now: ModelMessage, { native, content, length }: Known): boolean {
  return now === native && content === now.content && length === now.content.length
}

function readNow(native: ModelMessage): Known {
  const before = known.get(native)
  if (before && isKnown(native, before)) return before
  const [made] = messagesIn(aiSdkWire.read([native]))
  // Of a message of the SDK's there is always one.
  return knownAs(native, made ?? native)
}
