import { fieldsOf, nameOf, objectsOf, textOf, type Fields } from '../../../json/fields.ts'
import { functionCallId } from './tool-calls.ts'
import { MessageConversionError } from '../../shapes/errors.ts'
import { notes } from './notes.ts'
import { outputText } from '../../../log/message-text.ts'
import { restOf } from '../../shapes/note.ts'
import type { ToolMessage, ToolOutput, ToolResultPart } from '../../../log/message.ts'
import type { ToolNames } from '../../shapes/tool-names.ts'

/** The result of a call; `undefined` if the message does not say of which. */
export function readResult(native: Fields, names: ToolNames): ToolMessage | undefined {
  const isOlder = native['role'] === 'function'
  const id = isOlder ? functionCallId : nameOf(native['tool_call_id'])
  const output = outputOf(native['content'])
  if (id === undefined || !output) return undefined
  const toolName = (isOlder ? nameOf(native['name']) : names.get(id)) ?? 'unknown'
  const said = ['role', 'content', ...(isOlder ? [] : ['tool_call_id'])]
  const noted = notes.with({
    rest: restOf(native, said),
    ...(isOlder && { form: 'function' }),
  })
  return {
    role: 'tool',
    content: [{ type: 'tool-result', toolCallId: id, toolName, output, ...noted }],
  }
}

function outputOf(content: unknown): ToolOutput | undefined {
  if (typeof content === 'string') return { type: 'text', value: content }
  if (content === null) return { type: 'text', value: '', ...notes.with({ form: 'null' }) }
  if (!Array.isArray(content)) return undefined
  return {
    type: 'content',
    value: objectsOf(content).map((part) => {
      const text = textOf(part['text'])
      return part['type'] === 'text' && text !== undefined
        ? { type: 'text', text, ...notes.with({ rest: restOf(part, ['type', 'text']) }) }
        : { type: 'custom', ...notes.with({ part }) }
    }),
  }
}

/** @throws MessageConversionError if the API has no such result. */
export function writeResult(part: ToolResultPart, place: string): Fields {
  const { form, rest } = notes.of(part)
  const content = contentOf(part.output, place)
  return form === 'function'
    ? { role: 'function', content, ...fieldsOf(rest) }
    : { role: 'tool', tool_call_id: part.toolCallId, content, ...fieldsOf(rest) }
}

function contentOf(output: ToolOutput, place: string): unknown {
  if (output.type !== 'content') {
    return notes.of(output)['form'] === 'null' ? null : outputText(output)
  }
  return output.value.map((part, index) => {
    const { part: known, rest } = notes.of(part as { providerOptions?: never })
    if (fieldsOf(known)) return known
    if (part.type === 'text') return { type: 'text', text: part.text ?? '', ...fieldsOf(rest) }
    const problem = 'Chat Completions takes text alone in the result of a call'
    throw new MessageConversionError({ place: `${place}.output[${index}]`, problem })
  })
}
