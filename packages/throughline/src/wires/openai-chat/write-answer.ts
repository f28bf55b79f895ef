import { blocksOf } from '../anthropic/write-blocks.ts'
import { fieldsOf, type Fields } from '../../json/fields.ts'
import { isOlder } from '../older-calls.ts'
import { writeCall, writeFunctionCall } from './tool-calls.ts'
import { knownAgain } from '../unknown-part.ts'
import { lenientWriting, type Writing } from '../writing.ts'
import { notes } from './message.ts'
import { partsOf } from '../../log/message.ts'
import type {
  AssistantMessage,
  AssistantPart,
  ReasoningPart,
  ToolCallPart,
} from '../../log/message.ts'

/** An answer as Chat Completions has it: one place for its words, and one for its calls. */
export function writeAssistant(message: AssistantMessage, place: string, writing: Writing): Fields {
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
