import { attachmentText } from '../../compaction/clip/describe-media.ts'
import { fieldsOf, textOf, type Fields } from '../../json/fields.ts'
import { isImage, mediumOf, textIn } from '../media.ts'
import { notes } from './message.ts'
import { restOf } from '../note.ts'
import type { FilePart, ImagePart } from '../../log/message.ts'
import type { Writing } from '../reading.ts'

/** An image block; `undefined` if we don't know the kind of its source. */
export function imagePart(block: Fields): ImagePart | undefined {
  const source = fieldsOf(block['source']) ?? {}
  const image = payloadOf(source)
  if (image === undefined) return undefined
  const mediaType = textOf(source['media_type'])
  return {
    type: 'image',
    image: source['type'] === 'file' ? { anthropic: image } : image,
    ...(mediaType !== undefined && { mediaType }),
    ...notes.with({
      source: isPlain(source, isImage) ? undefined : restOf(source, [...payloads, 'media_type']),
      rest: restOf(block, ['type', 'source']),
    }),
  }
}

/**
 * A document block; `undefined` if its source consists of other blocks, or if we don't know its
 * kind.
 */
export function documentPart(block: Fields): FilePart | undefined {
  const source = fieldsOf(block['source']) ?? {}
  const payload = payloadOf(source)
  if (payload === undefined) return undefined
  const mediaType = textOf(source['media_type'])
  const filename = textOf(block['title'])
  const noted = [...payloads, ...(mediaType === undefined ? [] : ['media_type'])]
  return {
    type: 'file',
    data: dataOf(source, payload),
    mediaType: mediaType ?? 'application/pdf',
    ...(filename !== undefined && { filename }),
    ...notes.with({
      source: isPlain(source, isPdf) ? undefined : restOf(source, noted),
      rest: restOf(block, ['type', 'source', ...(filename === undefined ? [] : ['title'])]),
    }),
  }
}

const payloads = ['data', 'url', 'file_id']

function payloadOf(source: Fields): string | undefined {
  const given = payloads.filter((name) => source[name] !== undefined)
  const expected = payloadName(source)
  return given.length === 1 && given[0] === expected ? textOf(source[expected]) : undefined
}

function payloadName({ type }: Fields): string {
  if (type === 'url') return 'url'
  return type === 'file' ? 'file_id' : 'data'
}

function dataOf({ type }: Fields, payload: string): unknown {
  if (type === 'text') return { type: 'text', text: payload }
  return type === 'file' ? { type: 'reference', reference: { anthropic: payload } } : payload
}

/** Whether a source is what would be written of such a medium from anywhere. */
function isPlain(source: Fields, isUsual: (medium: { mediaType: string }) => boolean): boolean {
  const { type, media_type: mediaType, data, url, file_id: _, ...others } = source
  if (Object.keys(others).length > 0) return false
  switch (type) {
    case 'base64':
      return isUsual({ mediaType: String(mediaType) }) && /^[\w+/=-]+$/.test(String(data))
    case 'text':
      return isUsual === isPdf && mediaType === 'text/plain'
    case 'url':
      return mediaType === undefined && /^https?:/i.test(String(url))
    default:
      return type === 'file' && mediaType === undefined
  }
}

function isPdf({ mediaType }: { mediaType: string }): boolean {
  return mediaType === 'application/pdf'
}

/** A medium as a block: in words where the API does not take it. */
export function mediaBlock(part: ImagePart | FilePart, place: string, writing: Writing): Fields {
  const { source, rest } = notes.of(part)
  const known = fieldsOf(source)
  const written = known
    ? { ...known, ...typeIn(part, known), [payloadName(known)]: payloadIn(part) }
    : (referenceSource(part) ?? mediumSource(part))
  if (!written) {
    const medium = mediumOf(part)
    const problem = `the Messages API accepts images, PDF and text, not ${part.mediaType ?? 'this'}`
    const words = typeof medium === 'string' ? medium : attachmentText(medium)
    return { type: 'text', text: writing.instead({ place, problem, words }) ?? words }
  }
  const title = part.type === 'file' && part.filename !== undefined && { title: part.filename }
  const isDocument = part.type === 'file' && !(known === undefined && isImageFile(part))
  return {
    type: isDocument ? 'document' : 'image',
    source: written,
    ...(isDocument && title),
    ...fieldsOf(rest),
  }
}

/** Other providers' images are files of some type. */
function isImageFile(part: FilePart): boolean {
  const medium = mediumOf(part)
  return typeof medium !== 'string' && isImage(medium)
}

function typeIn({ mediaType }: ImagePart | FilePart, { type }: Fields): Fields {
  const hasType = mediaType !== undefined && type !== 'url' && type !== 'file'
  return hasType ? { media_type: mediaType } : {}
}

function payloadIn(part: ImagePart | FilePart): unknown {
  const data = part.type === 'image' ? part.image : part.data
  const fields = fieldsOf(data)
  if (!fields) return data
  return fields['text'] ?? fields['anthropic'] ?? fieldsOf(fields['reference'])?.['anthropic']
}

/** What lies with the provider itself, or is a text. */
function referenceSource(part: ImagePart | FilePart): Fields | undefined {
  const data = fieldsOf(part.type === 'image' ? part.image : part.data)
  const payload = textOf(payloadIn(part))
  if (data === undefined || payload === undefined) return undefined
  return 'text' in data
    ? { type: 'text', media_type: 'text/plain', data: payload }
    : { type: 'file', file_id: payload }
}

/** A medium from elsewhere: bytes, a URL, or data with its type. */
function mediumSource(part: ImagePart | FilePart): Fields | undefined {
  const medium = mediumOf(part)
  if (typeof medium === 'string') return undefined
  const { mediaType, base64, url } = medium
  if (isImage(medium) || isPdf(medium)) {
    return url === undefined
      ? { type: 'base64', media_type: mediaType, data: base64 }
      : { type: 'url', url }
  }
  const data = textIn(medium)
  return data === undefined ? undefined : { type: 'text', media_type: 'text/plain', data }
}
