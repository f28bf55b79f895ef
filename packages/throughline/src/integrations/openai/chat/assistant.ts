import { fieldsOf, listOf, objectsOf, textOf, type Fields } from '../../../json/fields.ts'
import {
  isFunctionCall,
  readCall,
  readFunctionCall,
  writeCall,
  writeFunctionCall,
} from './tool-calls.ts'
import { MessageConversionError } from '../../shapes/errors.ts'
import { notes } from './notes.ts'
import { partsOf } from '../../../log/message.ts'
import { restOf } from '../../shapes/note.ts'
import type { AssistantMessage, AssistantPart, ToolCallPart } from '../../../log/message.ts'

/** In what fields servers that took the API over give what a model thought. */
const reasoningFields = ['reasoning_content', 'reasoning', 'reasoning_text', 'reasoning_details']

/** The answer of a model. */
export function readAssistant(native: Fields, place: string): AssistantMessage {
  const { content, refusal, audio, tool_calls: calls, function_call: older } = native
  const said: string[] = ['role', 'content']
  const parts: AssistantPart[] = [...reasoningParts(native, said)]
  const texts = contentParts(content)
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
    objectsOf(calls).forEach((call, index) =>
      parts.push(readCall(call, `${place}.tool_calls[${index}]`)),
    )
  }
  const call = fieldsOf(older) && readFunctionCall(fieldsOf(older) ?? {})
  if (call) {
    said.push('function_call')
    parts.push(call)
  }
  const rest = restOf(native, said)
  // A plain text is a text to us too.
  if (typeof content === 'string' && parts.length === 1 && texts.length === 1) {
    return { role: 'assistant', content, ...notes.with({ rest }) }
  }
  return { role: 'assistant', content: parts, ...notes.with({ rest, content: formOf(content) }) }
}

/** How the content is given, where that is not as we would give it. */
function formOf(content: unknown): string | undefined {
  if (content === undefined) return 'absent'
  return Array.isArray(content) ? 'parts' : undefined
}

function reasoningParts(native: Fields, said: string[]): AssistantPart[] {
  const fields = reasoningFields.filter((name) => (native[name] ?? null) !== null)
  if (fields.length === 0) return []
  said.push(...fields)
  const reasoning = Object.fromEntries(fields.map((name) => [name, native[name]]))
  const text = fields.map((name) => textOf(native[name])).find((one) => one !== undefined) ?? ''
  return [{ type: 'reasoning', text, ...notes.with({ reasoning }) }]
}

function contentParts(content: unknown): AssistantPart[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }]
  return objectsOf(content).map((part): AssistantPart => {
    const text = textOf(part['text'])
    const refusal = textOf(part['refusal'])
    if (part['type'] === 'text' && text !== undefined) {
      return { type: 'text', text, ...notes.with({ rest: restOf(part, ['type', 'text']) }) }
    }
    if (part['type'] === 'refusal' && refusal !== undefined) {
      const rest = restOf(part, ['type', 'refusal'])
      return { type: 'text', text: refusal, ...notes.with({ form: 'refusal-part', rest }) }
    }
    return { type: 'custom', kind: `openai.${String(part['type'])}`, ...notes.with({ part }) }
  })
}

/** @throws MessageConversionError if the API has no such part. */
export function writeAssistant(message: AssistantMessage, place: string): Fields {
  const { rest, content: form } = notes.of(message)
  const written: Written = { fields: {}, content: [], calls: [] }
  partsOf(message).forEach((part, index) => {
    writePart(written, part as AssistantPart, `${place}.content[${index}]`)
  })
  const content = writtenContent(written, form, message)
  return {
    role: 'assistant',
    ...(content !== undefined && { content }),
    ...written.fields,
    ...(written.calls.length > 0 && { tool_calls: written.calls.map(writeCall) }),
    ...fieldsOf(rest),
  }
}

interface Written {
  fields: Record<string, unknown>
  content: Fields[]
  calls: ToolCallPart[]
}

function writePart(written: Written, part: AssistantPart, place: string): void {
  const {
    form,
    rest,
    reasoning,
    audio,
    part: known,
  } = 'providerOptions' in part ? notes.of(part) : {}
  switch (part.type) {
    case 'text':
      if (form === 'refusal') written.fields['refusal'] = part.text
      else if (form === 'refusal-part') {
        written.content.push({ type: 'refusal', refusal: part.text, ...fieldsOf(rest) })
      } else written.content.push({ type: 'text', text: part.text, ...fieldsOf(rest) })
      return
    case 'tool-call':
      if (isFunctionCall(part)) written.fields['function_call'] = writeFunctionCall(part)
      else written.calls.push(part)
      return
    case 'reasoning':
      if (!fieldsOf(reasoning)) break
      Object.assign(written.fields, reasoning)
      return
    case 'custom':
      if (fieldsOf(audio)) written.fields['audio'] = audio
      else if (fieldsOf(known)) written.content.push(fieldsOf(known) ?? {})
      else break
      return
  }
  const problem = `an answer of Chat Completions has no part like ${part.type}`
  throw new MessageConversionError({ place, problem })
}

/** A text alone as it is; nothing as `null`. */
function writtenContent({ content }: Written, form: unknown, message: AssistantMessage): unknown {
  if (typeof message.content === 'string') return message.content
  if (form === 'parts') return content
  const [only] = content
  if (!only) return form === 'absent' ? undefined : null
  return content.length === 1 && Object.keys(only).join() === 'type,text' ? only['text'] : content
}
