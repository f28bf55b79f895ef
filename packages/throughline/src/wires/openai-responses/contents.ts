import { fieldsOf, textOf, type Fields } from '../../json/fields.ts'
import { fileName, inlineData, isImage, mediumOf, urlIn, urlOf, wordsFor } from '../media.ts'
import { knownAgain, unknownPart } from '../unknown-part.ts'
import { notes } from './calls.ts'
import { restOf } from '../note.ts'
import type { FilePart, ImagePart, Part, UserPart } from '../../log/message.ts'
import type { Writing } from '../reading.ts'

/** A part of a user's message, or of a result. */
export function readContent(part: Fields): UserPart {
  return readKnownContent(part) ?? unknownPart(part, notes)
}

/** The same; `undefined` if the kind is unknown. */
export function readKnownContent(part: Fields): UserPart | undefined {
  const { type } = part
  const text = textOf(part['text'])
  if (text !== undefined && (type === undefined || String(type).endsWith('text'))) {
    // Other APIs call it a text, and so do those who write by hand.
    const isUsual = type === 'input_text' || type === 'text'
    const form = type === undefined ? 'untyped' : undefined
    const rest = restOf(part, ['text', ...(isUsual ? ['type'] : [])])
    return { type: 'text', text, ...notes.with({ form, rest }) }
  }
  if (type === 'input_image') return readImage(part)
  return type === 'input_file' ? readFile(part) : undefined
}

function readImage(part: Fields): UserPart | undefined {
  const source = sourceIn(part, ['image_url', 'file_id'])
  if (!source) return undefined
  const { name, data } = source
  const inline = name === 'image_url' ? inlineData(data) : undefined
  const image = name === 'file_id' ? { openai: data } : (inline?.data ?? data)
  return {
    type: 'image',
    image,
    ...(inline && { mediaType: inline.mediaType }),
    ...notes.with({ source: name, rest: restOf(part, ['type', name]) }),
  }
}

const usualType = 'application/pdf'

function readFile(part: Fields): UserPart | undefined {
  const source = sourceIn(part, ['file_data', 'file_url', 'file_id'])
  if (!source) return undefined
  const { name, data: given } = source
  const filename = textOf(part['filename'])
  const inline = name === 'file_data' ? inlineData(given) : undefined
  const said = ['type', name, ...(filename === undefined ? [] : ['filename'])]
  return {
    type: 'file',
    data: fileData(name, inline?.data ?? given),
    mediaType: inline?.mediaType ?? usualType,
    ...(filename !== undefined && { filename }),
    ...notes.with({
      source: name,
      form: name === 'file_data' && !inline ? 'as given' : undefined,
      rest: restOf(part, said),
    }),
  }
}

function fileData(name: string, given: string): unknown {
  if (name === 'file_id') return { type: 'reference', reference: { openai: given } }
  return name === 'file_url' ? { type: 'url', url: given } : given
}

/** Where the medium is, if it is in exactly one place. */
function sourceIn(
  part: Fields,
  names: readonly string[],
): { name: string; data: string } | undefined {
  const given = names.flatMap((name) => {
    const data = textOf(part[name])
    return data === undefined ? [] : [{ name, data }]
  })
  return given.length === 1 ? given[0] : undefined
}

/** A part as the input has it: in words where the API has no such part. */
export function writeContent(part: Part, place: string, writing: Writing): Fields {
  if (part.type === 'text') {
    const { form, rest } = notes.of(part)
    const type = form === 'untyped' ? {} : { type: 'input_text' }
    return knownAgain(part, notes) ?? { ...type, text: part.text, ...fieldsOf(rest) }
  }
  const isMedium = part.type === 'image' || part.type === 'file'
  const written = isMedium
    ? (knownAgain(part, notes) ?? knownMedium(part) ?? foreignMedium(part))
    : knownAgain(part, notes)
  if (written) return written
  const problem = isMedium
    ? `the Responses API does not accept a ${part.mediaType ?? 'medium'} in this form`
    : `the Responses API input cannot contain a part of type ${part.type}`
  const words = isMedium ? wordsFor(mediumOf(part)) : ''
  return { type: 'input_text', text: writing.instead({ place, problem, words }) ?? words }
}

function knownMedium(part: ImagePart | FilePart): Fields | undefined {
  const { source, form, rest } = notes.of(part)
  const data = part.type === 'image' ? part.image : part.data
  const fields = fieldsOf(data)
  const id = fields?.['openai'] ?? fieldsOf(fields?.['reference'])?.['openai']
  const name = textOf(source) ?? (id === undefined ? undefined : 'file_id')
  if (name === undefined) return undefined
  const given = fields ? fields['url'] : form === 'as given' ? data : urlIn(part, data)
  const named = part.type === 'file' && part.filename !== undefined && { filename: part.filename }
  const type = part.type === 'image' ? 'input_image' : 'input_file'
  return { type, [name]: id ?? given, ...named, ...fieldsOf(rest) }
}

/** A medium from elsewhere: bytes, a URL, or data with its type. */
function foreignMedium(part: ImagePart | FilePart): Fields | undefined {
  const medium = mediumOf(part)
  if (typeof medium === 'string') return undefined
  if (isImage(medium)) return { type: 'input_image', image_url: urlOf(medium), detail: 'auto' }
  if (medium.mediaType !== usualType) return undefined
  if (medium.url !== undefined) return { type: 'input_file', file_url: medium.url }
  return { type: 'input_file', file_data: urlOf(medium), filename: fileName(medium) }
}
