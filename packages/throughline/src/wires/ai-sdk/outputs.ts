import { fieldsOf, listOf, nameOf, textOf, type Fields } from '../../json/fields.ts'
import { wholePart, type At } from './whole-part.ts'
import type { ToolOutput } from '../../log/message.ts'

/** A tool's output that says neither what it is nor how it should be shown. */
export function plainOutput(value: unknown, failed: boolean): ToolOutput {
  if (typeof value === 'string') return { type: failed ? 'error-text' : 'text', value }
  return { type: failed ? 'error-json' : 'json', value: value ?? null }
}

/** What a tool gave: itself, where it can be kept as it is. */
export function outputOf(output: Fields, at: At): ToolOutput {
  const { type, value, reason } = output
  switch (type) {
    case 'text':
    case 'error-text':
      return as(typeof value === 'string' ? output : { ...output, value: '' }, at)
    case 'json':
    case 'error-json':
      return as(value === undefined ? { ...output, value: null } : output, at)
    case 'execution-denied': {
      if (reason === undefined || textOf(reason) !== undefined) return as(output, at)
      const { reason: _, ...others } = output
      return as(others, at)
    }
    case 'content': {
      const parts = listOf(value).flatMap((part) => contentPart(part, at))
      const isSame =
        Array.isArray(value) &&
        value.length === parts.length &&
        parts.every((part, index) => part === value[index])
      return as(isSame ? output : { ...output, value: parts }, at)
    }
    default:
      return plainOutput(at.reading.value(output), false)
  }
}

function as(output: Fields, at: At): ToolOutput {
  return wholePart(output, at) as unknown as ToolOutput
}

function contentPart(value: unknown, at: At): Fields[] {
  const part = fieldsOf(value)
  if (!part || !nameOf(part['type'])) return []
  const { text, ...others } = part
  const isPlain = text === undefined || typeof text === 'string'
  return [wholePart(isPlain ? part : others, at)]
}
