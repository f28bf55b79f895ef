import { fieldsOf, jsonOf, listOf, nameOf, textOf, type Fields } from '../../json/fields.ts'
import { unknownBlock } from '../conversation/user-entries.ts'
import { readParts, wholePart, type ReadParts } from './whole-part.ts'
import type { OriginPart } from '../conversation/user-messages.ts'
import type { FilePart, ImagePart, TextPart } from '../../log/message.ts'

/** The content of a user's message. */
export function userParts(content: unknown): ReadParts<OriginPart> {
  const listed = typeof content === 'string' ? [{ type: 'text', text: content }] : listOf(content)
  const spoken = listed.filter((part) => fieldsOf(part)?.['text'] !== '')
  return readParts(spoken, (value) => {
    const part = fieldsOf(value)
    const known = part && (textPart(part) ?? imagePart(part) ?? filePart(part))
    if (known) return { origin: 'human', part: known }
    return part && nameOf(part['type']) ? unknownBlock(jsonOf(part))[0] : undefined
  })
}

export function textPart(part: Fields): TextPart | undefined {
  const text = textOf(part['text'])
  if (part['type'] !== 'text' || text === undefined) return undefined
  return { ...wholePart(part), type: 'text', text }
}

function imagePart(part: Fields): ImagePart | undefined {
  const { image, mediaType: _, ...rest } = wholePart(part)
  if (part['type'] !== 'image' || !image) return undefined
  const mediaType = nameOf(part['mediaType']) ?? nameOf(part['mimeType'])
  return { ...rest, type: 'image', image, ...(mediaType && { mediaType }) }
}

export function filePart(part: Fields): FilePart | undefined {
  const { data, filename: _, ...rest } = wholePart(part)
  const mediaType = nameOf(part['mediaType']) ?? nameOf(part['mimeType'])
  if (part['type'] !== 'file' || !data || !mediaType) return undefined
  const filename = nameOf(part['filename'])
  return { ...rest, type: 'file', data, mediaType, ...(filename && { filename }) }
}
