import { addNames } from '../tool-names.ts'
import { nameOf, fieldsOf, listOf, objectsOf, textOf, type Fields } from '../../json/fields.ts'
import { notes } from './message.ts'
import { fieldsIn, type Reading } from '../reading.ts'
import { readSystem } from '../text-pieces.ts'
import { readResult, type Context } from './tool-results.ts'
import { readUserPart } from './user-parts.ts'
import { restOf } from '../note.ts'
import { assistantPart } from '../anthropic/read-blocks.ts'
import { readCall, readFunctionCall } from './tool-calls.ts'
import { unknownSaid } from '../unknown-part.ts'
import type {
  Message,
  UserMessage,
  AssistantMessage,
  AssistantPart,
  ReasoningPart,
} from '../../log/message.ts'

/** A model's answer. */
function readAssistant(native: Fields, context: Context, place: string): AssistantMessage {
  const { content, refusal, audio, tool_calls: calls, function_call: older } = native
  const { reading } = context
  const said: string[] = ['role', 'content']
  const parts: AssistantPart[] = [...reasoningParts(native, said)]
  const texts = contentParts(content, context, place)
  parts.push(...texts)
  if (typeof refusal === 'string') {
    said.push('refusal')
    parts.push({ type: 'text', text: refusal, ...notes.with({ form: 'refusal' }) })
  }
  if (fieldsOf(audio)) {
    said.push('audio')
    parts.push({ type: 'custom', kind: 'openai.audio', ...notes.with({ audio }) })
  }
  if (listOf(calls).length > 0) {
    said.push('tool_calls')
    objectsOf(calls).forEach((call, index) => {
      const part = readCall(call, `${place}.tool_calls[${index}]`, reading)
      if (part) parts.push(part)
    })
  }
  const call = fieldsOf(older) && readFunctionCall(fieldsOf(older) ?? {}, context.older)
  if (call) {
    said.push('function_call')
    parts.push(call)
  }
  const rest = restOf(native, said)
  // A plain text is also a text to us.
  if (typeof content === 'string' && parts.length === 1 && texts.length === 1) {
    return { role: 'assistant', content, ...notes.with({ rest }) }
  }
  return { role: 'assistant', content: parts, ...notes.with({ rest, content: formOf(content) }) }
}

/** The form of the content, if it differs from ours. */
function formOf(content: unknown): string | undefined {
  if (content === undefined) return 'absent'
  return Array.isArray(content) ? 'parts' : undefined
}

/** In what fields servers that took the API over give what a model thought, in words. */
const reasoningFields = ['reasoning_content', 'reasoning', 'reasoning_text']

/**
 * What a model thought, as the servers that speak this API send it: blocks of Anthropic's through
 * LiteLLM, OpenRouter's details, or plain text.
 */
function reasoningParts(native: Fields, said: string[]): ReasoningPart[] {
  const details = objectsOf(native['reasoning_details'])
  const fields = reasoningFields.filter((name) => (native[name] ?? null) !== null)
  const blocks = thinkingBlocks(native)
  said.push(
    ...fields,
    ...(details.length > 0 ? ['reasoning_details'] : []),
    ...(blocks.length > 0 ? ['thinking_blocks'] : []),
  )
  const reasoning = Object.fromEntries(fields.map((name) => [name, native[name]]))
  const detailed = details.length > 0 ? { reasoning_details: details } : {}
  if (blocks.length > 0) {
    const beside = { ...reasoning, ...detailed }
    const isBare = Object.keys(beside).length === 0
    return blocks.map((part, index) => ({
      ...part,
      ...notes.beside(part, {
        form: 'block',
        reasoning: index > 0 || isBare ? undefined : beside,
      }),
    }))
  }
  if (fields.length === 0 && details.length === 0) return []
  const text = fields.map((name) => textOf(native[name])).find((one) => one !== undefined)
  const openrouter = details.length > 0 ? { openrouter: detailed } : {}
  return [
    {
      type: 'reasoning',
      text: text ?? details.flatMap(detailText).join('\n'),
      ...notes.with({ reasoning }, openrouter),
    },
  ]
}

