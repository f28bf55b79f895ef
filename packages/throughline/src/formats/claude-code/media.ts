import { fieldsOf, nameOf, textOf, type Fields } from '../../json/fields.ts'
import type { ToolOutputPart, UserPart } from '../../log/message.ts'

/** An image or document block of the API as a part of a user message. */
export function mediaPart(block: Fields): UserPart | undefined {
  const source = fieldsOf(block['source'])
  if (!source) return undefined
  const mediaType = nameOf(source['media_type'])
  const data = nameOf(source['data']) ?? nameOf(source['url'])
  if (data === undefined) return undefined
  if (block['type'] === 'image')
    return { type: 'image', image: data, ...(mediaType && { mediaType }) }
  if (source['type'] === 'text') return { type: 'text', text: data }
  const filename = nameOf(block['title'])
  return {
    type: 'file',
    data,
    mediaType: mediaType ?? 'application/pdf',
    ...(filename && { filename }),
  }
}

/** An image or document block as a part of a tool's output. */
export function mediaOutput(block: Fields): ToolOutputPart | undefined {
  const source = fieldsOf(block['source'])
  if (!source) return undefined
  const fallback = block['type'] === 'image' ? 'image' : 'application/pdf'
  const mediaType = nameOf(source['media_type']) ?? fallback
  const url = nameOf(source['url'])
  if (url !== undefined) return { type: 'file', mediaType, data: { type: 'url', url } }
  const data = textOf(source['data'])
  if (data === undefined) return undefined
  if (source['type'] === 'text') return { type: 'text', text: data }
  return { type: 'file', mediaType, data: { type: 'data', data } }
}
