import { isFunctionCall, readCall } from './calls.ts'
import { isServed, readServed } from './served.ts'
import { listOf, nameOf, objectsOf, textOf, type Fields } from '../../json/fields.ts'
import { notes, withItemId } from './item.ts'
import { restOf } from '../note.ts'
import type { AssistantPart, ReasoningPart } from '../../log/message.ts'
import type { Reading } from '../reading.ts'

/** What an item from the model, or one that the provider itself inserted, means to us. */
export function readModelItem(item: Fields, place: string, reading: Reading): AssistantPart[] {
  if (item['role'] === 'assistant') return readMessage(item) ?? [whole(item)]
  if (item['type'] === 'reasoning') return [readReasoning(item)]
  if (isFunctionCall(item)) return [readCall(item)]
  if (isServed(item)) return readServed(item)
  const type = nameOf(item['type'])
  const isNamed = ['id', 'call_id', 'encrypted_content'].some((name) => nameOf(item[name]))
  const problem = `an item of the type ${JSON.stringify(type)} is unknown`
  const reason = type?.endsWith('_output') ? 'result-without-call' : 'unknown-record'
  // Kinds that the API has added since are kept whole.
  return isNamed || reading.keeps({ place, problem, reason }) ? [whole(item)] : []
}

/** An item that we have no type for: a search by the provider, a reference, … */
function whole(item: Fields): AssistantPart {
  return {
    type: 'custom',
    kind: `openai.${nameOf(item['type']) ?? 'item'}`,
    ...notes.with({ part: item }),
  }
}

/** One part for each of its texts; the item's other fields are with the first. */
function readMessage(item: Fields): AssistantPart[] | undefined {
  const { content, id } = item
  const said = ['role', 'content', ...(typeof id === 'string' ? ['id'] : [])]
  const message = restOf(item, said) ?? {}
  if (typeof content === 'string') {
    const isPlain = Object.keys(message).join() === 'type' && message['type'] === 'message'
    const noted = notes.with(isPlain ? {} : { message, form: 'text' }, withItemId(id))
    return [{ type: 'text', text: content, ...noted }]
  }
  const parts: AssistantPart[] = []
  for (const part of objectsOf(content)) {
    const isRefusal = part['type'] === 'refusal'
    const text = textOf(part[isRefusal ? 'refusal' : 'text'])
    if (text === undefined) return undefined
    const rest = restOf(part, [isRefusal ? 'refusal' : 'text'])
    const noted = parts.length === 0 ? { message, form: 'parts', rest } : { joins: true, rest }
    parts.push({ type: 'text', text, ...notes.with(noted, withItemId(id)) })
  }
  return parts.length === 0 || parts.length < listOf(content).length ? undefined : parts
}

function readReasoning(item: Fields): ReasoningPart {
  const { id, encrypted_content: sealed } = item
  const texts = [...objectsOf(item['summary']), ...objectsOf(item['content'])]
  const text = texts.map((part) => textOf(part['text']) ?? '').join('\n\n')
  const said = [
    'type',
    ...(typeof id === 'string' ? ['id'] : []),
    ...(typeof sealed === 'string' ? ['encrypted_content'] : []),
  ]
  const openai = {
    ...(typeof id === 'string' && { itemId: id }),
    ...(typeof sealed === 'string' && { reasoningEncryptedContent: sealed }),
  }
  const bound = Object.keys(openai).length > 0 ? { openai } : {}
  return { type: 'reasoning', text, ...notes.with({ item: restOf(item, said) ?? {} }, bound) }
}