/** All blocks of a list, if all of them are thinking. */
function thinkingBlocks({ thinking_blocks: blocks }: Fields): ReasoningPart[] {
  const parts = objectsOf(blocks).flatMap((block) => thinkingPart(block) ?? [])
  return parts.length === listOf(blocks).length ? parts : []
}

function thinkingPart(block: Fields): ReasoningPart | undefined {
  const part = assistantPart(block, noNames)
  return part.type === 'reasoning' ? part : undefined
}

const noNames = { get: () => undefined, set: () => undefined }

function detailText(detail: Fields): string[] {
  const text = textOf(detail['text']) ?? textOf(detail['summary']) ?? ''
  return text === '' ? [] : [text]
}

function contentParts(content: unknown, { reading }: Context, place: string): AssistantPart[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }]
  return fieldsIn(content, `${place}.content`, reading).map(contentPart)
}

function contentPart(part: Fields): AssistantPart {
  const text = textOf(part['text'])
  const refusal = textOf(part['refusal'])
  if ((part['type'] === 'text' || part['type'] === undefined) && text !== undefined) {
    const form = part['type'] === undefined ? 'untyped' : undefined
    return { type: 'text', text, ...notes.with({ form, rest: restOf(part, ['type', 'text']) }) }
  }
  if (part['type'] === 'refusal' && refusal !== undefined) {
    const rest = restOf(part, ['type', 'refusal'])
    return { type: 'text', text: refusal, ...notes.with({ form: 'refusal-part', rest }) }
  }
  // Some servers put the blocks among the content.
  return thinkingPart(part) ?? unknownSaid(part, 'openai', notes)
}

/** Converts a message of Chat Completions to ours; nothing if it isn't a message. */
export function readMessage(value: unknown, context: Context, place: string): Message[] {
  const { names, reading } = context
  const native = reading.fields(value, place)
  const message = native && messageOf(native, context, place)
  if (!message) return []
  addNames(names, message)
  return [message]
}

function messageOf(native: Fields, context: Context, place: string): Message | undefined {
  const { reading } = context
  const { role, content } = native
  switch (role) {
    case 'system':
    case 'developer':
      if (isContent(content)) {
        const rest = restOf(native, ['role', 'content'])
        return readSystem(content, { rest, ...(role === 'developer' && { role }) }, notes)
      }
      break
    case 'user':
      if (isContent(content)) return readUser(native, context, place)
      break
    case 'assistant':
      if (isContent(content ?? '')) return readAssistant(native, context, place)
      break
    case 'tool':
    case 'function': {
      const id = role === 'tool' ? nameOf(native['tool_call_id']) : context.older.newest()
      const message = id === undefined ? undefined : readResult(native, id, context)
      if (message) return message
      const problem = 'a result without content, or without its call’s id'
      return misfit(reading, { place, problem, reason: 'result-without-call' })
    }
    default: {
      const problem = `the role ${JSON.stringify(role)} is unknown`
      return misfit(reading, { place, problem, reason: 'unknown-record' })
    }
  }
  const problem = 'the content is neither a text nor a list of parts'
  return misfit(reading, { place, problem, reason: 'empty' })
}

function misfit(reading: Reading, told: Parameters<Reading['misfit']>[0]): undefined {
  reading.misfit(told)
}

function isContent(content: unknown): boolean {
  return typeof content === 'string' || Array.isArray(content)
}

function readUser(native: Fields, { reading }: Context, place: string): UserMessage {
  const { content } = native
  const noted = notes.with({ rest: restOf(native, ['role', 'content']) })
  if (typeof content === 'string') return { role: 'user', content, ...noted }
  const parts = fieldsIn(content, `${place}.content`, reading).map(readUserPart)
  return { role: 'user', content: parts, ...noted }
}
