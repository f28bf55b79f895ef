/**
 * Identifies a medium however it is given: as bytes, base64, a data URL or an address; bare, or in
 * an object that names its kind.
 */
export function mediumOf(data: unknown): unknown {
  if (typeof data === 'string') return fromText(data)
  if (typeof data !== 'object' || data === null) return data
  if (data instanceof URL) return fromText(data.href)
  if (data instanceof ArrayBuffer) return base64(new Uint8Array(data))
  if (ArrayBuffer.isView(data)) {
    return base64(new Uint8Array(data.buffer, data.byteOffset, data.byteLength))
  }
  if (!('type' in data)) return data
  if (data.type === 'data' && 'data' in data) return mediumOf(data.data)
  if (data.type === 'url' && 'url' in data) return mediumOf(data.url)
  if (data.type === 'reference' && 'reference' in data) return data.reference
  return data
}

function fromText(text: string): string {
  if (!text.startsWith('data:')) return text
  const comma = text.indexOf(',')
  return comma === -1 ? text : text.slice(comma + 1)
}

// Every engine accepts this many arguments in a function call.
const chunk = 0x2000

function base64(bytes: Uint8Array): string {
  let text = ''
  for (let start = 0; start < bytes.length; start += chunk) {
    text += String.fromCharCode(...bytes.subarray(start, start + chunk))
  }
  return btoa(text)
}
