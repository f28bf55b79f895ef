import { joinToolMessages } from './join-tool-messages.ts'
import type { ModelMessage, SystemModelMessage } from 'ai'
import type { Message, UserMessage, UserPart } from '../../log/message.ts'

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
  const others = joinToolMessages(messages.slice(leading.length)).map(withImagesAsFiles)
  return {
    system: asModelMessages(leading).filter((message) => message.role === 'system'),
    messages: asModelMessages(others),
  }
}

function withImagesAsFiles(message: Message): Message {
  if (message.role !== 'user' || typeof message.content === 'string') return message
  if (!message.content.some((part) => part.type === 'image')) return message
  return { ...message, content: message.content.map(imageAsFile) } satisfies UserMessage
}

function imageAsFile(part: UserPart): UserPart {
  if (part.type !== 'image') return part
  const { image, mediaType = 'image', providerOptions } = part
  return { type: 'file', data: image, mediaType, ...(providerOptions && { providerOptions }) }
}

/**
 * The one place where our type gives way to the SDK's: media, JSON values and provider options
 * are `unknown` to us and pass through as they came.
 */
function asModelMessages(messages: readonly Message[]): ModelMessage[] {
  return messages as ModelMessage[]
}
