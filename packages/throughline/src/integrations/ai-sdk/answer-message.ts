import type { ContentPart, ToolSet } from 'ai'
import { isNotice } from './notices.ts'
import { providerOptions } from './provider-options.ts'
import type { AssistantMessage, AssistantPart } from '../../log/message.ts'

/**
 * A model's answer as the message that the SDK makes of it when its tools have run; `undefined`
 * where that cannot be said before: with files, and with what the provider runs or asks itself.
 */
export function answerMessage(
  content: readonly ContentPart<ToolSet>[],
): AssistantMessage | undefined {
  const parts: AssistantPart[] = []
  for (const part of content) {
    if (part.type === 'source' || isEmpty(part) || isNotice(part)) continue
    const made = messagePart(part)
    if (!made) return undefined
    parts.push(made)
  }
  return { role: 'assistant', content: parts }
}

function isEmpty(part: ContentPart<ToolSet>): boolean {
  return part.type === 'text' && part.text === '' && part.providerMetadata === undefined
}

function messagePart(part: ContentPart<ToolSet>): AssistantPart | undefined {
  switch (part.type) {
    case 'text':
    case 'reasoning':
      return { type: part.type, text: part.text, ...providerOptions(part.providerMetadata) }
    case 'tool-call': {
      if (part.providerExecuted) return undefined
      const { toolCallId, toolName, providerMetadata } = part
      const input = part.invalid && typeof part.input !== 'object' ? {} : part.input
      return {
        type: 'tool-call',
        toolCallId,
        toolName,
        input,
        ...providerOptions(providerMetadata),
      }
    }
    default:
      return undefined
  }
}
