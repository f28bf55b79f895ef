/** Values are hashed down to this depth; anything deeper counts as equal. */
const deepest = 200

interface Mixed {
  high: number
  low: number
}

function begin(): Mixed {
  return { high: 0x811c9dc5, low: 0x1b873593 }
}

function end({ high, low }: Mixed): number {
  return ((high ^ (low >>> 7)) >>> 11) * 0x1_0000_0000 + (low >>> 0)
}

/**
 * A 53-bit hash of a value as JSON would represent it, computed in one pass. It is the same for a
 * copy that went through JSON, whatever the order of its fields. Bytes are hashed by content.
 * @example
 * hashOf({ a: 1, b: undefined }) === hashOf({ a: 1 }) // true
 */
export function hashOf(value: unknown): number {
  const mixed = begin()
  mixValue(mixed, value, 0)
  return end(mixed)
}

/** The same of the characters of a text alone. */
export function textHash(text: string): number {
  const mixed = begin()
  mixText(mixed, text)
  return end(mixed)
}

function mixValue(mixed: Mixed, value: unknown, depth: number): void {
  if (typeof value === 'string') return mixKind(mixed, 's', value)
  if (typeof value !== 'object' || value === null) return mixKind(mixed, 'p', plainText(value))
  if (depth >= deepest) return
  if (value instanceof ArrayBuffer) return mixBytes(mixed, new Uint8Array(value))
  if (ArrayBuffer.isView(value)) {
    return mixBytes(mixed, new Uint8Array(value.buffer, value.byteOffset, value.byteLength))
  }
  if (Array.isArray(value)) {
    mixKind(mixed, 'l', `${value.length}`)
    for (const item of value) mixValue(mixed, item ?? null, depth + 1)
    return
  }
  if ('toJSON' in value && typeof value.toJSON === 'function') {
    return mixValue(mixed, value.toJSON(''), depth + 1)
  }
  mixKind(mixed, 'o', '')
  for (const name of Object.keys(value).sort()) {
    const field: unknown = Reflect.get(value, name)
    if (field === undefined || typeof field === 'function') continue
    mixKind(mixed, 'f', name)
    mixValue(mixed, field, depth + 1)
  }
  mixKind(mixed, 'e', '')
}

function plainText(value: unknown): string {
  if (typeof value === 'number' && !Number.isFinite(value)) return 'null'
  return value === undefined || typeof value === 'symbol' ? 'null' : String(value)
}

function mixKind(mixed: Mixed, kind: string, text: string): void {
  mix(mixed, kind.charCodeAt(0))
  mix(mixed, text.length)
  mixText(mixed, text)
}

function mixText(mixed: Mixed, text: string): void {
  let { high, low } = mixed
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    high = Math.imul(high ^ code, 0x01000193)
    low = Math.imul(low ^ code, 0x85ebca6b)
    low ^= low >>> 15
  }
  mixed.high = high
  mixed.low = low
}

function mixBytes(mixed: Mixed, bytes: Uint8Array): void {
  mix(mixed, bytes.length)
  for (const byte of bytes) mix(mixed, byte)
}

function mix(mixed: Mixed, code: number): void {
  mixed.high = Math.imul(mixed.high ^ code, 0x01000193)
  mixed.low = Math.imul(mixed.low ^ code, 0x85ebca6b)
  mixed.low ^= mixed.low >>> 15
}
