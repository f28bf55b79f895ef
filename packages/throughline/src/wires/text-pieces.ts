import { fieldsOf, objectsOf, textOf, listOf, type Fields } from '../json/fields.ts'
import { restOf, withoutFailureMark, type Notes } from './note.ts'
import { outputText, type SystemMessage, type TextPart, type ToolOutput } from '../log/message.ts'
import { mediumOf, wordsFor, type Medium } from './media.ts'

/** What is noted of blocks of text that are one text to us. */
interface Piece {
  length: number
  rest?: Fields | undefined
}

/** Blocks of text as one text, and what it takes to have them again; nothing where one is all. */
export function textOfPieces(blocks: readonly Fields[]): {
  text: string
  pieces: readonly Piece[] | undefined
} {
  const texts = blocks.map((block) => textOf(block['text']) ?? '')
  const pieces = blocks.map((block, index): Piece => {
    const rest = restOf(block, ['type', 'text'])
    return { length: texts[index]?.length ?? 0, ...(rest && { rest }) }
  })
  const isPlain = pieces.length === 1 && pieces[0]?.rest === undefined
  return { text: texts.join('\n'), pieces: isPlain ? undefined : pieces }
}

/** A text as the blocks that it was read from; as one block where it has changed since. */
export function piecesOf(text: string, pieces: unknown, type = 'text'): Fields[] {
  const noted = objectsOf(pieces)
  if (Array.isArray(pieces) && noted.length === 0 && text === '') return []
  const lengths = noted.map(({ length }) => Number(length))
  const all = lengths.reduce((sum, length) => sum + length, noted.length - 1)
  if (noted.length === 0 || all !== text.length) return [{ type, text }]
  let start = 0
  return noted.map(({ rest }, index) => {
    const end = start + (lengths[index] ?? 0)
    const block = { type, text: text.slice(start, end), ...fieldsOf(rest) }
    start = end + 1
    return block
  })
}

/** The joined text of text parts. */
export function partsText(parts: unknown): string {
  return listOf(parts)
    .map((part) => textOf(fieldsOf(part)?.['text']) ?? '')
    .join('\n\n')
}

/** A system message whose content is a text, or a list of parts that say one. */
export function readSystem(content: unknown, noted: Fields, notes: Notes): SystemMessage {
  return typeof content === 'string'
    ? { role: 'system', content, ...notes.with(noted) }
    : { role: 'system', content: partsText(content), ...notes.with({ ...noted, parts: content }) }
}

/** The content that a system message was read from; its text where that has changed since. */
export function systemContent(message: SystemMessage, notes: Notes): unknown {
  const { parts } = notes.of(message)
  const isUnchanged = Array.isArray(parts) && partsText(parts) === message.content
  return isUnchanged ? parts : message.content
}

/** A part that is a text, with all that it says besides; `undefined` for any other. */
export function readText(part: Fields, notes: Notes): TextPart | undefined {
  const text = textOf(part['text'])
  if (part['type'] !== 'text' || text === undefined) return undefined
  return { type: 'text', text, ...notes.with({ rest: restOf(part, ['type', 'text']) }) }
}

export function isText(part: Fields): boolean {
  return part['type'] === 'text' && typeof part['text'] === 'string'
}

/** The text of a tool's output, for an API that does not say whether a call failed: we do. */
export function textOutput(text: string, noted: Fields, notes: Notes): ToolOutput {
  const failure = withoutFailureMark(text)
  return failure === undefined
    ? { type: 'text', value: text, ...notes.with(noted) }
    : { type: 'error-text', value: failure, ...notes.with(noted) }
}

/** A tool's output, piece by piece: words and media. */
export function outputPieces(output: ToolOutput): (string | Medium)[] {
  if (output.type !== 'content') return [outputText(output)]
  return output.value.map((part) => (part.type === 'text' ? (part.text ?? '') : mediumOf(part)))
}

/** A tool's output as words only, for formats that accept no media there. */
export function outputWords(output: ToolOutput): string {
  return outputPieces(output)
    .map(wordsFor)
    .filter((words) => words !== '')
    .join('\n')
}

/** Whether a call failed or was refused; a format may record it next to the output. */
export function isFailed({ type, providerOptions }: ToolOutput): boolean {
  if (type === 'error-text' || type === 'error-json' || type === 'execution-denied') return true
  return Object.values(providerOptions ?? {}).some(
    (noted) => noted['failed'] === true || noted['isError'] === true,
  )
}
