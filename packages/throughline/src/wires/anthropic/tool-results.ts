import { fieldsOf, objectsOf, type Fields } from '../../json/fields.ts'
import { asMedium, asOutputPart } from '../media.ts'
import { documentPart, imagePart, mediaBlock } from './media.ts'
import { isFailed, isText, piecesOf, readText, textOfPieces } from '../text-pieces.ts'
import { knownAgain, unknownOutput } from '../unknown-part.ts'
import { notes } from './message.ts'
import { outputText } from '../../log/message.ts'
import { restOf } from '../note.ts'
import type { ToolOutput, ToolOutputPart, ToolResultPart } from '../../log/message.ts'
import type { Writing } from '../reading.ts'

export function resultPart(block: Fields, toolCallId: string, toolName: string): ToolResultPart {
  const isError = block['is_error'] === true
  const output = outputOf(block['content'], isError)
  const said = ['type', 'tool_use_id', 'content', ...(isError ? ['is_error'] : [])]
  return {
    type: 'tool-result',
    toolCallId,
    toolName,
    output,
    ...notes.with({ rest: restOf(block, said) }),
  }
}

function outputOf(content: unknown, isError: boolean): ToolOutput {
  const kind = isError ? 'error-text' : 'text'
  if (typeof content === 'string') return { type: kind, value: content }
  if (!Array.isArray(content)) {
    const form = content === null ? 'null' : 'absent'
    return { type: kind, value: '', ...notes.with({ form }) }
  }
  const blocks = objectsOf(content)
  // Only as a text can an output say that the call failed.
  if (blocks.every(isText) && (isError || blocks.length < 2)) {
    const { text, pieces } = textOfPieces(blocks)
    return { type: kind, value: text, ...notes.with({ form: 'blocks', pieces }) }
  }
  const failed = isError ? { anthropic: { isError } } : {}
  return { type: 'content', value: blocks.map(outputPart), ...notes.with({}, failed) }
}

function outputPart(block: Fields): ToolOutputPart {
  const { type } = block
  const media = type === 'image' ? imagePart(block) : undefined
  const document = type === 'document' ? documentPart(block) : undefined
  const known = readText(block, notes) ?? media ?? document
  if (known) return asOutputPart(known)
  // What names a tool is for the provider alone.
  if (type === 'tool_reference') return { type: 'custom', ...notes.with({ part: block }) }
  return { ...unknownOutput(block, notes) }
}

/** The block of a result: in words where the API takes no such output. */
export function resultBlock(part: ToolResultPart, place: string, writing: Writing): Fields {
  const { output } = part
  const content = resultContent(output, place, writing)
  return {
    type: 'tool_result',
    tool_use_id: part.toolCallId,
    ...(content !== undefined && { content }),
    ...(isFailed(output) && { is_error: true }),
    ...fieldsOf(notes.of(part)['rest']),
  }
}

function resultContent(output: ToolOutput, place: string, writing: Writing): unknown {
  const { form, pieces } = notes.of(output)
  if (output.type === 'content') {
    return output.value.flatMap((part, index) =>
      outputBlock(part, `${place}.output[${index}]`, writing),
    )
  }
  const text = outputText(output)
  if (form === 'blocks') return piecesOf(text, pieces)
  if (text !== '' || (form !== 'absent' && form !== 'null')) return text
  return form === 'null' ? null : undefined
}

function outputBlock(part: ToolOutputPart, place: string, writing: Writing): Fields[] {
  const known = knownAgain(part, notes)
  if (known) return [known]
  if (part.type === 'text') {
    return [{ type: 'text', text: part.text ?? '', ...fieldsOf(notes.of(part)['rest']) }]
  }
  return [mediaBlock(asMedium(part), place, writing)]
}
