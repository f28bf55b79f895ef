import { fieldsOf, listOf, type Fields } from '../../json/fields.ts'
import { isOlder } from '../older-calls.ts'
import { knownAgain } from '../unknown-part.ts'
import { notes } from './blocks.ts'
import {
  partsOf,
  type AssistantMessage,
  type AssistantPart,
  type ToolCallPart,
} from '../../log/message.ts'
import type { Writing } from '../writing.ts'

/** The fields of an answer. */
export function writeAnswer(message: AssistantMessage, place: string, writing: Writing): Fields {
  const { messageId, message: others, form, order } = notes.of(message)
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
    ...(messageId !== undefined && { id: messageId }),
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
