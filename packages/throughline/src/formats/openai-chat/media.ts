import { dataOf } from '../../json/data-url.ts'
import { fieldsOf, nameOf, type Fields } from '../../json/fields.ts'
import { imagePart } from '../codex/media.ts'
import type { UserPart } from '../../log/message.ts'

/** An image, a sound or a file of a user's message. */
export function mediaPart(block: Fields): UserPart | undefined {
  switch (block['type']) {
    case 'image_url':
      return imagePart(block)
    case 'input_audio':
      return audioPart(fieldsOf(block['input_audio']))
    case 'file':
      return filePart(fieldsOf(block['file']))
    default:
      return undefined
  }
}

function audioPart(audio: Fields | undefined): UserPart | undefined {
  const data = nameOf(audio?.['data'])
  if (!data) return undefined
  const format = nameOf(audio?.['format']) ?? 'wav'
  return { type: 'file', data, mediaType: `audio/${format === 'mp3' ? 'mpeg' : format}` }
}

function filePart(file: Fields | undefined): UserPart | undefined {
  const filename = nameOf(file?.['filename'])
  const url = nameOf(file?.['file_data'])
  const id = nameOf(file?.['file_id'])
  const named = { type: 'file' as const, ...(filename && { filename }) }
  const pdf = 'application/pdf'
  if (url) {
    const { mediaType = pdf, data = url } = dataOf(url) ?? {}
    return { ...named, data, mediaType: mediaType || pdf }
  }
  const data = { type: 'reference', reference: { openai: id } }
  return id ? { ...named, data, mediaType: pdf } : undefined
}
