// Images and PDFs: opencode's estimate (V2, September 2026). Anthropic bills at most about
// 1,600 for an image of standard resolution, and each page of a PDF.
const image = 1_500
const page = 2_000

// No provider counts bytes, but pages cannot be counted here: 50 kB a page is our guess.
const bytesPerPage = 50_000

// Gemini counts 32 tokens a second of audio, 263 of video (ai.google.dev/gemini-api/docs/tokens);
// the bytes of a second are those of 128 kbit/s and 1 Mbit/s.
const tokensPerAudioByte = 32 / 16_000
const tokensPerVideoByte = 263 / 125_000

// Our estimate of source code: 3.7 bytes a token.
const tokensPerTextByte = 1 / 3.7

/**
 * What a medium costs, in tokens, by its kind and size. Its base64 is never counted as the
 * text that it looks like.
 * @param bytes its size once decoded, where known.
 * @example
 * mediaTokens('image/png', 2_000_000) // 1500
 * mediaTokens('application/pdf', 200_000) // 8000
 */
export function mediaTokens(mediaType: string | undefined, bytes: number | undefined): number {
  const [kind = '', subkind = ''] = mediaType?.toLowerCase().split(/[/;]/, 2) ?? []
  const size = bytes ?? 0
  if (subkind === 'pdf') return page * Math.max(1, Math.ceil(size / bytesPerPage))
  if (kind === 'audio') return Math.max(500, Math.ceil(size * tokensPerAudioByte))
  if (kind === 'video') return Math.max(2_000, Math.ceil(size * tokensPerVideoByte))
  if (kind === 'text' || subkind === 'json' || subkind === 'xml') {
    return Math.max(1, Math.ceil(size * tokensPerTextByte))
  }
  return image
}

/** The decoded size of a medium's data in bytes; `undefined` for a URL or a reference. */
export function mediaBytes(data: unknown): number | undefined {
  if (typeof data === 'string') return base64Bytes(data)
  if (data instanceof URL) return data.protocol === 'data:' ? base64Bytes(data.href) : undefined
  if (data instanceof ArrayBuffer || ArrayBuffer.isView(data)) return data.byteLength
  if (typeof data === 'object' && data !== null && 'data' in data && data.data !== data) {
    return mediaBytes(data.data)
  }
  return undefined
}

function base64Bytes(text: string): number | undefined {
  if (/^https?:/i.test(text.slice(0, 6))) return undefined
  const from = text.startsWith('data:') ? text.indexOf(',') + 1 : 0
  return Math.floor(((text.length - from) * 3) / 4)
}
