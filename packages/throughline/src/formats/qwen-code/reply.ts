import { boundedValue, countOf, fieldsOf, nameOf, textOf, type Fields } from '../../json/fields.ts'
import type { AssistantPart, ToolCallPart } from '../../log/message.ts'
import type { Usage } from '../../log/entry.ts'

/** The parts of a reply, thoughts with them: they are sent again. */
export function replyParts(parts: readonly Fields[]): AssistantPart[] {
  return parts.flatMap((part): AssistantPart[] => {
    const text = textOf(part['text'])
    if (part['thought'] === true) return text ? [{ type: 'reasoning', text }] : []
    if (text !== undefined) return text === '' ? [] : [{ type: 'text', text }]
    const call = fieldsOf(part['functionCall'])
    return call ? callParts(call, part) : []
  })
}

function callParts(call: Fields, part: Fields): ToolCallPart[] {
  const toolName = nameOf(call['name'])
  const toolCallId = nameOf(call['id'])
  if (!toolName || !toolCallId) return []
  const input = boundedValue(call['args'] ?? {})
  const thoughtSignature = nameOf(part['thoughtSignature'])
  const providerOptions = { google: { thoughtSignature } }
  return [
    {
      type: 'tool-call',
      toolCallId,
      toolName,
      input,
      ...(thoughtSignature && { providerOptions }),
    },
  ]
}

/** The tokens of one reply. Some providers count thoughts among its words, and some beside them. */
export function usageOf(value: unknown): Usage | undefined {
  const usage = fieldsOf(value)
  const inputTokens = countOf(usage?.['promptTokenCount'])
  if (!inputTokens) return undefined
  const total = countOf(usage?.['totalTokenCount'])
  const outputTokens =
    total !== undefined && total >= inputTokens
      ? total - inputTokens
      : (countOf(usage?.['candidatesTokenCount']) ?? 0)
  const cacheReadTokens = countOf(usage?.['cachedContentTokenCount'])
  return {
    inputTokens,
    outputTokens,
    ...(cacheReadTokens !== undefined && { cacheReadTokens }),
  }
}
