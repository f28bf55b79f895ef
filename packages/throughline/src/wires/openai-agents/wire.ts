import { addNames, toolNames } from '../tool-names.ts'
import { byRole } from '../by-role.ts'
import { itemByItem, wireOf, type Wire } from '../wire.ts'
import { fieldsOf, nameOf, objectsOf, textOf, type Fields } from '../../json/fields.ts'
import { isResult, readResult, writeResult } from './results.ts'
import { knownAgain, parsedFields } from '../unknown-part.ts'
import { notes, type AgentItem, readContent, restIn, writeContent } from './contents.ts'
import { partsOf, type AssistantPart, type Message, type Part } from '../../log/message.ts'
import { readArguments, writeArguments } from '../arguments.ts'
import { restOf } from '../note.ts'
import { fieldsIn, type Reading, type Writing } from '../reading.ts'

/** The OpenAI Agents SDK: items of a model that follow each other are one message. */
export const openaiAgentsWire: Wire<AgentItem> = wireOf({
  reader(reading, before) {
    const names = toolNames(before)
    return itemByItem(before, (native, place) => {
      const item = reading.fields(native, place)
      if (!item) return undefined
      if (isResult(item)) return { message: readResult(item, names) }
      if (item['type'] === 'compaction' || !isModels(item)) {
        return { message: readSaid(item, place, reading) }
      }
      const parts = readModelItem(item, place, reading)
      addNames(names, { role: 'assistant', content: parts })
      return parts.length === 0 ? undefined : { parts }
    })
  },
  write: byRole(
    {
      system: (message) => {
        const isItem = notes.of(message)['form'] === 'item'
        const item = isItem ? parsedFields(message.content) : undefined
        return item ?? { role: 'system', content: message.content, ...restIn(message) }
      },
      user: (message, content) => ({ role: 'user', content, ...restIn(message) }),
      userPart: writeContent,
      answer: (message, place, writing) => writeAnswer(partsOf(message), place, writing),
      result: writeResult,
      noApproval: 'the Agents SDK keeps approvals in the state of a run, not in its items',
    },
    (item) => item as AgentItem,
  ),
})

function isModels({ type, role }: Fields): boolean {
  return (type ?? 'message') !== 'message' || role === 'assistant'
}

/** What a user or a developer says, and the provider's own compaction, which stands for all that follows. */
function readSaid(item: Fields, place: string, reading: Reading): Message | undefined {
  const { type, role, content } = item
  if (type === 'compaction') {
    return { role: 'system', content: JSON.stringify(item), ...notes.with({ form: 'item' }) }
  }
  if (role !== 'user' && role !== 'system') {
    const problem = `the role ${JSON.stringify(role)} is unknown`
    reading.misfit({ place, problem, reason: 'unknown-record' })
    return undefined
  }
  const noted = notes.with({ rest: restOf(item, ['role', 'content']) })
  if (typeof content === 'string') return { role, content, ...noted }
  if (!Array.isArray(content) || role === 'system') {
    const problem = 'the content is neither a text nor a list of parts'
    reading.misfit({ place, problem, reason: 'empty' })
    return undefined
  }
  const parts = fieldsIn(content, `${place}.content`, reading).map(readContent)
  return { role, content: parts, ...noted }
}

const callTypes: ReadonlySet<unknown> = new Set(['computer_call', 'shell_call', 'apply_patch_call'])

function readModelItem(item: Fields, place: string, reading: Reading): AssistantPart[] {
  const { type } = item
  if (item['role'] === 'assistant') return readMessage(item) ?? [whole(item)]
  if (type === 'reasoning') {
    const said = [...objectsOf(item['content']), ...objectsOf(item['rawContent'])]
    const text = said.map((part) => textOf(part['text']) ?? '').join('\n')
    return [{ type: 'reasoning', text, ...notes.with({ item }) }]
  }
  const toolCallId = nameOf(item['callId'])
  const toolName = nameOf(item['name'])
  if (type === 'function_call' && toolCallId !== undefined && toolName !== undefined) {
    const { input, ...given } = readArguments(item['arguments'])
    const rest = restOf(item, [...saidBeside(item), 'type', 'callId', 'name', 'arguments'])
    const noted = notes.with({ ...idOf(item), rest, ...given, form: 'function' })
    return [{ type: 'tool-call', toolCallId, toolName, input, ...noted }]
  }
  if (callTypes.has(type) && toolCallId !== undefined) {
    const rest = restOf(item, [...saidBeside(item), 'callId', 'action', 'operation', 'actions'])
    const input = restOf(item, Object.keys({ callId: 1, id: 1, ...rest })) ?? {}
    const noted = notes.with({ ...idOf(item), rest })
    return [{ type: 'tool-call', toolCallId, toolName: String(type), input, ...noted }]
  }
  const problem = `an item of the type ${JSON.stringify(type)} is unknown`
  const isNamed = known.has(type) || nameOf(item['id']) !== undefined
  return isNamed || reading.keeps({ place, problem, reason: 'unknown-record' }) ? [whole(item)] : []
}

