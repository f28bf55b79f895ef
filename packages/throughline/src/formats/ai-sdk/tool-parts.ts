import {
  boundedValue,
  fieldsOf,
  listOf,
  nameOf,
  objectsOf,
  textOf,
  type Fields,
} from '../../json/fields.ts'
import { readParts, wholePart, type ReadParts } from './whole-part.ts'
import type { ToolOutput, ToolPart, ToolResultPart } from '../../log/message.ts'

/** The content of a tool's message. */
export function toolParts(content: unknown): ReadParts<ToolPart> {
  return readParts(listOf(content), (value) => {
    const part = fieldsOf(value)
    if (part?.['type'] === 'tool-approval-response') return approvalResponse(part)
    return part?.['type'] === 'tool-result' ? resultPart(part) : undefined
  })
}

/** A result; `output` since version 5, `result` before. */
export function resultPart(part: Fields): ToolResultPart | undefined {
  const toolCallId = nameOf(part['toolCallId'])
  if (!toolCallId) return undefined
  const { result: _, isError: __, ...rest } = wholePart(part)
  const output = fieldsOf(part['output'])
  return {
    ...rest,
    type: 'tool-result',
    toolCallId,
    toolName: nameOf(part['toolName']) ?? 'unknown',
    output: output ? outputOf(output) : plainOutput(part['result'], part['isError'] === true),
  }
}

/** What a tool gave that says of itself neither what it is nor how it is to be shown. */
export function plainOutput(value: unknown, failed: boolean): ToolOutput {
  if (typeof value === 'string') return { type: failed ? 'error-text' : 'text', value }
  return { type: failed ? 'error-json' : 'json', value: boundedValue(value ?? null) }
}

function outputOf(output: Fields): ToolOutput {
  const { value, ...rest } = wholePart(output)
  const type = output['type']
  switch (type) {
    case 'text':
    case 'error-text':
      return { ...rest, type, value: textOf(value) ?? '' }
    case 'json':
    case 'error-json':
      return { ...rest, type, value: value ?? null }
    case 'execution-denied': {
      const { reason: _, ...others } = rest
      const reason = textOf(output['reason'])
      return { ...others, type, ...(reason !== undefined && { reason }) }
    }
    case 'content':
      return { ...rest, type, value: objectsOf(value).flatMap(contentPart) }
    default:
      return plainOutput(output, false)
  }
}

function contentPart(part: Fields): { type: string; text?: string }[] {
  const type = nameOf(part['type'])
  const { text: _, ...rest } = wholePart(part)
  const text = textOf(part['text'])
  return type ? [{ ...rest, type, ...(text !== undefined && { text }) }] : []
}

function approvalResponse(part: Fields): ToolPart | undefined {
  const approvalId = nameOf(part['approvalId'])
  if (!approvalId) return undefined
  const { reason: _, ...rest } = wholePart(part)
  const reason = textOf(part['reason'])
  const approved = part['approved'] === true
  return {
    ...rest,
    type: 'tool-approval-response',
    approvalId,
    approved,
    ...(reason !== undefined && { reason }),
  }
}
