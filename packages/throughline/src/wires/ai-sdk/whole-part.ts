import { fieldsOf, type Fields, listOf } from '../../json/fields.ts'
import type { ProviderOptions } from '../../log/message.ts'
import type { Reading } from '../reading.ts'

/** The place of something, and how it is read. */
export interface At {
  place: string
  reading: Reading
}

/** The object itself, if it has no undefined fields. */
export function definedFields(fields: Fields): Fields {
  const entries = Object.entries(fields)
  if (entries.every(([, field]) => field !== undefined)) return fields
  return Object.fromEntries(entries.filter(([, field]) => field !== undefined))
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
  const whole: Record<string, unknown> = {}
  let isSame = true
  for (const [key, value] of Object.entries(part)) {
    const kept = keptValue(key, value, reading)
    isSame &&= kept === value
    if (kept !== undefined) whole[key] = kept
    else isSame = false
  }
  return isSame ? part : whole
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
