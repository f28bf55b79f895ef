import { fieldsOf, type Fields } from '../../json/fields.ts'
import { isUnknown } from '../../wires/unknown-part.ts'
import { lenientReading } from '../../wires/reading.ts'
import { messagesIn } from '../../wires/wire.ts'
import { openaiChatWire } from '../../wires/openai-chat/wire.ts'
import {
  partsOf,
  type AssistantPart,
  type Part,
  type ToolOutput,
  type UserPart,
} from '../../log/message.ts'
import type { ChatMessage } from '../../wires/openai-chat/message.ts'
import type { OriginPart } from '../conversation/user-messages.ts'

/** An assistant's message of Chat Completions as parts, where a harness recorded it. */
export function assistantParts(message: Fields): AssistantPart[] {
  const parts = partsIn({ ...message, role: 'assistant' }) as AssistantPart[]
  return parts.filter((part) => part.type !== 'text' || part.text !== '')
}

/** What a model thought. */
export function reasoningParts(message: Fields): AssistantPart[] {
  return assistantParts(message).filter(({ type }) => type === 'reasoning')
}

export function userParts(content: unknown): OriginPart[] {
  const parts = partsIn({ role: 'user', content }) as UserPart[]
  return parts.flatMap((part): OriginPart[] => {
    if (part.type === 'text' && part.text === '') return []
    return [{ origin: isUnknown(part) ? 'harness' : 'human', part }]
  })
}

export function toolOutput(content: unknown): ToolOutput {
  const [part] = partsIn({ role: 'tool', tool_call_id: 'call', content })
  return part?.type === 'tool-result' ? part.output : { type: 'text', value: '' }
}

function partsIn(native: Fields): readonly Part[] {
  const reading = lenientReading(() => undefined)
  const read = openaiChatWire.read([fieldsOf(native) as unknown as ChatMessage], [], reading)
  return messagesIn(read).flatMap(partsOf)
}
