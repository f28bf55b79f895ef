import { dataOf } from '../../json/data-url.ts'
import { nameOf, type Fields } from '../../json/fields.ts'
import type { ToolOutputPart, UserPart } from '../../log/message.ts'

/** A file that was sent as it is. Texts and directories stand in texts of their own. */
export function filePart(part: Fields): UserPart | undefined {
  const mediaType = nameOf(part['mime'])
  const url = nameOf(part['url'])
  if (!mediaType || !url || asText.has(mediaType)) return undefined
  const data = dataOf(url)?.data ?? url
  if (mediaType.startsWith('image/')) return { type: 'image', image: data, mediaType }
  const filename = nameOf(part['filename'])
  return { type: 'file', data, mediaType, ...(filename && { filename }) }
}

const asText: ReadonlySet<string> = new Set(['text/plain', 'application/x-directory'])

/** A file that a tool gave with its output. */
export function attachment(part: Fields): ToolOutputPart[] {
  const url = nameOf(part['url'])
  const found = url === undefined ? undefined : dataOf(url)
  if (!found) return []
  const mediaType = nameOf(part['mime']) ?? found.mediaType
  return [{ type: 'file', mediaType, data: { type: 'data', data: found.data } }]
}
