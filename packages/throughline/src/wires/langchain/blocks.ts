import { fieldsOf, textOf, type Fields } from '../../json/fields.ts'
import { mediumOf, textIn } from '../media.ts'
import { knownAgain, unknownPart } from '../unknown-part.ts'
import { readText } from '../text-pieces.ts'
import { restOf, notesUnder } from '../note.ts'
import type { FilePart, ImagePart, UserPart } from '../../log/message.ts'
import type { Writing } from '../reading.ts'

/** A content block outside of answers that we have no type for, as JSON. */
export function readBlock(block: Fields): UserPart {
  return readKnownBlock(block) ?? unknownPart(block, notes)
}

/** The same; `undefined` where we have no word for it. */
export function readKnownBlock(block: Fields): UserPart | undefined {
  return readText(block, notes) ?? readImageUrl(block) ?? readMedium(block)
}

/** An image in OpenAI's form, which LangChain accepts everywhere. */
function readImageUrl(block: Fields): ImagePart | undefined {
  if (block['type'] !== 'image_url') return undefined
  const given = block['image_url']
  const inner = fieldsOf(given)
  const url = textOf(inner ? inner['url'] : given)
  if (url === undefined) return undefined
  const noted = notes.with({
    form: inner ? 'image_url' : 'image_url text',
    inner: inner && restOf(inner, ['url']),
    rest: restOf(block, ['type', 'image_url']),
  })
  return { type: 'image', image: url, ...noted }
}

const mediaTypes = new Set<unknown>(['image', 'audio', 'video', 'file'])
const sources = ['data', 'url']
const typeNames = ['mimeType', 'mime_type']

/** A medium in LangChain's own form, current or earlier. */
function readMedium(block: Fields): ImagePart | FilePart | undefined {
  const { type } = block
  const given = sources.filter((name) => typeof block[name] === 'string')
  const [source] = given
  if (!mediaTypes.has(type) || given.length !== 1 || source === undefined) return undefined
  const data = textOf(block[source])
  const typeName = typeNames.find((name) => typeof block[name] === 'string')
  const mediaType = typeName && textOf(block[typeName])
  const said = ['type', source, ...(typeName === undefined ? [] : [typeName])]
  const noted = notes.with({ form: 'medium', type, source, typeName, rest: restOf(block, said) })
  if (type === 'image') {
    return { type, image: data, ...(mediaType !== undefined && { mediaType }), ...noted }
  }
  const usual = type === 'file' ? 'application/octet-stream' : `${String(type)}/*`
  return { type: 'file', data, mediaType: mediaType ?? usual, ...noted }
}

/** A block: in words where LangChain has no such block. */
export function writeBlock(part: UserPart, place: string, writing: Writing): Fields {
  const { form, type, source, typeName, inner, rest } = notes.of(part)
  const others = fieldsOf(rest)
  if (part.type === 'text') {
    return knownAgain(part, notes) ?? { type: 'text', text: part.text, ...others }
  }
  const data = part.type === 'image' ? part.image : part.data
  switch (form) {
    case 'image_url':
      return { type: form, image_url: { url: data, ...fieldsOf(inner) }, ...others }
    case 'image_url text':
      return { type: 'image_url', image_url: data, ...others }
    case 'medium':
      return {
        type,
        [String(source)]: data,
        ...(typeName !== undefined && { [String(typeName)]: part.mediaType }),
        ...others,
      }
  }
  return knownAgain(part, notes) ?? foreignBlock(part, place, writing)
}

function foreignBlock(part: ImagePart | FilePart, place: string, writing: Writing): Fields {
  const medium = mediumOf(part)
  if (typeof medium === 'string') {
    const problem = `a medium given like this (${part.mediaType ?? 'of no type'}) has no block`
    const text = writing.instead({ place, problem, words: medium }) ?? medium
    return { type: 'text', text }
  }
  const { mediaType: mimeType, base64: data, url, filename } = medium
  const text = textIn(medium)
  if (text !== undefined) return { type: 'text', text }
  const [kind = ''] = mimeType.split('/')
  return {
    type: mediaTypes.has(kind) ? kind : 'file',
    ...(url === undefined ? { data } : { url }),
    mimeType,
    ...(filename !== undefined && { metadata: { filename } }),
  }
}

/** What LangChain says beyond our own shape. */
export const notes = notesUnder('langchain')
