import { mediaPart } from '../claude-code/media.ts'
import { fieldsOf, jsonOf, listOf, nameOf, textOf, type Fields } from '../../json/fields.ts'
import { unknownBlock } from '../conversation/user-entries.ts'
import type { OriginPart } from '../conversation/user-messages.ts'
import type { UserPart } from '../../log/message.ts'

/** The content of a user's message, but for the results of tools. */
export function userParts(content: unknown): OriginPart[] {
  if (typeof content === 'string') return textParts(content)
  return listOf(content).flatMap((block) => {
    const fields = fieldsOf(block)
    return fields ? blockParts(fields) : textParts(textOf(block) ?? '')
  })
}

function blockParts(block: Fields): OriginPart[] {
  const { type } = block
  if (type === 'tool_result') return []
  if (type === 'text') return textParts(textOf(block['text']) ?? '')
  const media =
    type === 'image' || type === 'document' ? (uploaded(block) ?? mediaPart(block)) : undefined
  return media ? [{ origin: 'human', part: media }] : unknownBlock(jsonOf(block))
}

/** A file that was uploaded before, by its id. */
function uploaded(block: Fields): UserPart | undefined {
  const id = nameOf(fieldsOf(block['source'])?.['file_id'])
  if (!id) return undefined
  if (block['type'] === 'image') return { type: 'image', image: { anthropic: id } }
  const data = { type: 'reference', reference: { anthropic: id } }
  return { type: 'file', data, mediaType: 'application/pdf' }
}

function textParts(text: string): OriginPart[] {
  return text === '' ? [] : [{ origin: 'human', part: { type: 'text', text } }]
}
