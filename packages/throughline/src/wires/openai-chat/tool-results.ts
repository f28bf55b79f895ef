import { asMedium, asOutputPart } from '../media.ts'
import { attachmentText } from '../../compaction/clip/describe-media.ts'
import { fieldsOf, nameOf, objectsOf, type Fields } from '../../json/fields.ts'
import {
  isFailed,
  isText,
  outputWords,
  piecesOf,
  readText,
  textOfPieces,
  textOutput,
} from '../text-pieces.ts'
import { knownAgain, unknownOutput } from '../unknown-part.ts'
import { markedFailure, restOf } from '../note.ts'
import { notes } from './message.ts'
import { outputText } from '../../log/message.ts'
import { readUserPart, writtenMedium } from './user-parts.ts'
import type { ToolMessage, ToolOutput, ToolOutputPart, ToolResultPart } from '../../log/message.ts'
import { type Writing, type Reading } from '../reading.ts'
import type { ToolNames } from '../tool-names.ts'
import type { OlderCalls } from '../older-calls.ts'

/** What a message is read with. */
export interface Context {
  names: ToolNames
  older: OlderCalls
  reading: Reading
}

/** The result of a call; `undefined` if the message has no content. */
export function readResult(
  native: Fields,
  toolCallId: string,
  { names }: Context,
): ToolMessage | undefined {
  const isOlder = native['role'] === 'function'
  const output = outputOf(native['content'])
  if (!output) return undefined
  const toolName = names.get(toolCallId) ?? nameOf(native['name']) ?? 'unknown'
  const said = ['role', 'content', ...(isOlder ? [] : ['tool_call_id'])]
  const noted = notes.with({
    rest: restOf(native, said),
    ...(isOlder && { form: 'function' }),
  })
  return {
    role: 'tool',
    content: [{ type: 'tool-result', toolCallId, toolName, output, ...noted }],
  }
}

/** The API does not say whether a call failed; we do. */
function outputOf(content: unknown): ToolOutput | undefined {
  if (typeof content === 'string') return textOutput(content, {}, notes)
  if (content === null) return { type: 'text', value: '', ...notes.with({ form: 'null' }) }
  if (!Array.isArray(content)) return undefined
  const parts = objectsOf(content)
  if (parts.length < 2 && parts.every(isText)) {
    const { text, pieces } = textOfPieces(parts)
    return textOutput(text, { form: 'parts', pieces }, notes)
  }
  return { type: 'content', value: parts.map(outputPart), ...notes.with({ form: 'parts' }) }
}

function outputPart(part: Fields): ToolOutputPart {
  const text = readText(part, notes)
  if (text) return { ...text }
  const medium = part['type'] === 'image_url' ? readUserPart(part) : undefined
  return medium?.type === 'image' ? asOutputPart(medium) : { ...unknownOutput(part, notes) }
}

export function writeResult(part: ToolResultPart, place: string, writing: Writing): Fields {
  const { form, rest } = notes.of(part)
  const content = contentOf(part.output, place, writing)
  return form === 'function'
    ? { role: 'function', content, ...fieldsOf(rest) }
    : { role: 'tool', tool_call_id: part.toolCallId, content, ...fieldsOf(rest) }
}

function contentOf(output: ToolOutput, place: string, writing: Writing): unknown {
  const { form, pieces } = notes.of(output)
  if (output.type !== 'content') {
    const text = isFailed(output) ? markedFailure(outputText(output)) : outputText(output)
    if (form === 'null' && text === '') return null
    return form === 'parts' ? piecesOf(text, pieces) : text
  }
  const written = output.value.map((part, index) =>
    outputContent(part, `${place}.output[${index}]`, writing),
  )
  if (form === 'parts' && written.every((part) => part !== undefined)) return written
  // Some servers don't accept a list here, and there is no other way to report a failed call.
  const words = outputWords(output)
  return isFailed(output) ? markedFailure(words) : words
}

/** A part of a result; `undefined` where the words of the whole have to do. */
function outputContent(part: ToolOutputPart, place: string, writing: Writing): Fields | undefined {
  const known = knownAgain(part, notes)
  if (known) return known
  if (part.type === 'text') {
    return { type: 'text', text: part.text ?? '', ...fieldsOf(notes.of(part)['rest']) }
  }
  const medium = asMedium(part)
  if (notes.of(part)['form'] !== undefined) {
    const written = writtenMedium(medium)
    if (written) return written
  }
  const problem = 'Chat Completions only accepts text in the result of a call'
  const words = attachmentText({ mediaType: medium.mediaType ?? 'image' })
  writing.instead({ place, problem, words })
  return undefined
}
