import { dataOf } from '../../json/data-url.ts'
import { fieldsOf, nameOf, type Fields } from '../../json/fields.ts'
import type { ToolOutputPart, UserPart } from '../../log/message.ts'

/** The image of an `input_image` block: as data, or as an address. */
interface Image {
  mediaType: string
  data?: string
  url?: string
}

export function imagePart(block: Fields): UserPart | undefined {
  const image = imageOf(block)
  return image && { type: 'image', image: image.data ?? image.url, mediaType: image.mediaType }
}

export function imageOutput(block: Fields): ToolOutputPart | undefined {
  const image = imageOf(block)
  if (!image) return undefined
  const { mediaType, data, url } = image
  if (data === undefined) return { type: 'file', mediaType, data: { type: 'url', url } }
  return { type: 'file', mediaType, data: { type: 'data', data } }
}

function imageOf(block: Fields): Image | undefined {
  const url = nameOf(block['image_url']) ?? nameOf(fieldsOf(block['image_url'])?.['url'])
  if (!url) return undefined
  const inline = dataOf(url)
  return inline
    ? { mediaType: inline.mediaType || 'image', data: inline.data }
    : { mediaType: 'image', url }
}
