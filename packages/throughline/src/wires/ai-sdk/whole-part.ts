import { fieldsOf, listOf, nameOf, textOf, type Fields } from '../../json/fields.ts'
import type { ProviderOptions, ToolOutput } from '../../log/message.ts'
import type { Reading } from '../reading.ts'

/** The place of something, and how it is read. */
export interface At {
  place: string
  reading: Reading
}

/** The object itself, if it has no undefined fields. */
export function definedFields(fields: Fields): Fields {
  if (!hasUndefined(fields)) return fields
  return Object.fromEntries(Object.entries(fields).filter(([, field]) => field !== undefined))
}

function hasUndefined(fields: Fields): boolean {
  for (const key of Object.keys(fields)) if (fields[key] === undefined) return true
  return false
}

/** In these fields `null` is a value; elsewhere it means that there is none. */
const values: ReadonlySet<string> = new Set(['input', 'args', 'value', 'result'])

/** The fields that may hold bytes, which are not JSON. */
const media: ReadonlySet<string> = new Set(['data', 'image'])

/**
 * A part with all of its fields, including unknown ones; the part itself, if all of them can be
 * kept as they are.
 */
export function wholePart(part: Fields, { reading }: At): Fields {
  // Almost always there is nothing to change, and nothing is copied.
  let changed: Record<string, unknown> | undefined
  for (const key of Object.keys(part)) {
    const value = part[key]
    const kept = keptValue(key, value, reading)
    if (kept === value && kept !== undefined) {
      if (changed) changed[key] = value
      continue
    }
    changed ??= before(part, key)
    if (kept !== undefined) changed[key] = kept
  }
  return changed ?? part
}

/** The fields before `key`. */
function before(part: Fields, end: string): Record<string, unknown> {
  const fields: Record<string, unknown> = {}
  for (const key of Object.keys(part)) {
    if (key === end) break
    fields[key] = part[key]
  }
  return fields
}

function keptValue(key: string, value: unknown, reading: Reading): unknown {
  if (key === '__proto__' || (value === null && !values.has(key))) return undefined
  if (key === 'providerOptions') return optionsOf(value, reading)
  return reading.value(media.has(key) ? binaryAsText(value) : value)
}

/** What a provider wants back with a part or a message: fields by provider. */
export function optionsOf(value: unknown, reading: Reading): ProviderOptions | undefined {
  const fields = fieldsOf(value)
  if (!fields) return undefined
  const entries = Object.entries(fields)
  const known = entries.flatMap(([provider, option]): [string, Fields][] => {
    const kept = fieldsOf(reading.value(option))
    return kept && provider !== '__proto__' ? [[provider, kept]] : []
  })
  if (known.length === entries.length && known.every(([name, kept]) => kept === fields[name])) {
    return fields as ProviderOptions
  }
  return known.length > 0 ? (Object.fromEntries(known) as ProviderOptions) : undefined
}

/**
 * Bytes that were written as JSON, converted to base64, even if they are tagged; otherwise the
 * value itself.
 */
function binaryAsText(value: unknown): unknown {
  const fields = fieldsOf(value)
  if (fields?.['type'] !== 'data') return bytesAsText(value)
  const data = bytesAsText(fields['data'])
  return data === fields['data'] ? value : { ...fields, data }
}

function bytesAsText(value: unknown): unknown {
  const fields = ArrayBuffer.isView(value) ? undefined : fieldsOf(value)
  if (!fields) return value
  if (fields['type'] === 'Buffer') return base64(listOf(fields['data'])) ?? value
  return typeof fields['0'] === 'number' ? (base64(Object.values(fields)) ?? value) : value
}

function base64(bytes: readonly unknown[]): string | undefined {
  const signs: string[] = []
  for (const byte of bytes) {
    if (typeof byte !== 'number' || !Number.isInteger(byte) || byte < 0 || byte > 255) {
      return undefined
    }
    signs.push(String.fromCharCode(byte))
  }
  return btoa(signs.join(''))
}

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
