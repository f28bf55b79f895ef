import { fieldsOf, listOf } from '../../json/fields.ts'

/** Bytes that were written as JSON, as base64, also where they are tagged; else the value itself. */
export function binaryAsText(value: unknown): unknown {
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
