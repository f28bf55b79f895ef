import { addNames, toolNames, type ToolNames } from '../tool-names.ts'
import { byRole } from '../by-role.ts'
import { itemByItem, wireOf, type Wire } from '../wire.ts'
import { fieldsOf, nameOf, objectsOf, textOf, type Fields, listOf } from '../../json/fields.ts'
import { knownAgain, parsedFields } from '../unknown-part.ts'
import { notes, type AgentItem, readContent, restIn, writeContent } from './contents.ts'
import {
  partsOf,
  type AssistantPart,
  type Message,
  type Part,
  outputText,
  type ToolMessage,
  type ToolOutput,
  type ToolOutputPart,
  type ToolResultPart,
} from '../../log/message.ts'
import { readArguments, writeArguments } from '../arguments.ts'
import { restOf, markedFailure } from '../note.ts'
import { fieldsIn, type Reading, type Writing } from '../reading.ts'
import { asOutputPart, asUserPart } from '../media.ts'
import { isFailed, textOutput as markedOutput } from '../text-pieces.ts'

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

/** The types of results of calls that the host runs. */
const results: ReadonlySet<unknown> = new Set([
  'function_call_result',
  'computer_call_result',
  'shell_call_output',
  'apply_patch_call_output',
])

function isResult({ type, callId }: Fields): boolean {
  return results.has(type) && nameOf(callId) !== undefined
}

function readResult(item: Fields, names: ToolNames): ToolMessage {
  const { type, status } = item
  const toolCallId = nameOf(item['callId']) ?? ''
  const isFunction = type === 'function_call_result'
  const name = isFunction ? nameOf(item['name']) : undefined
  const failed = type === 'apply_patch_call_output' && status === 'failed'
  const said = ['callId', 'output', ...(isFunction ? ['type', ...(name ? ['name'] : [])] : [])]
  return {
    role: 'tool',
    content: [
      {
        type: 'tool-result',
        toolCallId,
        toolName: name ?? names.get(toolCallId) ?? 'unknown',
        output: outputOf(item['output'], failed),
        ...notes.with({ rest: restOf(item, said), ...(isFunction && { form: 'function' }) }),
      },
    ],
  }
}

function outputOf(given: unknown, failed: boolean): ToolOutput {
  if (typeof given === 'string') return textOutput(given, failed, {})
  if (given === undefined) return textOutput('', failed, { form: 'absent' })
  const fields = fieldsOf(given)
  const text = textOf(fields?.['text'])
  if (fields && text !== undefined && fields['type'] === 'text') {
    return textOutput(text, failed, { form: 'text', rest: restOf(fields, ['text']) })
  }
  const parts = objectsOf(given)
  const isContent =
    parts.length > 0 &&
    parts.length === listOf(given).length &&
    parts.every((part) => String(part['type']).startsWith('input_'))
  if (!isContent) return { type: 'json', value: given, ...notes.with({ form: 'json' }) }
  return { type: 'content', value: parts.map(outputPart), ...notes.with({ form: 'content' }) }
}

function textOutput(text: string, failed: boolean, noted: Fields): ToolOutput {
  if (failed) return { type: 'error-text', value: text, ...notes.with({ ...noted, failed }) }
  return markedOutput(text, noted, notes)
}

function outputPart(part: Fields): ToolOutputPart {
  return asOutputPart(readContent(part))
}

/** A result as an item: in words where the SDK takes no such output. */
function writeResult(part: ToolResultPart, place: string, writing: Writing): Fields {
  const { toolCallId: callId, toolName: name, output } = part
  const { form } = notes.of(part)
  const rest = restIn(part)
  // A result that somebody else wrote has no other type.
  const isFunction = form === 'function' || rest['type'] === undefined
  const value = isFunction
    ? payloadOf(output, place, writing)
    : payloadFor(rest['type'], output, () => payloadOf(output, place, writing))
  return {
    ...(isFunction && { type: 'function_call_result', name }),
    callId,
    ...(value !== undefined && { output: value }),
    ...(isFunction && form === undefined && { status: 'completed' }),
    ...rest,
  }
}

/** What a tool of OpenAI's own must answer with, also where its output was made smaller. */
function payloadFor(type: unknown, output: ToolOutput, usual: () => unknown): unknown {
  const isWhole = notes.of(output)['form'] === 'json' && output.type === 'json'
  if (isWhole || type === 'apply_patch_call_output') return usual()
  const text = outputText(output)
  if (type === 'shell_call_output') {
    return [{ stdout: text, stderr: '', outcome: { type: 'exit', exitCode: 0 } }]
  }
  return { type: 'computer_screenshot', data: onePixel, providerData: { text } }
}

const onePixel =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII='

function payloadOf(output: ToolOutput, place: string, writing: Writing): unknown {
  const { form, failed, rest } = notes.of(output)
  if (output.type === 'content') {
    const parts = output.value.flatMap((part, index) =>
      writeContent(asUserPart(part), `${place}.output[${index}]`, writing),
    )
    const isMarked = isFailed(output)
    return isMarked ? [{ type: 'input_text', text: markedFailure('') }, ...parts] : parts
  }
  if (form === 'json' && output.type === 'json') return output.value
  const said = outputText(output)
  const text = isFailed(output) && failed !== true ? markedFailure(said) : said
  if (form === 'absent' && text === '') return undefined
  return form === 'text' ? { text, ...fieldsOf(rest) } : text
}
