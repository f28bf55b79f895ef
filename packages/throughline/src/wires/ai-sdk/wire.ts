import { fieldsOf, textOf, type Fields } from '../../json/fields.ts'
import { modelMessages } from './ui-messages.ts'
import { oneByOne, wireOf, type Wire, type Pair } from '../wire.ts'
import {
  type AiSdkMessage,
  notes,
  assistantParts,
  toolParts,
  unknownIn,
  userParts,
} from './read-parts.ts'
import { knownAgain } from '../unknown-part.ts'
import { sealedIn } from '../../log/context/provider-compaction.ts'
import type {
  AssistantMessage,
  Message,
  Part,
  ProviderOptions,
  SystemMessage,
  ToolMessage,
} from '../../log/message.ts'
import { definedFields, type At, optionsOf } from './whole-part.ts'
import type { Reading } from '../reading.ts'

/**
 * The AI SDK's messages, which are ours but for what is new or odd in them. Those of its user
 * interface are read as what the SDK makes of them for the model; nobody writes them here.
 */
export const aiSdkWire: Wire<AiSdkMessage> = wireOf({
  reader: (reading, before) =>
    oneByOne('messages', before, (native, place) => {
      const fields = fieldsOf(native) ?? {}
      if (!Array.isArray(fields['parts'])) return readMessage(fields, place, reading)
      const { messages, unknown } = modelMessages(fields)
      for (const part of unknown) reading.misfit(unknownIn(place, part))
      return messages.flatMap((message) => readMessage(message, place, reading))
    }),
  write: (messages) => writeMessages(messages),
})

/**
 * Our messages as the SDK takes them. Those of tools that follow each other are joined, since it
 * looks for the answers to approvals in the last message alone; images become the files that it
 * now wants.
 */
function writeMessages(messages: readonly Message[]): Pair<AiSdkMessage>[] {
  return joinToolMessages(messages).map(({ message, of }) => ({
    natives: [written(message)],
    messages: of,
  }))
}

function written(message: Message): Message {
  if (message.role === 'system') return compactionOf(message) ?? message
  if (typeof message.content === 'string') return message
  const parts: readonly Part[] = message.content
  const content = parts.map((part) => writtenPart(part, message.role))
  const isSame = content.every((part, index) => part === parts[index])
  return isSame ? message : ({ ...message, content } as Message)
}

/** A provider's own compaction, which other APIs have beside the answers, as the SDK's packages have it. */
function compactionOf(message: SystemMessage): AssistantMessage | undefined {
  const sealed = sealedIn(message)
  if (!sealed) return undefined
  const { provider, id, content, signature } = sealed
  const type = 'compaction'
  if (provider === 'anthropic') {
    const anthropic = { type, ...(signature !== undefined && { signature }) }
    return {
      role: 'assistant',
      content: [{ type: 'text', text: content, providerOptions: { anthropic } }],
    }
  }
  const openai = { type, itemId: id, encryptedContent: content }
  const part = { type: 'custom', kind: 'openai.compaction', providerOptions: { openai } } as const
  return { role: 'assistant', content: [part] }
}

function writtenPart(part: Part, role: Message['role']): Part {
  const known = part.type === 'custom' || part.type === 'file' ? knownAgain(part, notes) : undefined
  if (known) return known as unknown as Part
  if (role !== 'user' || part.type !== 'image') return part
  const { image, mediaType = 'image', providerOptions } = part
  return { type: 'file', data: image, mediaType, ...(providerOptions && { providerOptions }) }
}

/**
 * Converts a message of the SDK to ours: the same object if nothing has to change, and nothing if
 * it isn't a message.
 */
function readMessage(native: Fields, place: string, reading: Reading): Message[] {
  const at = { place, reading }
  const { role, content } = native
  switch (role) {
    case 'system':
      return [whole(native, textOf(content) ?? '', at)]
    case 'user':
      return [whole(native, typeof content === 'string' ? content : userParts(content, at), at)]
    case 'assistant':
      return [
        whole(native, typeof content === 'string' ? content : assistantParts(content, at), at),
      ]
    case 'tool':
      return [whole(native, toolParts(content, at), at)]
    default: {
      const problem = `the role ${JSON.stringify(role)} is unknown`
      reading.misfit({ place, problem, reason: 'unknown-record' })
      return []
    }
  }
}

function whole(native: Fields, content: unknown, { reading }: At): Message {
  const defined = definedFields(native)
  const { providerOptions } = defined
  const options = optionsOf(providerOptions, reading)
  if (content === defined['content'] && options === providerOptions) {
    return defined as unknown as Message
  }
  const { providerOptions: _, ...others } = defined
  const noted = fieldsOf(options) && { providerOptions: options }
  return { ...others, content, ...noted } as unknown as Message
}

/**
 * Merges consecutive tool messages, because the SDK looks for the answers to approvals only in the
 * last message. Provider options of a message go where the SDK puts them when it merges messages
 * itself: to the last result of the first one, or to the merged message if it has none.
 */
function joinToolMessages(messages: readonly Message[]): Joined[] {
  const joined: Joined[] = []
  for (const message of messages) {
    const before = joined.at(-1)
    if (message.role === 'tool' && before?.message.role === 'tool') {
      const both = joinedMessage(before.message, message)
      joined[joined.length - 1] = { message: both, of: [...before.of, message] }
    } else {
      joined.push({ message, of: [message] })
    }
  }
  return joined
}

interface Joined {
  message: Message
  of: readonly Message[]
}

function joinedMessage(before: ToolMessage, message: ToolMessage): ToolMessage {
  const { providerOptions: told = {}, ...first } = before
  const last = first.content.findLastIndex(({ type }) => type === 'tool-result')
  const content = first.content.map((part, index) =>
    index === last && part.type === 'tool-result' ? withOptions(part, told) : part,
  )
  const joined = { ...first, content: [...content, ...message.content] }
  const { providerOptions } = message
  return withOptions(
    { ...joined, ...(providerOptions && { providerOptions }) },
    last < 0 ? told : {},
  )
}

/** Its own provider options win. */
function withOptions<Told extends { providerOptions?: ProviderOptions }>(
  value: Told,
  told: ProviderOptions,
): Told {
  if (Object.keys(told).length === 0) return value
  return { ...value, providerOptions: merged(told, value.providerOptions ?? {}) }
}

/** The second one wins, at any depth. */
function merged<Value extends Record<string, unknown>>(one: Value, other: Value): Value {
  const fields = Object.entries(other).map(([name, value]) => {
    const before = one[name]
    return [name, isFields(before) && isFields(value) ? merged(before, value) : value]
  })
  return { ...one, ...Object.fromEntries(fields) }
}

function isFields(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
