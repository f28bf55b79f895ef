import { boundedValue, countOf, fieldsOf, nameOf, textOf, type Fields } from '../../json/fields.ts'
import type { AssistantPart, ToolCallPart } from '../../log/message.ts'
import type { Usage } from '../../log/entry.ts'
import { outputOf } from '../gemini-cli/give-message.ts'
import type { Result } from '../conversation/conversation.ts'

/** The parts of a reply, including thoughts, which are sent again. */
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

/**
 * The tokens of one reply. Some providers count thoughts as part of its text, and some separately.
 */
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

/** The results of calls among these parts; media after a response belong to it. */
export function resultsIn(parts: readonly Fields[], failed: boolean): Omit<Result, 'at'>[] {
  const groups: Fields[][] = []
  for (const part of parts) {
    if (fieldsOf(part['functionResponse'])) groups.push([part])
    else if (part['text'] === undefined) groups.at(-1)?.push(part)
  }
  return groups.flatMap((group) => {
    const response = fieldsOf(group[0]?.['functionResponse'])
    const toolCallId = nameOf(response?.['id'])
    if (!toolCallId) return []
    return [{ toolCallId, toolName: nameOf(response?.['name']), output: outputOf(group, failed) }]
  })
}
