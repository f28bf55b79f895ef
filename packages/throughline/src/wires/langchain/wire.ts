import { addNames, toolNames } from '../tool-names.ts'
import { notes, writeBlock } from './blocks.ts'
import { olderCalls, isOlder } from '../older-calls.ts'
import { byRole } from '../by-role.ts'
import { oneByOne, wireOf, type Wire } from '../wire.ts'
import { readMessage, blocksText } from './read.ts'
import {
  type BaseMessage,
  AIMessage,
  ChatMessage,
  FunctionMessage,
  HumanMessage,
  SystemMessage,
  ToolMessage,
} from '@langchain/core/messages'
import { fieldsOf, type Fields, listOf } from '../../json/fields.ts'
import { writeResult } from './tool-results.ts'
import {
  type Message,
  partsOf,
  type AssistantMessage,
  type AssistantPart,
  type ToolCallPart,
} from '../../log/message.ts'
import type { Writing, Reading } from '../reading.ts'
import { knownAgain } from '../unknown-part.ts'

const everywhere = ['content', 'id', 'name', 'additional_kwargs', 'response_metadata']

const fieldsByType: ReadonlyMap<string, readonly string[]> = new Map([
  ['human', everywhere],
  ['system', everywhere],
  ['function', everywhere],
  ['generic', [...everywhere, 'role']],
  ['ai', [...everywhere, 'tool_calls', 'invalid_tool_calls', 'usage_metadata']],
  ['tool', [...everywhere, 'tool_call_id', 'status', 'artifact', 'metadata']],
])

/** The fields of a message that say something, as plain data; `type` is its kind. None of what is no message. */
function readFields(message: BaseMessage, place: string, reading: Reading): Fields | undefined {
  const type = message.getType()
  const names = fieldsByType.get(type)
  if (!names) {
    const problem = `a message of type ${JSON.stringify(type)} is not part of a conversation`
    reading.misfit({ place, problem, reason: 'unknown-record' })
    return undefined
  }
  const given = message as unknown as Fields
  const said: Record<string, unknown> = {}
  for (const name of names) if (!isEmpty(given[name], name)) said[name] = given[name]
  const fields = reading.fields(said, place)
  return fields && { ...fields, type }
}

/** The names of all fields that reading looks at. */
export function fieldsRead(message: BaseMessage): readonly string[] {
  return fieldsByType.get(message.getType()) ?? []
}

const emptyByItself = new Set(['additional_kwargs', 'response_metadata'])
const noneByItself = new Set(['tool_calls', 'invalid_tool_calls'])

/** A message's own fields. */
function isEmpty(value: unknown, name: string): boolean {
  if (noneByItself.has(name)) return listOf(value).length === 0
  return (
    value === undefined ||
    (emptyByItself.has(name) && Object.keys(fieldsOf(value) ?? {}).length === 0)
  )
}

/** A message with these fields. */
function writeFields({ type, ...given }: Fields): BaseMessage {
  const fields = given as never
  switch (type) {
    case 'ai': {
      const { tool_calls = [], invalid_tool_calls = [] } = given
      return new AIMessage({ ...given, tool_calls, invalid_tool_calls } as never)
    }
    case 'system':
      return new SystemMessage(fields)
    case 'tool':
      return new ToolMessage(fields)
    case 'function':
      return new FunctionMessage(fields)
    case 'generic':
      return new ChatMessage(fields)
    default:
      return new HumanMessage(fields)
  }
}

