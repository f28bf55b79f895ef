import type { Fields } from '../../json/fields.ts'

/** Describes a file by its first bytes if it isn't text; `undefined` for text. */
export function binaryKind(bytes: Uint8Array): string | undefined {
  for (const { kind, start } of signatures) {
    if (start.every((byte, index) => bytes[index] === byte)) return kind
  }
  return bytes.subarray(0, 4096).includes(0) ? 'binary data' : undefined
}

const signatures: readonly { kind: string; start: readonly number[] }[] = [
  { kind: 'a SQLite database', start: [...'SQLite format 3\0'].map((sign) => sign.charCodeAt(0)) },
  { kind: 'gzip-compressed data', start: [0x1f, 0x8b] },
  { kind: 'zstd-compressed data', start: [0x28, 0xb5, 0x2f, 0xfd] },
  { kind: 'a zip archive', start: [0x50, 0x4b, 0x03, 0x04] },
  { kind: 'UTF-16 text', start: [0xff, 0xfe] },
  { kind: 'UTF-16 text', start: [0xfe, 0xff] },
]

/** Describes a record that no format recognized. */
export function recordKind(record: Fields): string {
  const keys = Object.keys(record)
  if (keys.length === 0) return 'an empty JSON object'
  const shown = keys.slice(0, 5).map(plain).join(', ')
  const type = typeof record['type'] === 'string' ? ` and the type ${plain(record['type'])}` : ''
  return `a JSON object with the keys ${shown}${keys.length > 5 ? ', …' : ''}${type}`
}

/**
 * Describes the content of a file without records, from its first bytes and the number of lines
 * seen.
 */
export function textKind(head: string, lines: number): string {
  const start = head.trimStart()
  if (start.startsWith('{')) {
    return lines > 1
      ? 'the start of a JSON document that spans several lines'
      : 'a JSON object that does not end'
  }
  if (start.startsWith('[')) return 'a JSON array, or the start of one'
  return 'text that is not JSON'
}

/** Text from a file in an error message: short, and without characters that affect a terminal. */
function plain(text: string): string {
  return JSON.stringify(text.slice(0, 40).replace(/[^\x20-\x7e]/g, '?'))
}
