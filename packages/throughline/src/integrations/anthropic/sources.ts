import { fieldsOf, textOf, type Fields } from '../../json/fields.ts'
import { mediumOf, textIn } from '../../formats/writing/media.ts'
import { restOf } from '../shapes/note.ts'
import { notes } from './notes.ts'
import { MessageConversionError } from '../shapes/errors.ts'
import type { FilePart, ImagePart } from '../../log/message.ts'

/** An image block; `undefined` if its source is of no kind that we know. */
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
      source: restOf(source, [...payloads, 'media_type']),
      rest: restOf(block, ['type', 'source']),
    }),
  }
}

/** A document block; `undefined` if its source is made of other blocks, or of no kind that we know. */
export function documentPart(block: Fields): FilePart | undefined {
  const source = fieldsOf(block['source']) ?? {}
  const payload = payloadOf(source)
  if (payload === undefined) return undefined
  const mediaType = textOf(source['media_type'])
  const filename = textOf(block['title'])
  return {
    type: 'file',
    data: dataOf(source, payload),
    mediaType: mediaType ?? 'application/pdf',
    ...(filename !== undefined && { filename }),
    ...notes.with({
      source: restOf(source, [...payloads, ...(mediaType === undefined ? [] : ['media_type'])]),
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

/** @throws MessageConversionError if the API takes no such medium. */
export function mediaBlock(part: ImagePart | FilePart, place: string): Fields {
  const { source, rest } = notes.of(part)
  const known = fieldsOf(source)
  const type = part.type === 'image' ? 'image' : 'document'
  if (!known) return foreignBlock(part, place)
  const title = part.type === 'file' && part.filename !== undefined && { title: part.filename }
  const { mediaType } = part
  const hasType = mediaType !== undefined && known['type'] !== 'url' && known['type'] !== 'file'
  return {
    type,
    source: {
      ...known,
      ...(hasType && { media_type: mediaType }),
      [payloadName(known)]: payloadIn(part.type === 'image' ? part.image : part.data),
    },
    ...title,
    ...fieldsOf(rest),
  }
}

function payloadIn(data: unknown): unknown {
  const fields = fieldsOf(data)
  if (!fields) return data
  return fields['text'] ?? fields['anthropic'] ?? fieldsOf(fields['reference'])?.['anthropic']
}

/** A medium that came from elsewhere: bytes, a URL, or data with its type. */
function foreignBlock(part: ImagePart | FilePart, place: string): Fields {
  const reference = fieldsOf(part.type === 'image' ? part.image : part.data)
  const id = textOf(payloadIn(reference))
  if (reference && id !== undefined) {
    const source =
      'text' in reference
        ? { type: 'text', media_type: 'text/plain', data: id }
        : { type: 'file', file_id: id }
    return { type: part.type === 'image' ? 'image' : 'document', source }
  }
  const medium = mediumOf(part)
  const isText = typeof medium !== 'string' && textIn(medium) !== undefined
  const isImage = typeof medium !== 'string' && medium.mediaType.startsWith('image/')
  if (
    typeof medium === 'string' ||
    !(isImage || isText || medium.mediaType === 'application/pdf')
  ) {
    const problem = `the Messages API takes images, PDF and text, not ${part.mediaType ?? 'this'}`
    throw new MessageConversionError({ place, problem })
  }
  const { base64, url, mediaType, filename } = medium
  const source =
    url !== undefined
      ? { type: 'url', url }
      : isText
        ? { type: 'text', media_type: 'text/plain', data: textIn(medium) }
        : { type: 'base64', media_type: mediaType, data: base64 }
  const title = !isImage && filename !== undefined && { title: filename }
  return { type: isImage ? 'image' : 'document', source, ...title }
}
