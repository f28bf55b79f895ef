import { types } from 'node:util'
import { UnstorableValueError } from './errors.ts'

// A value that JSON can't represent becomes an object with this one field; such an object itself is
// wrapped, too.
export const tag = '$throughline'

/** How deep values may be nested: JSON, and all code that reads entries, works recursively. */
export const deepest = 500

export function tooDeep(): UnstorableValueError {
  return new UnstorableValueError({
    what: `a value nested more than ${deepest} levels deep, or one that contains itself`,
  })
}

/**
 * The value in a form that JSON can represent.
 * @throws UnstorableValueError
 */
export function tagged(value: unknown, depth = 0): unknown {
  if (typeof value === 'number') return taggedNumber(value)
  if (typeof value === 'bigint') return { [tag]: ['bigint', `${value}`] }
  if (typeof value === 'function' || typeof value === 'symbol') {
    throw new UnstorableValueError({ what: `a ${typeof value}` })
  }
  if (typeof value !== 'object' || value === null) return value
  if (depth >= deepest) throw tooDeep()
  if (Array.isArray(value)) return taggedList(value, depth)
  if (types.isUint8Array(value)) return { [tag]: ['bytes', base64(value)] }
  if (types.isArrayBuffer(value)) return { [tag]: ['buffer', base64(new Uint8Array(value))] }
  if (value instanceof URL) return { [tag]: ['url', value.href] }
  if (types.isDate(value)) return { [tag]: ['date', `${value.getTime()}`] }
  return taggedFields(value, depth)
}

function taggedNumber(value: number): unknown {
  if (Object.is(value, -0)) return { [tag]: ['number', '-0'] }
  return Number.isFinite(value) ? value : { [tag]: ['number', `${value}`] }
}

function taggedList(list: readonly unknown[], depth: number): unknown[] {
  return Array.from(list, (item) =>
    item === undefined ? { [tag]: ['undefined'] } : tagged(item, depth + 1),
  )
}

function taggedFields(value: object, depth: number): unknown {
  if ('toJSON' in value && typeof value.toJSON === 'function') {
    return tagged(value.toJSON(''), depth + 1)
  }
  // `Map`, `RegExp`, `Error`, … hold more than their fields.
  const what = Object.prototype.toString.call(value).slice('[object '.length, -1)
  if (what !== 'Object') throw new UnstorableValueError({ what: `a value of the type ${what}` })
  const fields = Object.fromEntries(
    Object.entries(value).map(([name, field]) => [name, tagged(field, depth + 1)]),
  )
  return Object.hasOwn(fields, tag) ? { [tag]: ['object', fields] } : fields
}

export function untagged(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(untagged)
  const special = Object.hasOwn(value, tag) ? Reflect.get(value, tag) : undefined
  if (Array.isArray(special)) return untaggedValue(special[0], special[1])
  return untaggedFields(value)
}

function untaggedFields(value: object): object {
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, untagged(field)]))
}

function untaggedValue(type: unknown, value: unknown): unknown {
  switch (type) {
    case 'undefined':
      return undefined
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
