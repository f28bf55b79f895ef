import { fieldsOf, jsonOf, listOf, textOf } from '../../json/fields.ts'
import { unknownBlock } from '../conversation/user-entries.ts'
import { mediaPart } from './media.ts'
import type { OriginPart } from '../conversation/user-messages.ts'

/** The content of a user's message. */
export function userParts(content: unknown): OriginPart[] {
  if (typeof content === 'string') return textParts(content)
  return listOf(content).flatMap((block) => {
    const fields = fieldsOf(block)
    const text = fields ? textOf(fields['text']) : textOf(block)
    if (text !== undefined) return textParts(text)
    const media = fields && mediaPart(fields)
    return media ? [{ origin: 'human', part: media }] : unknownBlock(fields && jsonOf(fields))
  })
}

function textParts(text: string): OriginPart[] {
  return text === '' ? [] : [{ origin: 'human', part: { type: 'text', text } }]
}
