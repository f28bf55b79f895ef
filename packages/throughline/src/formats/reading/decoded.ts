const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
const lenient = new TextDecoder('utf-8', { ignoreBOM: true })

/** Bytes as text, and what is wrong with them, if anything; broken characters are replaced. */
export function decoded(bytes: Uint8Array): { text: string; damage: string } {
  try {
    return { text: strict.decode(bytes), damage: '' }
  } catch {
    const damage = 'not valid UTF-8; the broken characters were replaced'
    return { text: lenient.decode(bytes), damage }
  }
}

/** The text without the byte order mark that some tools put at the start of a file. */
export function withoutMark(text: string): string {
  return text.charCodeAt(0) === 0xfeff ? text.slice(1) : text
}
