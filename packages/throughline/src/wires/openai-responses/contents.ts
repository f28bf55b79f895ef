import { fieldsOf, textOf, type Fields } from '../../json/fields.ts'
import { fileName, isImage, mediumOf, textIn, urlOf } from '../media.ts'
import { knownAgain, unknownPart } from '../unknown-part.ts'
import { MessageConversionError } from '../errors.ts'
import { notes } from './notes.ts'
import { restOf } from '../note.ts'
import type { FilePart, ImagePart, Part, UserPart } from '../../log/message.ts'

/** A part of what a user says, or of a result. */
export function readContent(part: Fields): UserPart {
  const { type } = part
  const text = textOf(part['text'])
  if (type === 'input_text' && text !== undefined) {
    return { type: 'text', text, ...notes.with({ rest: restOf(part, ['type', 'text']) }) }
  }
  if (type === 'input_image') return readImage(part) ?? unknownPart(part, notes)
  if (type === 'input_file') return readFile(part) ?? unknownPart(part, notes)
  return unknownPart(part, notes)
}

function readImage(part: Fields): UserPart | undefined {
  const source = sourceIn(part, ['image_url', 'file_id'])
  if (!source) return undefined
  const { name, data } = source
  const image = name === 'file_id' ? { openai: data } : data
  return {
    type: 'image',
    image,
    ...notes.with({ source: name, rest: restOf(part, ['type', name]) }),
  }
}

function readFile(part: Fields): UserPart | undefined {
  const source = sourceIn(part, ['file_data', 'file_url', 'file_id'])
  if (!source) return undefined
  const { name, data: given } = source
  const filename = textOf(part['filename'])
  const said = ['type', name, ...(filename === undefined ? [] : ['filename'])]
  return {
    type: 'file',
    data: name === 'file_id' ? { type: 'reference', reference: { openai: given } } : given,
    mediaType: 'application/pdf',
    ...(filename !== undefined && { filename }),
    ...notes.with({ source: name, rest: restOf(part, said) }),
  }
}

/** Where the medium is, if that is said in one place. */
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

/** @throws MessageConversionError if the API takes no such part. */
export function writeContent(part: Part, place: string): Fields {
  switch (part.type) {
    case 'text':
      return { type: 'input_text', text: part.text, ...fieldsOf(notes.of(part)['rest']) }
    case 'image':
      return knownMedium(part, 'input_image') ?? foreignMedium(part, place)
    case 'file':
      return (
        knownAgain(part, notes) ?? knownMedium(part, 'input_file') ?? foreignMedium(part, place)
      )
  }
  const problem = `the input of the Responses API has no part like ${part.type}`
  throw new MessageConversionError({ place, problem })
}

function knownMedium(part: ImagePart | FilePart, type: string): Fields | undefined {
  const { source, rest } = notes.of(part)
  const data = part.type === 'image' ? part.image : part.data
  const id = fieldsOf(data)?.['openai'] ?? fieldsOf(fieldsOf(data)?.['reference'])?.['openai']
  const name = textOf(source) ?? (id === undefined ? undefined : 'file_id')
  if (name === undefined) return undefined
  const named = part.type === 'file' && part.filename !== undefined && { filename: part.filename }
  return { type, [name]: id ?? data, ...named, ...fieldsOf(rest) }
}

/** A medium that came from elsewhere: bytes, a URL, or data with its type. */
function foreignMedium(part: ImagePart | FilePart, place: string): Fields {
  const medium = mediumOf(part)
  if (typeof medium !== 'string') {
    if (isImage(medium) || medium.mediaType.startsWith('image/')) {
      return { type: 'input_image', image_url: urlOf(medium), detail: 'auto' }
    }
    const text = textIn(medium)
    if (text !== undefined) return { type: 'input_text', text }
    if (medium.url !== undefined) return { type: 'input_file', file_url: medium.url }
    if (!/^(?:audio|video)\//.test(medium.mediaType)) {
      return { type: 'input_file', file_data: urlOf(medium), filename: fileName(medium) }
    }
  }
  const problem = `the Responses API takes no ${part.mediaType ?? 'medium'} given like this`
  throw new MessageConversionError({ place, problem })
}
