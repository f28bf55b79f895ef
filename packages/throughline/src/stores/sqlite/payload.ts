import { UnstorableValueError } from './errors.ts'
import type { Entry, EntryDraft, Seq } from '../../log/entry.ts'

// JSON, because Node cuts texts at NUL and replaces lone surrogates; JSON escapes both.
// What JSON cannot say is an object with this one field; such an object itself is wrapped too.
const tag = '$throughline'

/**
 * An entry as it is stored.
 * @throws UnstorableValueError
 */
export function encodeEntry(draft: EntryDraft): string {
  return JSON.stringify(isPlain(draft) ? draft : tagged(draft))
}

/** An entry as it was appended. */
export function decodeEntry(text: string, seq: Seq): Entry {
  const draft: EntryDraft = JSON.parse(text)
  const entry = text.includes(`"${tag}"`) ? (decodeValue(draft) as EntryDraft) : draft
  return Object.assign(entry, { seq })
}

/** Whether JSON says all of it: nearly always. */
function isPlain(value: unknown): boolean {
  if (typeof value === 'string' || typeof value === 'boolean' || value == null) return true
  if (typeof value === 'number') return Number.isFinite(value)
  if (typeof value !== 'object') return false
  if (Array.isArray(value)) return value.every(isPlain)
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype !== Object.prototype && prototype !== null) return false
  for (const name in value) {
    if (name === tag || name === 'toJSON' || !isPlain(Reflect.get(value, name))) return false
  }
  return true
}

function tagged(value: unknown): unknown {
  if (typeof value === 'number' && !Number.isFinite(value)) return { [tag]: ['number', `${value}`] }
  if (typeof value === 'bigint') return { [tag]: ['bigint', `${value}`] }
  if (typeof value === 'function' || typeof value === 'symbol') {
    throw new UnstorableValueError({ what: typeof value })
  }
  if (typeof value !== 'object' || value === null) return value
  if (value instanceof Uint8Array) return { [tag]: ['bytes', base64(value)] }
  if (value instanceof ArrayBuffer) return { [tag]: ['buffer', base64(new Uint8Array(value))] }
  if (value instanceof URL) return { [tag]: ['url', value.href] }
  if (value instanceof Date) return { [tag]: ['date', value.getTime()] }
  if (Array.isArray(value)) return value.map(tagged)
  return taggedFields(value)
}

function taggedFields(value: object): unknown {
  if ('toJSON' in value && typeof value.toJSON === 'function') return tagged(value.toJSON(''))
  if (value instanceof Map || value instanceof Set || ArrayBuffer.isView(value)) {
    throw new UnstorableValueError({ what: value.constructor.name })
  }
  const fields = Object.fromEntries(
    Object.entries(value).map(([name, field]) => [name, tagged(field)]),
  )
  return tag in fields ? { [tag]: ['object', fields] } : fields
}

/** What was encoded as this JSON value. */
export function decodeValue(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(decodeValue)
  const special = Object.hasOwn(value, tag) ? Reflect.get(value, tag) : undefined
  if (Array.isArray(special)) return untaggedValue(special[0], special[1])
  return untaggedFields(value)
}

function untaggedFields(value: object): object {
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => [name, decodeValue(field)]),
  )
}

function untaggedValue(type: unknown, value: unknown): unknown {
  switch (type) {
    case 'number':
      return Number(value)
    case 'bigint':
      return BigInt(String(value))
    case 'bytes':
      return bytes(value)
    case 'buffer':
      return bytes(value).buffer
    case 'url':
      return new URL(String(value))
    case 'date':
      return new Date(Number(value))
    default:
      return untaggedFields(value as object)
  }
}

function base64(value: Uint8Array): string {
  return Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('base64')
}

function bytes(value: unknown): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(Buffer.from(String(value), 'base64'))
}
