import { attachmentText } from '../compaction/clip/describe-media.ts'
import { dataOf, fieldsOf } from '../json/fields.ts'
import type { FilePart, ImagePart, ToolOutputPart, UserPart } from '../log/message.ts'

/** An image or a file, as data or as an address. */
export type Medium = { mediaType: string; filename?: string } & Source
type Source = { base64: string; url?: undefined } | { url: string; base64?: undefined }

/** An image or a file, or words in its place if a provider couldn't read it. */
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

/** Whether it is an image of a kind that every provider accepts. */
export function isImage({ mediaType }: { mediaType: string }): boolean {
  return images.has(mediaType)
}

const images: ReadonlySet<string> = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp'])

/** A piece as words, where only words are accepted: a text file becomes its content. */
export function wordsFor(piece: Medium | string): string {
  if (typeof piece === 'string') return piece
  const text = textIn(piece)
  return text === undefined ? attachmentText(piece) : `${attachmentText(piece)}\n${text}`
}

export function textIn({ mediaType, base64 }: Medium): string | undefined {
  const isText = mediaType.startsWith('text/') || mediaType === 'application/json'
  if (base64 === undefined || !isText) return undefined
  return Buffer.from(base64, 'base64').toString('utf8')
}

/** A medium as a URL: its address, or its own data. */
export function urlOf({ mediaType, base64, url }: Medium): string {
  return url ?? `data:${mediaType};base64,${base64}`
}

/** A name for a file, which some APIs require. */
export function fileName({ mediaType, filename }: Medium): string {
  return filename ?? mediaType.replace('/', '.')
}

function sourceOf(value: unknown): (Source & { mediaType?: string }) | undefined {
  if (value instanceof URL) return textSource(value.href)
  if (value instanceof Uint8Array) return { base64: Buffer.from(value).toString('base64') }
  if (typeof value === 'string') return textSource(value)
  // The wrappers that formats and the AI SDK use; a reference means nothing to another provider.
  const { url, data, text } = fieldsOf(value) ?? {}
  if (typeof text === 'string') return { base64: Buffer.from(text).toString('base64') }
  const inner = url ?? data
  const plain = typeof inner === 'string' || inner instanceof URL || inner instanceof Uint8Array
  return plain ? sourceOf(inner) : undefined
}

function textSource(text: string): (Source & { mediaType?: string }) | undefined {
  if (text === '') return undefined
  const { mediaType, data } = dataOf(text) ?? {}
  if (data !== undefined) return { base64: data, ...(mediaType && { mediaType }) }
  if (/^https?:/i.test(text)) return { url: text }
  return /^[a-z][a-z0-9+.-]*:/i.test(text) ? undefined : { base64: text }
}

/** A part of an output as the medium that it is, whatever a framework calls it. */
export function asMedium(part: ToolOutputPart): ImagePart | FilePart {
  const { type, data, mediaType, ...others } = part
  const medium = { ...others, ...(mediaType !== undefined && { mediaType }) }
  const value = data ?? part['url']
  return type.startsWith('image')
    ? { ...medium, type: 'image', image: value }
    : { ...medium, type: 'file', data: value, mediaType: mediaType ?? 'application/octet-stream' }
}

/** A part of an output as one of a user's message. */
export function asUserPart(part: ToolOutputPart): UserPart {
  return part.type === 'text' ? { ...part, type: 'text', text: part.text ?? '' } : asMedium(part)
}

/** A part of a user's message as one of an output. */
export function asOutputPart(part: UserPart): ToolOutputPart {
  if (part.type === 'text') return { ...part }
  if (part.type === 'file') return { ...part, type: 'file-data' }
  const { image, ...others } = part
  return { ...others, type: 'image-data', data: image }
}

/** What a data URL holds, if it is one that {@link urlIn} would write. */
export function inlineData(url: string): { data: string; mediaType: string } | undefined {
  const { mediaType = '', data = '' } = dataOf(url) ?? {}
  const isOurs = mediaType !== '' && data !== '' && url.length === dataUrl(mediaType, data).length
  return isOurs ? { mediaType, data } : undefined
}

/** A medium that was read from a URL as a URL again: where it lies, or its own data. */
export function urlIn({ mediaType }: { mediaType?: string }, data: unknown): unknown {
  const isData = typeof data === 'string' && !/^[a-z][a-z0-9+.-]*:/i.test(data) && data !== ''
  return isData && mediaType !== undefined ? dataUrl(mediaType, data) : data
}

function dataUrl(mediaType: string, data: string): string {
  return `data:${mediaType};base64,${data}`
}
