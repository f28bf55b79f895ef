import { fieldsOf, listOf, nameOf, objectsOf, textOf, type Fields } from '../../json/fields.ts'
import { isFunctionCall, readCall } from './calls.ts'
import { notes, withItemId } from './notes.ts'
import { restOf } from '../note.ts'
import type { AssistantPart } from '../../log/message.ts'

/** What an item of the model, or one that the provider itself put there, is to us. */
export function readModelItem(item: Fields): AssistantPart[] {
  if (item['role'] === 'assistant') return readMessage(item) ?? [whole(item)]
  if (item['type'] === 'reasoning') return [readReasoning(item)]
  return [isFunctionCall(item) ? readCall(item) : whole(item)]
}

/** An item that we have no word for: a search of the provider's, a reference, … */
function whole(item: Fields): AssistantPart {
  return {
    type: 'custom',
    kind: `openai.${nameOf(item['type']) ?? 'item'}`,
    ...notes.with({ item }),
  }
}

/** One part for each of its texts; all that the item says stands with the first. */
function readMessage(item: Fields): AssistantPart[] | undefined {
  const { content, id } = item
  const said = ['role', 'content', ...(typeof id === 'string' ? ['id'] : [])]
  const message = restOf(item, said) ?? {}
  const form = typeof content === 'string' ? 'text' : 'parts'
  const own = { message, form }
  if (typeof content === 'string') {
    return [{ type: 'text', text: content, ...notes.with(own, withItemId(id)) }]
  }
  const parts: AssistantPart[] = []
  for (const part of objectsOf(content)) {
    const isRefusal = part['type'] === 'refusal'
    const text = textOf(part[isRefusal ? 'refusal' : 'text'])
    if (text === undefined) return undefined
    const rest = restOf(part, [isRefusal ? 'refusal' : 'text'])
    const noted = parts.length === 0 ? { ...own, rest } : { joins: true, rest }
    parts.push({ type: 'text', text, ...notes.with(noted, withItemId(id)) })
  }
  return parts.length === 0 || parts.length < listOf(content).length ? undefined : parts
}

function readReasoning(item: Fields): AssistantPart {
  const texts = [...objectsOf(item['summary']), ...objectsOf(item['content'])]
  const text = texts.map((part) => textOf(part['text']) ?? '').join('\n\n')
  return { type: 'reasoning', text, ...notes.with({ item }) }
}

/** The items of an answer's texts and of all that was read whole; calls are written elsewhere. */
export function knownItem(part: AssistantPart): Fields | undefined {
  const { item } = 'providerOptions' in part ? notes.of(part) : {}
  return part.type === 'reasoning' || part.type === 'custom' ? fieldsOf(item) : undefined
}
