import { nameOf, type Fields, dataOf } from '../../json/fields.ts'
import { madeParts, saidInParts } from '../conversation/user-messages.ts'
import type { OriginPart } from '../conversation/user-messages.ts'
import type { ToolOutputPart, UserPart } from '../../log/message.ts'

/** What opencode shows the model for a command that the human gave to a subagent. */
const subtaskText = 'The following tool was executed by the user'

/** The parts of a user's message as the model saw them, and who really made each. */
export function userParts(parts: readonly Fields[]): OriginPart[] {
  return saidInParts(parts.flatMap(partParts))
}

function partParts(part: Fields): OriginPart[] {
  switch (part['type']) {
    case 'text':
      return textParts(part)
    case 'file': {
      const file = filePart(part)
      return file ? [{ origin: 'human', part: file }] : []
    }
    case 'subtask':
      return [{ origin: 'harness', part: { type: 'text', text: subtaskText } }]
    default:
      return []
  }
}

function textParts(part: Fields): OriginPart[] {
  const text = nameOf(part['text'])
  if (!text || part['ignored'] === true) return []
  const made = madeParts(text)
  return part['synthetic'] === true
    ? made
    : made.map(({ part: said }) => ({ origin: 'human', part: said }))
}

/** A file that was sent unchanged. Texts and directories are in separate texts. */
function filePart(part: Fields): UserPart | undefined {
  const mediaType = nameOf(part['mime'])
  const url = nameOf(part['url'])
  if (!mediaType || !url || asText.has(mediaType)) return undefined
  const data = dataOf(url)?.data ?? url
  if (mediaType.startsWith('image/')) return { type: 'image', image: data, mediaType }
  const filename = nameOf(part['filename'])
  return { type: 'file', data, mediaType, ...(filename && { filename }) }
}

const asText: ReadonlySet<string> = new Set(['text/plain', 'application/x-directory'])

/** A file that a tool returned with its output. */
export function attachment(part: Fields): ToolOutputPart[] {
  const url = nameOf(part['url'])
  const found = url === undefined ? undefined : dataOf(url)
  if (!found) return []
  const mediaType = nameOf(part['mime']) ?? found.mediaType
  return [{ type: 'file', mediaType, data: { type: 'data', data: found.data } }]
}