/**
 * An item's id, apart from its other fields: it names a stored item, which needs the reasoning that
 * came with it. So the engine leaves both out together.
 */
function idOf({ id }: Fields): { itemId?: string } {
  return typeof id === 'string' ? { itemId: id } : {}
}

/** The fields that `idOf` notes. */
function saidBeside({ id }: Fields): string[] {
  return typeof id === 'string' ? ['id'] : []
}

/** The field of an item's id; nothing if it is gone. */
function idIn({ itemId: id }: Fields): { id?: string } {
  return typeof id === 'string' ? { id } : {}
}

/** Kinds that we need not understand: they are the provider's own affair. */
const known: ReadonlySet<unknown> = new Set([
  'hosted_tool_call',
  'tool_search_call',
  'tool_search_output',
  'program',
  'program_output',
  'unknown',
])

function whole(item: Fields): AssistantPart {
  const kind = `openai-agents.${nameOf(item['type']) ?? 'item'}` as const
  return { type: 'custom', kind, ...notes.with({ part: item }) }
}

/** The parts of an answer; the first of them notes what its message has besides. */
function readMessage(item: Fields): AssistantPart[] | undefined {
  const { content } = item
  if (!Array.isArray(content)) return undefined
  const parts = objectsOf(content)
  if (parts.length === 0 || parts.length !== content.length) return undefined
  return parts.map((part, index): AssistantPart => {
    const first = { ...idOf(item), message: restOf(item, [...saidBeside(item), 'content']) }
    const noted = index === 0 ? first : { joins: true }
    const { type, text } = part
    if (type === 'output_text' && typeof text === 'string') {
      const rest = restOf(part, ['type', 'text'])
      return { type: 'text', text, ...notes.with({ ...noted, rest }) }
    }
    const kind = `openai-agents.${nameOf(type) ?? 'part'}` as const
    return { type: 'custom', kind, ...notes.with({ ...noted, content: part }) }
  })
}

function writeAnswer(parts: readonly Part[], place: string, writing: Writing): Fields[] {
  const items: Fields[] = []
  /** The content of the message that parts are still added to. */
  let open: Fields[] | undefined
  parts.forEach((part, index) => {
    const noted = notes.of(part)
    const said = contentOf(part, noted)
    if (said && open && noted['joins'] === true) {
      open.push(said)
      return
    }
    open = undefined
    if (said) {
      open = [said]
      const message = fieldsOf(noted['message']) ?? { role: 'assistant', status: 'completed' }
      items.push({ ...message, ...idIn(noted), content: open })
      return
    }
    items.push(...itemsOf(part, `${place}.content[${index}]`, writing))
  })
  return items
}

/** A part as content of a message; `undefined` for what is an item of its own. */
function contentOf(part: Part, noted: Fields): Fields | undefined {
  if (part.type === 'text') return { type: 'output_text', text: part.text, ...restIn(part) }
  return part.type === 'custom' ? fieldsOf(noted['content']) : undefined
}

function itemsOf(part: Part, place: string, writing: Writing): Fields[] {
  const noted = notes.of(part)
  if (part.type === 'tool-call' && !part.providerExecuted) {
    const { toolCallId: callId, toolName: name, input } = part
    const rest = restIn(part)
    if (noted['form'] !== 'function' && typeof rest['type'] === 'string') {
      return [{ callId, ...fieldsOf(input), ...idIn(noted), ...rest }]
    }
    const said = writeArguments(input, noted)
    return [{ type: 'function_call', ...idIn(noted), callId, name, ...said, ...rest }]
  }
  const item = part.type === 'reasoning' ? fieldsOf(noted['item']) : knownAgain(part, notes)
  if (item) return [item]
  const problem = `the Agents SDK has no item for a part of type ${part.type}`
  const text = writing.instead({ place, problem })
  if (text === undefined) return []
  return [{ role: 'assistant', status: 'completed', content: [{ type: 'output_text', text }] }]
}
