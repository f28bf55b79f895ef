import { fieldsOf, nameOf, textOf, type Fields } from '../../json/fields.ts'
import { fileName, inlineData, isImage, mediumOf, urlIn, urlOf, wordsFor } from '../media.ts'
import { knownAgain, unknownPart } from '../unknown-part.ts'
import { notes } from './message.ts'
import { restOf } from '../note.ts'
import type { FilePart, ImagePart, Part, UserPart } from '../../log/message.ts'
import type { Writing } from '../reading.ts'

export function readUserPart(part: Fields): UserPart {
  return readKnown(part) ?? unknownPart(part, notes)
}

function readKnown(part: Fields): UserPart | undefined {
  switch (part['type']) {
    case 'text':
    case undefined:
      return readText(part)
    case 'image_url':
      return readImage(part)
    case 'input_audio':
      return readAudio(part)
    case 'file':
      return readFile(part)
    default:
      return undefined
  }
}

function readText(part: Fields): UserPart | undefined {
  const text = textOf(part['text'])
  if (text === undefined) return undefined
  const form = part['type'] === undefined ? 'untyped' : undefined
  return { type: 'text', text, ...notes.with({ form, rest: restOf(part, ['type', 'text']) }) }
}

function readImage(part: Fields): UserPart | undefined {
  const given = part['image_url']
  const image = fieldsOf(given)
  const url = textOf(image ? image['url'] : given)
  if (url === undefined) return undefined
  const inline = inlineData(url)
  const noted = notes.with({
    form: image ? 'image_url' : 'image_url text',
    inner: image && restOf(image, ['url']),
    rest: restOf(part, ['type', 'image_url']),
  })
  return inline
    ? { type: 'image', image: inline.data, mediaType: inline.mediaType, ...noted }
    : { type: 'image', image: url, ...noted }
}

function readAudio(part: Fields): UserPart | undefined {
  const audio = fieldsOf(part['input_audio'])
  const data = textOf(audio?.['data'])
  const format = nameOf(audio?.['format'])
  if (!audio || data === undefined || format === undefined) return undefined
  const mediaType = `audio/${format === 'mp3' ? 'mpeg' : format}`
  const noted = notes.with({
    form: 'input_audio',
    inner: restOf(audio, ['data', ...(formatOf(mediaType) === format ? ['format'] : [])]),
    rest: restOf(part, ['type', 'input_audio']),
  })
  return { type: 'file', data, mediaType, ...noted }
}

function formatOf(mediaType: string): string {
  const format = mediaType.slice('audio/'.length)
  return format === 'mpeg' ? 'mp3' : format
}

const usualType = 'application/pdf'

function readFile(part: Fields): UserPart | undefined {
  const file = fieldsOf(part['file'])
  const data = textOf(file?.['file_data'])
  const id = textOf(file?.['file_id'])
  if (!file || (data === undefined) === (id === undefined)) return undefined
  const filename = textOf(file['filename'])
  const inline = data === undefined ? undefined : inlineData(data)
  const said = [
    data === undefined ? 'file_id' : 'file_data',
    ...(filename === undefined ? [] : ['filename']),
  ]
  return {
    type: 'file',
    data: inline?.data ?? data ?? { type: 'reference', reference: { openai: id } },
    mediaType: inline?.mediaType ?? usualType,
    ...(filename !== undefined && { filename }),
    ...notes.with({
      form: data === undefined || inline ? 'file' : 'file as given',
      inner: restOf(file, said),
      rest: restOf(part, ['type', 'file']),
    }),
  }
}

/** A part as a user's message has it: in words where the API has no such part. */
export function writeUserPart(part: Part, place: string, writing: Writing): Fields {
  if (part.type === 'text') {
    const { form, rest } = notes.of(part)
    return { ...(form !== 'untyped' && { type: 'text' }), text: part.text, ...fieldsOf(rest) }
  }
  const isMedium = part.type === 'image' || part.type === 'file'
  const written = isMedium
    ? (knownAgain(part, notes) ?? writtenMedium(part) ?? foreignPart(part))
    : undefined
  if (written) return written
  const problem = isMedium
    ? `Chat Completions does not accept a ${part.mediaType ?? 'medium'} in this form`
    : `a user’s message of Chat Completions cannot contain a part of type ${part.type}`
  const words = isMedium ? wordsFor(mediumOf(part)) : ''
  return { type: 'text', text: writing.instead({ place, problem, words }) ?? words }
}

/** A medium that came from this API, in its original form. */
export function writtenMedium(part: ImagePart | FilePart): Fields | undefined {
  const { form, inner, rest } = notes.of(part)
  const [more, others] = [fieldsOf(inner), fieldsOf(rest)]
  const data = part.type === 'image' ? part.image : part.data
  const id = fieldsOf(fieldsOf(data)?.['reference'])?.['openai']
  const named = part.type === 'file' && part.filename !== undefined && { filename: part.filename }
  switch (form) {
    case 'image_url':
      return { type: form, image_url: { url: urlIn(part, data), ...more }, ...others }
    case 'image_url text':
      return { type: 'image_url', image_url: urlIn(part, data), ...others }
    case 'input_audio': {
      const format = formatOf(part.mediaType ?? '')
      return { type: form, input_audio: { data, format, ...more }, ...others }
    }
    case 'file':
    case 'file as given': {
      const given = form === 'file' ? urlIn(part, data) : data
      const source = id === undefined ? { file_data: given } : { file_id: id }
      return { type: 'file', file: { ...source, ...named, ...more }, ...others }
    }
    default:
      return id === undefined ? undefined : { type: 'file', file: { file_id: id } }
  }
}

const sounds: ReadonlySet<string> = new Set(['wav', 'mp3'])

/** A medium that came from elsewhere: the API takes images from anywhere, sounds and files as data. */
function foreignPart(part: ImagePart | FilePart): Fields | undefined {
  const medium = mediumOf(part)
  if (typeof medium === 'string') return undefined
  const { mediaType, base64 } = medium
  if (isImage(medium)) return { type: 'image_url', image_url: { url: urlOf(medium) } }
  if (base64 === undefined) return undefined
  const format = formatOf(mediaType)
  if (mediaType.startsWith('audio/') && sounds.has(format)) {
    return { type: 'input_audio', input_audio: { data: base64, format } }
  }
  if (mediaType !== usualType) return undefined
  return { type: 'file', file: { file_data: urlOf(medium), filename: fileName(medium) } }
}
