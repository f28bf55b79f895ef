import { joinToolMessages } from './join-tool-messages.ts'
import { knownAgain } from '../unknown-part.ts'
import { notes, type AiSdkMessage } from './message.ts'
import type { Message, Part } from '../../log/message.ts'
import type { Pair } from '../wire.ts'

/**
 * Our messages as the SDK takes them. Those of tools that follow each other are joined, since it
 * looks for the answers to approvals in the last message alone; images become the files that it
 * now wants.
 */
export function writeMessages(messages: readonly Message[]): Pair<AiSdkMessage>[] {
  return joinToolMessages(messages).map(({ message, of }) => ({
    natives: [written(message)],
    messages: of,
  }))
}

function written(message: Message): Message {
  if (typeof message.content === 'string') return message
  const parts: readonly Part[] = message.content
  const content = parts.map((part) => writtenPart(part, message.role))
  const isSame = content.every((part, index) => part === parts[index])
  return isSame ? message : ({ ...message, content } as Message)
}

function writtenPart(part: Part, role: Message['role']): Part {
  const known = part.type === 'custom' || part.type === 'file' ? knownAgain(part, notes) : undefined
  if (known) return known as unknown as Part
  if (role !== 'user' || part.type !== 'image') return part
  const { image, mediaType = 'image', providerOptions } = part
  return { type: 'file', data: image, mediaType, ...(providerOptions && { providerOptions }) }
}