export const langchainWire: Wire<BaseMessage> = wireOf({
  reader(reading, before) {
    const names = toolNames(before)
    const older = olderCalls(before, notes)
    return oneByOne('messages', before, (native, place) => {
      const fields = readFields(native, place, reading)
      const message = fields && readMessage(fields, { names, older, reading }, place)
      if (!message) return []
      addNames(names, message)
      return [message]
    })
  },
  fieldsRead,
  write: byRole(
    {
      system: (message) => {
        const { blocks } = notes.of(message)
        const isUnchanged = Array.isArray(blocks) && blocksText(blocks) === message.content
        return {
          type: 'system',
          content: isUnchanged ? blocks : message.content,
          ...saidBeside(message),
        }
      },
      user: (message, content) => ({ type: 'human', content, ...saidBeside(message) }),
      userPart: writeBlock,
      answer: (message, place, writing) => [writeAnswer(message, place, writing)],
      result: (part, place, writing, of) => ({ ...writeResult(part, place, writing), ...idOf(of) }),
      noApproval: 'LangChain handles approvals differently: there is no such message',
    },
    writeFields,
  ),
})

function idOf(message: Message): Fields {
  const { messageId } = notes.of(message)
  return messageId === undefined ? {} : { id: messageId }
}

function saidBeside(message: Message): Fields {
  return { ...idOf(message), ...fieldsOf(notes.of(message)['rest']) }
}

function writeAnswer(message: AssistantMessage, place: string, writing: Writing): Fields {
  const { message: others, form, order } = notes.of(message)
  const blocks: Fields[] = []
  const calls: ToolCallPart[] = []
  let older: Fields | undefined
  partsOf(message).forEach((part, index) => {
    if (part.type === 'tool-call' && !part.providerExecuted) {
      if (isOlder(part, notes)) {
        older = { name: part.toolName, arguments: part.input }
        return
      }
      calls.push(part)
      const block = callBlock(part)
      if (block) blocks.push(block)
    } else {
      blocks.push(...blocksOf(part as AssistantPart, `${place}.content[${index}]`, writing))
    }
  })
  return {
    type: 'ai',
    content: contentOf(message, blocks, form),
    ...idOf(message),
    ...(calls.length > 0 && { tool_calls: inOrder(calls, listOf(order)).map(callOf) }),
    ...withOlderCall(fieldsOf(others), older),
  }
}

function contentOf({ content }: AssistantMessage, blocks: Fields[], form: unknown): unknown {
  if (form === 'blocks') return blocks
  if (typeof content === 'string') return content
  const [only] = blocks
  if (!only) return ''
  return blocks.length === 1 && Object.keys(only).join() === 'type,text' ? only['text'] : blocks
}

function inOrder(calls: ToolCallPart[], ids: readonly unknown[]): ToolCallPart[] {
  if (ids.length !== calls.length) return calls
  return calls.toSorted((a, b) => ids.indexOf(a.toolCallId) - ids.indexOf(b.toolCallId))
}

function callOf({ toolCallId: id, toolName: name, input: args, ...part }: ToolCallPart): Fields {
  return { name, args, id, ...(fieldsOf(notes.of(part)['call']) ?? { type: 'tool_call' }) }
}

/** The call in its original place among the blocks. */
function callBlock(part: ToolCallPart): Fields | undefined {
  const { inputName, rest, own } = notes.of(part)
  if (typeof inputName !== 'string') return undefined
  const { toolCallId: id, toolName: name, input } = part
  return { id, name, [inputName]: own ?? input, ...fieldsOf(rest) }
}

/** An older call, which may have been made smaller. */
function withOlderCall(others: Fields | undefined, older: Fields | undefined): Fields {
  const kwargs = fieldsOf(others?.['additional_kwargs'])
  const call = fieldsOf(kwargs?.['function_call'])
  if (!older || !call) return others ?? {}
  return { ...others, additional_kwargs: { ...kwargs, function_call: { ...call, ...older } } }
}

function blocksOf(part: AssistantPart, place: string, writing: Writing): Fields[] {
  const { rest, block } = notes.of(part)
  if (part.type === 'text') return [{ type: 'text', text: part.text, ...fieldsOf(rest) }]
  const known = part.type === 'reasoning' ? fieldsOf(block) : knownAgain(part, notes)
  if (known) return [known]
  const problem = `LangChain has no block for a part of type ${part.type}`
  const text = writing.instead({ place, problem })
  return text === undefined ? [] : [{ type: 'text', text }]
}
