import { fieldsOf, nameOf, type Fields } from '../../json/fields.ts'
import { itemId, notes } from './notes.ts'
import { knownItem } from './model-items.ts'
import { MessageConversionError } from '../errors.ts'
import { parsedFields } from '../unknown-part.ts'
import {
  partsOf,
  type AssistantPart,
  type Message,
  type SystemMessage,
  type TextPart,
} from '../../log/message.ts'
import { partsText } from '../parts-text.ts'
import { writeCall } from './calls.ts'
import { writeContent } from './contents.ts'
import { writeResult } from './results.ts'
import type { Pair } from '../wire.ts'
import type { ResponsesItem } from './item.ts'

/** Our messages as items of the Responses API. */
export function writeItems(messages: readonly Message[]): Pair<ResponsesItem>[] {
  return messages.map((message, index) => ({
    natives: itemsOf(message, `messages[${index}]`) as ResponsesItem[],
    messages: [message],
  }))
}

function itemsOf(message: Message, place: string): Fields[] {
  switch (message.role) {
    case 'system':
      return [systemItem(message)]
    case 'user': {
      const content =
        typeof message.content === 'string'
          ? message.content
          : message.content.map((part, index) => writeContent(part, `${place}.content[${index}]`))
      return [{ ...typed(message), role: 'user', content, ...fieldsOf(notes.of(message)['rest']) }]
    }
    case 'assistant':
      return answerItems(partsOf(message) as readonly AssistantPart[], place)
    case 'tool':
      return message.content.map((part, index) => {
        const at = `${place}.content[${index}]`
        if (part.type === 'tool-result') return writeResult(part, at)
        throw new MessageConversionError({ place: at, problem: 'there are no approvals like this' })
      })
  }
}

function systemItem(message: SystemMessage): Fields {
  const { form, rest, role, parts } = notes.of(message)
  const known = form === 'item' ? parsedFields(message.content) : undefined
  if (known) return known
  const content =
    Array.isArray(parts) && partsText(parts) === message.content ? parts : message.content
  return { ...typed(message), role: nameOf(role) ?? 'system', content, ...fieldsOf(rest) }
}

/** Some say of what type a message is, and some do not. */
function typed(message: Message): Fields {
  return notes.of(message)['untyped'] === undefined ? { type: 'message' } : {}
}

/** An item for each part, but that the texts of one message are one item. */
function answerItems(parts: readonly AssistantPart[], place: string): Fields[] {
  const items: Fields[] = []
  let content: Fields[] | undefined
  parts.forEach((part, index) => {
    if (part.type === 'text' && notes.of(part)['joins'] === true && content) {
      content.push(outputText(part))
      return
    }
    content = undefined
    if (part.type !== 'text') {
      items.push(otherItem(part, `${place}.content[${index}]`))
      return
    }
    const { message, form } = notes.of(part)
    const isParts = form === 'parts' || notes.of(part)['joins'] === true
    content = isParts ? [outputText(part)] : undefined
    const id = itemId(part)
    const { status, ...about } = fieldsOf(message) ?? { type: 'message' }
    items.push({
      ...id,
      role: 'assistant',
      content: content ?? part.text,
      // Only what is stored has a status.
      ...('id' in id && status !== undefined && { status }),
      ...about,
    })
  })
  return items
}

function outputText(part: TextPart): Fields {
  const rest = fieldsOf(notes.of(part)['rest']) ?? { type: 'output_text', annotations: [] }
  return rest['type'] === 'refusal' ? { ...rest, refusal: part.text } : { ...rest, text: part.text }
}

function otherItem(part: AssistantPart, place: string): Fields {
  const known = knownItem(part)
  if (known) return known
  if (part.type === 'tool-call' && !part.providerExecuted) return writeCall(part)
  const problem = `the Responses API has no item for a part like ${part.type}`
  throw new MessageConversionError({ place, problem })
}
