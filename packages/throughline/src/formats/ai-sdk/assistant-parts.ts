import { boundedValue, fieldsOf, listOf, nameOf, textOf, type Fields } from '../../json/fields.ts'
import { resultPart } from './tool-parts.ts'
import { filePart, textPart } from './user-parts.ts'
import { readParts, wholePart, type ReadParts } from './whole-part.ts'
import type { AssistantPart } from '../../log/message.ts'

/** The content of an assistant message. */
export function assistantParts(content: unknown): ReadParts<AssistantPart> {
  if (typeof content === 'string') {
    return { parts: content === '' ? [] : [{ type: 'text', text: content }], unknown: 0 }
  }
  return readParts(listOf(content), (value) => {
    const part = fieldsOf(value)
    return part && partOf(part)
  })
}

function partOf(part: Fields): AssistantPart | undefined {
  switch (part['type']) {
    case 'text':
      return textPart(part)
    case 'reasoning':
      return { ...wholePart(part), type: 'reasoning', text: textOf(part['text']) ?? '' }
    case 'file':
      return filePart(part)
    case 'reasoning-file':
      return reasoningFile(part)
    case 'tool-call':
      return callPart(part)
    case 'tool-result':
      return resultPart(part)
    case 'tool-approval-request':
      return approvalRequest(part)
    default:
      return customPart(part)
  }
}

/** A call; `input` since version 5, `args` before. */
function callPart(part: Fields): AssistantPart | undefined {
  const toolCallId = nameOf(part['toolCallId'])
  const toolName = nameOf(part['toolName'])
  if (!toolCallId || !toolName) return undefined
  const { args, providerExecuted: _, ...rest } = wholePart(part)
  const input = rest['input'] ?? args ?? {}
  const ran = part['providerExecuted'] === true && { providerExecuted: true }
  return { ...rest, type: 'tool-call', toolCallId, toolName, input, ...ran }
}

function reasoningFile(part: Fields): AssistantPart | undefined {
  const { data, ...rest } = wholePart(part)
  const mediaType = nameOf(part['mediaType'])
  return data && mediaType ? { ...rest, type: 'reasoning-file', data, mediaType } : undefined
}

function approvalRequest(part: Fields): AssistantPart | undefined {
  const approvalId = nameOf(part['approvalId'])
  const toolCallId = nameOf(part['toolCallId'])
  if (!approvalId || !toolCallId) return undefined
  return { ...wholePart(part), type: 'tool-approval-request', approvalId, toolCallId }
}

/** A provider's own part, or one of a kind that the SDK has added since. */
function customPart(part: Fields): AssistantPart | undefined {
  const type = nameOf(part['type'])
  const kind = nameOf(part['kind'])
  if (type === 'custom' && kind?.includes('.')) {
    return { ...wholePart(part), type, kind: kind as `${string}.${string}` }
  }
  if (!type || type === 'custom') return undefined
  const providerOptions = { 'ai-sdk': { part: boundedValue(part) } }
  return { type: 'custom', kind: `ai-sdk.${type}`, providerOptions }
}
