import { fieldsOf, textOf, type Fields } from '../../json/fields.ts'
import { fileName, inlineData, isImage, mediumOf, urlIn, urlOf, wordsFor } from '../media.ts'
import { knownAgain, unknownPart } from '../unknown-part.ts'
import { restOf, notesUnder } from '../note.ts'
import type { Part, UserPart } from '../../log/message.ts'
import type { Writing } from '../reading.ts'

/** An item of an agent's input or output, as far as Throughline reads it: `AgentInputItem`. */
export interface AgentItem {
  type?: string | undefined
}

/** What the Agents SDK has beyond our own shape. */
export const notes = notesUnder('openai-agents')

export function readContent(part: Fields): UserPart {
  const { type, text, image, file, filename } = part
  if (type === 'input_text' && typeof text === 'string') {
    return { type: 'text', text, ...notes.with({ rest: restOf(part, ['type', 'text']) }) }
  }
  if (type === 'input_image' && typeof image === 'string' && image !== '') {
    const inline = inlineData(image)
    return {
      type: 'image',
      image: inline?.data ?? image,
      ...(inline && { mediaType: inline.mediaType }),
      ...notes.with({ form: 'image', rest: restOf(part, ['type', 'image']) }),
    }
  }
  const inline = type === 'input_file' && typeof file === 'string' ? inlineData(file) : undefined
  if (!inline) return unknownPart(part, notes)
  const name = textOf(filename)
  return {
    type: 'file',
    ...inline,
    ...(name !== undefined && { filename: name }),
    ...notes.with({
      form: 'file',
      rest: restOf(part, ['type', 'file', ...(name === undefined ? [] : ['filename'])]),
    }),
  }
}

/** A part of a user's message, in words where the SDK has no such content. */
export function writeContent(part: Part, place: string, writing: Writing): Fields[] {
  if (part.type === 'text') return [{ type: 'input_text', text: part.text, ...restIn(part) }]
  if (part.type !== 'image' && part.type !== 'file') {
    const problem = `the Agents SDK has no content for a part of type ${part.type}`
    const text = writing.instead({ place, problem })
    return text === undefined ? [] : [{ type: 'input_text', text }]
  }
  const known = knownAgain(part, notes)
  if (known) return [known]
  const { form } = notes.of(part)
  if (form === 'image' && part.type === 'image') {
    return [{ type: 'input_image', image: urlIn(part, part.image), ...restIn(part) }]
  }
  if (form === 'file' && part.type === 'file') {
    const { filename } = part
    const named = filename !== undefined && { filename }
    return [{ type: 'input_file', file: urlIn(part, part.data), ...named, ...restIn(part) }]
  }
  const medium = mediumOf(part)
  if (typeof medium === 'string') return [{ type: 'input_text', text: medium }]
  if (isImage(medium)) return [{ type: 'input_image', image: urlOf(medium) }]
  if (medium.mediaType === 'application/pdf') {
    return [{ type: 'input_file', file: urlOf(medium), filename: fileName(medium) }]
  }
  const problem = `OpenAI takes no ${medium.mediaType} in a message`
  const text = writing.instead({ place, problem, words: wordsFor(medium) })
  return text === undefined ? [] : [{ type: 'input_text', text }]
}

export function restIn(part: object): Fields {
  return fieldsOf(notes.of(part)['rest']) ?? {}
}
