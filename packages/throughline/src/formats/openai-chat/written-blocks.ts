import { fileName, isImage, urlOf, wordsFor, type Medium } from '../writing/media.ts'

export type Fields = Record<string, unknown>

export function textBlock(text: string): Fields {
  return { type: 'text', text }
}

/** A medium of a user's message: the API takes images from anywhere, sounds and PDFs as data. */
export function userBlock(medium: Medium | string): Fields {
  if (typeof medium === 'string') return textBlock(medium)
  if (isImage(medium)) return { type: 'image_url', image_url: { url: urlOf(medium) } }
  const { mediaType, base64: data } = medium
  const format = sounds.get(mediaType)
  if (data !== undefined && format !== undefined) {
    return { type: 'input_audio', input_audio: { data, format } }
  }
  if (data === undefined || mediaType !== 'application/pdf') return textBlock(wordsFor(medium))
  return { type: 'file', file: { filename: fileName(medium), file_data: urlOf(medium) } }
}

const sounds: ReadonlyMap<string, string> = new Map([
  ['audio/wav', 'wav'],
  ['audio/mpeg', 'mp3'],
])
