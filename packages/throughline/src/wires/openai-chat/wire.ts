import { olderCalls, isOlder } from '../older-calls.ts'
import { notes, type ChatMessage } from './message.ts'
import { oneByOne, wireOf, type Wire } from '../wire.ts'
import { readMessage } from './read.ts'
import { toolNames } from '../tool-names.ts'
import { fieldsOf, nameOf, countOf, type Fields } from '../../json/fields.ts'
import { byRole } from '../by-role.ts'
import { systemContent } from '../text-pieces.ts'
import { usageFrom } from '../usage.ts'
import { writeResult } from './tool-results.ts'
import { writeUserPart } from './user-parts.ts'
import { partsOf } from '../../log/message.ts'
import { lenientWriting, type Writing } from '../reading.ts'
import { blocksOf } from '../anthropic/write-blocks.ts'
import { writeCall, writeFunctionCall } from './tool-calls.ts'
import { knownAgain } from '../unknown-part.ts'
import type {
  AssistantMessage,
  AssistantPart,
  ReasoningPart,
  ToolCallPart,
} from '../../log/message.ts'
import type { FinishReason, Usage } from '../../log/entry.ts'

/** The usage of a completion; `undefined` if nothing was counted. */
export function usageOf(value: unknown): Usage | undefined {
  const usage = fieldsOf(value)
  const details = fieldsOf(usage?.['prompt_tokens_details'])
  return usageFrom({
    input: usage?.['prompt_tokens'],
    output: usage?.['completion_tokens'],
    cacheRead: countOf(details?.['cached_tokens']) ?? usage?.['prompt_cache_hit_tokens'],
    cacheWrite: usage?.['cache_creation_input_tokens'],
  })
}

const finishes: ReadonlyMap<unknown, FinishReason> = new Map([
  ['stop', 'stop'],
  ['length', 'length'],
  ['tool_calls', 'tool-calls'],
  ['function_call', 'tool-calls'],
  ['content_filter', 'content-filter'],
])

export function finishOf(reason: unknown): FinishReason | undefined {
  return finishes.get(reason)
}

export const openaiChatWire: Wire<ChatMessage> = wireOf({
  reader(reading, before) {
    const context = { names: toolNames(before), older: olderCalls(before, notes), reading }
    return oneByOne('messages', before, (native, place) => readMessage(native, context, place))
  },
  write: byRole(
    {
      system: (message) => {
        const { rest, role } = notes.of(message)
        const content = systemContent(message, notes)
        return { role: nameOf(role) ?? 'system', content, ...fieldsOf(rest) }
      },
      user: (message, content) => {
        return { role: 'user', content, ...fieldsOf(notes.of(message)['rest']) }
      },
      userPart: writeUserPart,
      answer: (message, place, writing) => [writeAssistant(message, place, writing)],
      result: writeResult,
      noApproval: 'Chat Completions has no approvals',
    },
    // What is made here has the fields of whatever type the caller has for these messages.
    (fields) => fields as unknown as ChatMessage,
  ),
})

/** An answer as Chat Completions has it: one place for its words, and one for its calls. */
function writeAssistant(message: AssistantMessage, place: string, writing: Writing): Fields {
  const { rest, content: form } = notes.of(message)
  const written: Written = { fields: {}, content: [], thinking: [], calls: [] }
  partsOf(message).forEach((part, index) => {
    if (writePart(written, part as AssistantPart)) return
    const problem = `an answer of Chat Completions cannot contain a part of type ${part.type}`
    const text = writing.instead({ place: `${place}.content[${index}]`, problem })
    if (text !== undefined) written.content.push({ type: 'text', text })
  })
  const content = writtenContent(written, form, message)
  return {
    role: 'assistant',
    ...(content !== undefined && { content }),
    ...written.fields,
    ...(written.thinking.length > 0 && { thinking_blocks: written.thinking }),
    ...(written.calls.length > 0 && { tool_calls: written.calls.map(writeCall) }),
    ...fieldsOf(rest),
  }
}

interface Written {
  fields: Record<string, unknown>
  content: Fields[]
  thinking: Fields[]
  calls: ToolCallPart[]
}

/** Writes a part where it belongs; says no if it belongs nowhere. */
function writePart(written: Written, part: AssistantPart): boolean {
  const { form, rest, audio } = notes.of(part)
  switch (part.type) {
    case 'text':
      if (form === 'refusal') written.fields['refusal'] = part.text
      else if (form === 'refusal-part') {
        written.content.push({ type: 'refusal', refusal: part.text, ...fieldsOf(rest) })
      } else {
        const type = form === 'untyped' ? {} : { type: 'text' }
        written.content.push({ ...type, text: part.text, ...fieldsOf(rest) })
      }
      return true
    case 'tool-call':
      // A call that another provider ran itself has no result that could be sent here.
      if (part.providerExecuted) return false
      if (isOlder(part, notes)) written.fields['function_call'] = writeFunctionCall(part)
      else written.calls.push(part)
      return true
    case 'reasoning':
      return writeReasoning(written, part)
    case 'custom': {
      const known = knownAgain(part, notes)
      if (fieldsOf(audio)) written.fields['audio'] = audio
      else if (known) written.content.push(known)
      return fieldsOf(audio) !== undefined || known !== undefined
    }
    default:
      return false
  }
}

function writeReasoning(written: Written, part: ReasoningPart): boolean {
  const { form, reasoning } = notes.of(part)
  if (fieldsOf(reasoning)) Object.assign(written.fields, reasoning)
  Object.assign(written.fields, fieldsOf(part.providerOptions?.['openrouter']))
  if (fieldsOf(reasoning) && form !== 'block') return true
  const blocks = blocksOf(part, '', lenientWriting)
  const place = form === 'block' ? written.thinking : written.content
  place.push(...blocks)
  return blocks.length > 0 && (form === 'block' || notesOfBlock(part))
}

/** Whether it is a block of Anthropic's that stood among the content. */
function notesOfBlock({ providerOptions }: ReasoningPart): boolean {
  return providerOptions?.['anthropic'] !== undefined || 'anthropic-sdk' in (providerOptions ?? {})
}

/** A text alone as it is; nothing as `null`. */
function writtenContent({ content }: Written, form: unknown, message: AssistantMessage): unknown {
  if (typeof message.content === 'string') return message.content
  if (form === 'parts') return content
  const [only] = content
  if (!only) return form === 'absent' ? undefined : null
  return content.length === 1 && Object.keys(only).join() === 'type,text' ? only['text'] : content
}
