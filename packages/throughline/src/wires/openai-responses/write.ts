import { fieldsOf, nameOf, type Fields } from '../../json/fields.ts'
import { itemId, notes, writeCall, type ResponsesItem } from './calls.ts'
import { knownAgain, parsedFields } from '../unknown-part.ts'
import { byRole } from '../by-role.ts'
import { systemContent } from '../text-pieces.ts'
import { writeContent } from './contents.ts'
import { writeResult } from './results.ts'
import { writeServed } from './served.ts'
import { partsOf } from '../../log/message.ts'
import { itemReader } from './read.ts'
import { wireOf, type Wire } from '../wire.ts'
import type {
  AssistantPart,
  Message,
  ReasoningPart,
  SystemMessage,
  TextPart,
  ToolResultPart,
} from '../../log/message.ts'
import type { Writing } from '../reading.ts'

/** The Responses API: the items of one answer are one message. */
export const openaiResponsesWire: Wire<ResponsesItem> = wireOf({
  reader: itemReader,
  write: byRole(
    {
      system: systemItem,
      user: (message, content) => ({
        ...typed(message),
        role: 'user',
        content,
        ...fieldsOf(notes.of(message)['rest']),
      }),
      userPart: writeContent,
      answer: (message, place, writing) =>
        answerItems(partsOf(message) as readonly AssistantPart[], place, writing),
      result: writeResult,
      noApproval: 'approvals of this kind do not exist',
    },
    (item) => item as ResponsesItem,
  ),
})

function systemItem(message: SystemMessage): Fields {
  const { form, rest, role } = notes.of(message)
  const known = form === 'item' ? parsedFields(message.content) : undefined
  if (known) return known
  const content = systemContent(message, notes)
  return { ...typed(message), role: nameOf(role) ?? 'system', content, ...fieldsOf(rest) }
}

/** Some name the type of a message, and some don't. */
function typed(message: Message): Fields {
  return notes.of(message)['untyped'] === undefined ? { type: 'message' } : {}
}

/** One item per part, except that the texts of one message are one item. */
function answerItems(parts: readonly AssistantPart[], place: string, writing: Writing): Fields[] {
  const items: Fields[] = []
  const results = new Map<string, ToolResultPart>()
  for (const part of parts) if (part.type === 'tool-result') results.set(part.toolCallId, part)
  let content: Fields[] | undefined
  parts.forEach((part, index) => {
    if (part.type === 'text' && notes.of(part)['joins'] === true && content) {
      content.push(outputText(part))
      return
    }
    content = undefined
    if (part.type !== 'text') {
      items.push(...otherItems(part, results, { place: `${place}.content[${index}]`, writing }))
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
      // Only stored items have a status.
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

function otherItems(
  part: Exclude<AssistantPart, TextPart>,
  results: ReadonlyMap<string, ToolResultPart>,
  { place, writing }: { place: string; writing: Writing },
): Fields[] {
  const item = otherItem(part, results)
  if (item) return [item]
  // It is part of its call's item.
  if (part.type === 'tool-result' && notes.of(part)['form'] === 'served') return []
  const problem = `the Responses API has no item for a part of type ${part.type}`
  const content = writing.instead({ place, problem })
  return content === undefined ? [] : [{ type: 'message', role: 'assistant', content }]
}

function otherItem(
  part: Exclude<AssistantPart, TextPart>,
  results: ReadonlyMap<string, ToolResultPart>,
): Fields | undefined {
  switch (part.type) {
    case 'reasoning':
      return reasoningItem(part)
    case 'custom':
      return knownAgain(part, notes)
    case 'tool-call':
      return (
        writeServed(part, results.get(part.toolCallId)) ??
        (part.providerExecuted ? undefined : writeCall(part))
      )
    default:
      return undefined
  }
}

function reasoningItem(part: ReasoningPart): Fields | undefined {
  const item = fieldsOf(notes.of(part)['item'])
  const { itemId: id, reasoningEncryptedContent: sealed } =
    fieldsOf(part.providerOptions?.['openai']) ?? {}
  if (!item) return undefined
  return {
    type: 'reasoning',
    ...(id !== undefined && { id }),
    ...(sealed !== undefined && { encrypted_content: sealed }),
    ...item,
  }
}
