import { nameOf, type Fields } from '../../json/fields.ts'
import { takeOffWrapped } from '../conversation/wrapped.ts'
import { filePart } from './media.ts'
import type { OriginPart } from '../conversation/user-messages.ts'

/** Elements that opencode and its editors put before or behind what the human typed. */
const wrappers: readonly string[] = ['system-reminder']

/** What opencode shows the model in place of a command that the human gave to a subagent. */
const subtaskText = 'The following tool was executed by the user'

/** A part of a user's message as the model saw it, and who really made it. */
export function userParts(part: Fields): OriginPart[] {
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
  if (part['synthetic'] === true) return [{ origin: 'harness', part: { type: 'text', text } }]
  return takeOffWrapped(text, wrappers).map((stretch) => ({
    origin: stretch.wrapped ? 'harness' : 'human',
    part: { type: 'text', text: stretch.text },
  }))
}
