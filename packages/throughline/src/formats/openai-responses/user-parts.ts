import { imagePart } from '../codex/media.ts'
import { dataOf } from '../../json/data-url.ts'
import { jsonOf, nameOf, objectsOf, textOf, type Fields } from '../../json/fields.ts'
import { unknownBlock } from '../conversation/user-entries.ts'
import type { OriginPart } from '../conversation/user-messages.ts'
import type { UserPart } from '../../log/message.ts'

/** The content of a message that is not the model's. */
export function userParts(content: unknown): OriginPart[] {
  if (typeof content === 'string') return textParts(content)
  return objectsOf(content).flatMap((block) => {
    const text = textOf(block['text'])
    if (text !== undefined) return textParts(text)
    const media = block['type'] === 'input_file' ? filePart(block) : imageOf(block)
    return media ? [{ origin: 'human', part: media }] : unknownBlock(jsonOf(block))
  })
}

function textParts(text: string): OriginPart[] {
  return text === '' ? [] : [{ origin: 'human', part: { type: 'text', text } }]
}

function imageOf(block: Fields): UserPart | undefined {
  const image = imagePart(block)
  const id = nameOf(block['file_id'])
  return image ?? (id ? { type: 'image', image: { openai: id }, mediaType: 'image' } : undefined)
}

function filePart(block: Fields): UserPart | undefined {
  const filename = nameOf(block['filename'])
  const named = { type: 'file' as const, ...(filename && { filename }) }
  const pdf = 'application/pdf'
  const inline = nameOf(block['file_data'])
  if (inline) {
    const { mediaType = pdf, data = inline } = dataOf(inline) ?? {}
    return { ...named, data, mediaType: mediaType || pdf }
  }
  const url = nameOf(block['file_url'])
  if (url) return { ...named, data: { type: 'url', url }, mediaType: pdf }
  const id = nameOf(block['file_id'])
  const data = { type: 'reference', reference: { openai: id } }
  return id ? { ...named, data, mediaType: pdf } : undefined
}
