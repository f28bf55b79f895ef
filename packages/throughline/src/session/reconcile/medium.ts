/**
 * What a medium is, whichever way it is given: as bytes, in base64, as a data URL or by an address;
 * bare, or in an object that says which.
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

// So many arguments a function takes in every engine.
const chunk = 0x2000

function base64(bytes: Uint8Array): string {
  let text = ''
  for (let start = 0; start < bytes.length; start += chunk) {
    text += String.fromCharCode(...bytes.subarray(start, start + chunk))
  }
  return btoa(text)
}
