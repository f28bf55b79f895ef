import { attachmentText } from '../../compaction/describe-media.ts'
import { dataOf } from '../data-url.ts'
import type { FilePart, ImagePart, ToolOutputPart } from '../../log/message.ts'

/** An image or a file, as data or where it lies. */
export type Medium = { mediaType: string; filename?: string } & Source
type Source = { base64: string; url?: undefined } | { url: string; base64?: undefined }

/** What an image or a file is; words in its place where nobody but one provider could read it. */
export function mediumOf(part: ImagePart | FilePart | ToolOutputPart): Medium | string {
  const { image, data, url, mediaType, filename } = part as MediumFields
  const isImage = part.type.startsWith('image') || mediaType === 'image'
  const usual = isImage ? 'image/png' : 'application/octet-stream'
  const named = {
    mediaType: mediaType?.includes('/') ? mediaType : usual,
    ...(filename !== undefined && { filename }),
  }
  const source = sourceOf(image ?? data ?? url)
  return source ? { ...named, ...source } : attachmentText(named)
}

interface MediumFields {
  image?: unknown
  data?: unknown
  url?: unknown
  mediaType?: string
  filename?: string
}

export function isImage({ mediaType }: Medium): boolean {
  return mediaType.startsWith('image/')
}

/** A medium as a URL: where it lies, or its own data. */
export function urlOf({ mediaType, base64, url }: Medium): string {
  return url ?? `data:${mediaType};base64,${base64}`
}

function sourceOf(value: unknown): (Source & { mediaType?: string }) | undefined {
  if (value instanceof URL) return { url: value.href }
  if (value instanceof Uint8Array) return { base64: Buffer.from(value).toString('base64') }
  if (typeof value === 'string') return textSource(value)
  // What formats and the AI SDK put around them; a reference means nothing to another provider.
  const { url, data } = (value ?? {}) as { url?: unknown; data?: unknown }
  const inner = url ?? data
  const plain = typeof inner === 'string' || inner instanceof URL || inner instanceof Uint8Array
  return plain ? sourceOf(inner) : undefined
}

function textSource(text: string): (Source & { mediaType?: string }) | undefined {
  if (text === '') return undefined
  const { mediaType, data } = dataOf(text) ?? {}
  if (data !== undefined) return { base64: data, ...(mediaType && { mediaType }) }
  return /^(?:data|https?|file):/i.test(text) ? { url: text } : { base64: text }
}
