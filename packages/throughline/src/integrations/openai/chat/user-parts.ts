import { fieldsOf, nameOf, textOf, type Fields } from '../../../json/fields.ts'
import { fileName, isImage, mediumOf, textIn, urlOf } from '../../../formats/writing/media.ts'
import { knownAgain, unknownPart } from '../unknown-part.ts'
import { MessageConversionError } from '../../shapes/errors.ts'
import { notes } from './notes.ts'
import { restOf } from '../../shapes/note.ts'
import type { FilePart, ImagePart, Part, UserPart } from '../../../log/message.ts'

/** A part of a user's message. */
export function readUserPart(part: Fields): UserPart {
  switch (part['type']) {
    case 'text':
      return readText(part) ?? unknownPart(part, notes)
    case 'image_url':
      return readImage(part) ?? unknownPart(part, notes)
    case 'input_audio':
      return readAudio(part) ?? unknownPart(part, notes)
    case 'file':
      return readFile(part) ?? unknownPart(part, notes)
    default:
      return unknownPart(part, notes)
  }
}

function readText(part: Fields): UserPart | undefined {
  const text = textOf(part['text'])
  if (text === undefined) return undefined
  return { type: 'text', text, ...notes.with({ rest: restOf(part, ['type', 'text']) }) }
}

function readImage(part: Fields): UserPart | undefined {
  const image = fieldsOf(part['image_url'])
  const url = textOf(image?.['url'])
  if (!image || url === undefined) return undefined
  const noted = notes.with({
    form: 'image_url',
    inner: restOf(image, ['url']),
    rest: restOf(part, ['type', 'image_url']),
  })
  return { type: 'image', image: url, ...noted }
}

function readAudio(part: Fields): UserPart | undefined {
  const audio = fieldsOf(part['input_audio'])
  const data = textOf(audio?.['data'])
  const format = nameOf(audio?.['format'])
  if (!audio || data === undefined || format === undefined) return undefined
  const noted = notes.with({
    form: 'input_audio',
    inner: restOf(audio, ['data', 'format']),
    rest: restOf(part, ['type', 'input_audio']),
  })
  return { type: 'file', data, mediaType: `audio/${format}`, ...noted }
}

function readFile(part: Fields): UserPart | undefined {
  const file = fieldsOf(part['file'])
  const data = textOf(file?.['file_data'])
  const id = textOf(file?.['file_id'])
  if (!file || (data === undefined) === (id === undefined)) return undefined
  const filename = textOf(file['filename'])
  const said = [
    data === undefined ? 'file_id' : 'file_data',
    ...(filename === undefined ? [] : ['filename']),
  ]
  return {
    type: 'file',
    data: data ?? { type: 'reference', reference: { openai: id } },
    mediaType: 'application/pdf',
    ...(filename !== undefined && { filename }),
    ...notes.with({
      form: 'file',
      inner: restOf(file, said),
      rest: restOf(part, ['type', 'file']),
    }),
  }
}

/** @throws MessageConversionError if the API has no such part. */
export function writeUserPart(part: Part, place: string): Fields {
  switch (part.type) {
    case 'text':
      return { type: 'text', text: part.text, ...fieldsOf(notes.of(part)['rest']) }
    case 'image':
      return writeMedium(part, place)
    case 'file':
      return knownAgain(part, notes) ?? writeMedium(part, place)
  }
  const problem = `a user's message of Chat Completions has no part like ${part.type}`
  throw new MessageConversionError({ place, problem })
}

function writeMedium(part: ImagePart | FilePart, place: string): Fields {
  const { form, inner, rest } = notes.of(part)
  const [more, others] = [fieldsOf(inner), fieldsOf(rest)]
  const data = part.type === 'image' ? part.image : part.data
  const id = fieldsOf(fieldsOf(data)?.['reference'])?.['openai']
  const named = part.type === 'file' && part.filename !== undefined && { filename: part.filename }
  switch (form) {
    case 'image_url':
      return { type: form, image_url: { url: data, ...more }, ...others }
    case 'input_audio': {
      const format = part.mediaType?.slice('audio/'.length)
      return { type: form, input_audio: { data, format, ...more }, ...others }
    }
    case 'file': {
      const source = id === undefined ? { file_data: data } : { file_id: id }
      return { type: form, file: { ...source, ...named, ...more }, ...others }
    }
    default:
      return id === undefined ? foreignPart(part, place) : { type: 'file', file: { file_id: id } }
  }
}

/** A medium that came from elsewhere: bytes, a URL, or data with its type. */
function foreignPart(part: ImagePart | FilePart, place: string): Fields {
  const medium = mediumOf(part)
  if (typeof medium !== 'string') {
    const { mediaType, base64, url } = medium
    const [kind, format = ''] = mediaType.split('/')
    if (isImage(medium) || kind === 'image') {
      return { type: 'image_url', image_url: { url: urlOf(medium) } }
    }
    if (kind === 'audio' && base64 !== undefined) {
      return { type: 'input_audio', input_audio: { data: base64, format } }
    }
    const text = textIn(medium)
    if (text !== undefined) return { type: 'text', text }
    if (url === undefined) {
      return { type: 'file', file: { file_data: urlOf(medium), filename: fileName(medium) } }
    }
  }
  const problem = `Chat Completions takes no ${part.mediaType ?? 'medium'} given like this`
  throw new MessageConversionError({ place, problem })
}
