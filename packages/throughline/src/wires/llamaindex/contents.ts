import { fieldsOf, nameOf, type Fields } from '../../json/fields.ts'
import { inlineData, mediumOf, urlIn, urlOf, wordsFor } from '../media.ts'
import { knownAgain, unknownPart, unknownSaid } from '../unknown-part.ts'
import { readText } from '../text-pieces.ts'
import { restOf, notesUnder } from '../note.ts'
import type { AssistantPart, Part, UserPart } from '../../log/message.ts'
import type { Writing } from '../reading.ts'

/** A message of LlamaIndex, as far as Throughline reads it: `ChatMessage`. */
export interface LlamaIndexMessage {
  role: string
  content: unknown
  options?: object | undefined
}

/** What LlamaIndex has beyond our own shape. */
export const notes = notesUnder('llamaindex')

export function readUserContent(part: Fields): UserPart {
  return readText(part, notes) ?? readMedium(part) ?? unknownPart(part, notes)
}

/** A part of an answer's content; its calls are beside it. */
export function readSaid(part: Fields): AssistantPart {
  return readText(part, notes) ?? unknownSaid(part, 'llamaindex', notes)
}

function readMedium(part: Fields): UserPart | undefined {
  const { type, data, mimeType } = part
  if (type === 'image_url') {
    const image = fieldsOf(part['image_url'])
    const url = nameOf(image?.['url'])
    if (!image || url === undefined) return undefined
    const inline = inlineData(url)
    return {
      type: 'image',
      image: inline?.data ?? url,
      ...(inline && { mediaType: inline.mediaType }),
      ...notes.with({
        form: 'image_url',
        rest: restOf(part, ['type', 'image_url']),
        inner: restOf(image, ['url']),
      }),
    }
  }
  const mediaType = nameOf(mimeType)
  if (typeof data !== 'string' || data === '' || mediaType === undefined) return undefined
  const noted = notes.with({ form: type, rest: restOf(part, ['type', 'data', 'mimeType']) })
  if (type === 'image') return { type, image: data, mediaType, ...noted }
  const isFile = type === 'file' || type === 'audio' || type === 'video'
  return isFile ? { type: 'file', data, mediaType, ...noted } : undefined
}

/** A part as content of LlamaIndex; none if nothing is written for it. */
export function writeContent(part: Part, place: string, writing: Writing): Fields[] {
  if (part.type === 'text') {
    return [{ type: 'text', text: part.text, ...fieldsOf(notes.of(part)['rest']) }]
  }
  if (part.type === 'image' || part.type === 'file') {
    return [knownAgain(part, notes) ?? mediumContent(part)]
  }
  const known = knownAgain(part as { type: string }, notes)
  if (known) return [known]
  const problem = `LlamaIndex has no content for a part of type ${part.type}`
  const text = writing.instead({ place, problem })
  return text === undefined ? [] : [{ type: 'text', text }]
}

function mediumContent(part: Extract<UserPart, { type: 'image' | 'file' }>): Fields {
  const { form, rest, inner } = notes.of(part)
  const data = part.type === 'image' ? part.image : part.data
  if (form === 'image_url' && part.type === 'image') {
    const image_url = { url: urlIn(part, data), ...fieldsOf(inner) }
    return { type: form, image_url, ...fieldsOf(rest) }
  }
  if (typeof form === 'string') {
    return { type: form, data, mimeType: part.mediaType, ...fieldsOf(rest) }
  }
  const medium = mediumOf(part)
  if (typeof medium === 'string') return { type: 'text', text: medium }
  if (medium.mediaType.startsWith('image/')) {
    return { type: 'image_url', image_url: { url: urlOf(medium) } }
  }
  const { base64, mediaType } = medium
  if (base64 === undefined) return { type: 'text', text: wordsFor(medium) }
  return { type: 'file', data: base64, mimeType: mediaType }
}
