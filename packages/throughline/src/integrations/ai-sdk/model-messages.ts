import { aiSdkWire } from '../../wires/ai-sdk/wire.ts'
import { sameBeginning } from '../../match/prefix.ts'
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
  // A provider's own compaction is none of the system's, whatever its API calls it.
  const start = messages.findIndex(
    (message) => message.role !== 'system' || sealedIn(message) !== undefined,
  )
  const leading = messages.slice(0, start === -1 ? messages.length : start)
  return {
    system: asModelMessages(leading).filter((message) => message.role === 'system'),
    messages: asModelMessages(
      writtenOn(leading.length > 0 ? messages.slice(leading.length) : messages),
    ),
  }
}

/** What was last written of a conversation: its messages, and the pairs with their natives. */
interface LastWritten {
  messages: readonly Message[]
  pairs: Pair<AiSdkMessage>[]
  natives: AiSdkMessage[]
}

const lastWritten = new WeakMap<Message, LastWritten>()

/** Messages that begin like the last ones are the same objects again, and not written again. */
function writtenOn(messages: readonly Message[]): AiSdkMessage[] {
  const [first] = messages
  if (!first) return []
  const last = lastWritten.get(first) ?? { messages: [], pairs: [], natives: [] }
  const same = sameBeginning(messages, last.messages)
  if (same === messages.length && same === last.messages.length) return last.natives.slice()
  let kept = 0
  let count = 0
  let written = 0
  for (; kept < last.pairs.length; kept++) {
    const pair = last.pairs[kept] as Pair<AiSdkMessage>
    const end = count + pair.messages.length
    // What is different is written again, and what it joins: results that follow join the last ones.
    if (end > same || (end === same && messages[end]?.role === 'tool')) break
    count = end
    written += pair.natives.length
  }
  last.messages = messages
  last.pairs.length = kept
  last.natives.length = written
  for (const pair of aiSdkWire.write(messages.slice(count)).map(thawed)) {
    last.pairs.push(pair)
    for (const native of pair.natives) last.natives.push(native)
  }
  lastWritten.set(first, last)
  return last.natives.slice()
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
  known.set(native, { native, content, length: content.length, message })
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
  native: ModelMessage
  content: unknown
  length: number
  message: Message
}

/** What was last read of a conversation, by its first message. */
const lastRead = new WeakMap<ModelMessage, { all: Known[]; messages: Message[] }>()
const known = new WeakMap<ModelMessage, Known>()

/**
 * The SDK's messages as a log stores them: all of their content, without fields that the SDK sets
 * to `undefined`, so that a log reads back the same from a store that keeps JSON. A message that
 * was converted before gives the same object again.
 * @example
 * await reconcile(session, fromModelMessages(messages))
 */
export function fromModelMessages(messages: readonly ModelMessage[]): Message[] {
  const [first] = messages
  if (!first) return []
  const last = lastRead.get(first) ?? { all: [], messages: [] }
  const same = sameBeginning(last.all, messages, isKnown)
  last.all.length = same
  last.messages.length = same
  for (let at = same; at < messages.length; at++) {
    const read = readNow(messages[at] as ModelMessage)
    last.all.push(read)
    last.messages.push(read.message)
  }
  lastRead.set(first, last)
  return last.messages.slice()
}

function isKnown(known: Known, native: ModelMessage): boolean {
  return (
    known.native === native &&
    known.content === native.content &&
    known.length === native.content.length
  )
}

function readNow(native: ModelMessage): Known {
  const before = known.get(native)
  if (before && isKnown(before, native)) return before
  const [made] = messagesIn(aiSdkWire.read([native]))
  const { content } = native
  // Of a message of the SDK's there is always one.
  const read = { native, content, length: content.length, message: made ?? native }
  known.set(native, read)
  return read
}
