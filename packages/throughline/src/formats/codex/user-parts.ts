import { jsonOf, objectsOf, textOf, type Fields } from '../../json/fields.ts'
import { imagePart } from './media.ts'
import { textParts } from './origin.ts'
import { userMessages, type OriginPart } from '../conversation/user-messages.ts'
import type { MessageDraft, Metadata } from '../../log/entry.ts'

/** A message item that is not the model's, as the messages of those who really made it. */
export function userDrafts(item: Fields, at: number, metadata?: Metadata): MessageDraft[] {
  const role = textOf(item['role'])
  const harness = role !== 'user'
  const content = item['content']
  const parts =
    typeof content === 'string'
      ? textParts(content, harness)
      : objectsOf(content).flatMap((block) => blockParts(block, harness))
  const source = harness && role !== undefined && { source: { role } }
  return userMessages(parts, at, source || metadata ? { ...source, ...metadata } : undefined)
}

function blockParts(block: Fields, harness: boolean): OriginPart[] {
  const text = textOf(block['text'])
  if (text !== undefined) return textParts(text, harness)
  const image = imagePart(block)
  const origin = harness ? 'harness' : 'human'
  if (image) return [{ origin, part: image }]
  const json = jsonOf(block)
  return json === undefined ? [] : [{ origin: 'harness', part: { type: 'text', text: json } }]
}
