import { fieldsOf, nameOf, textOf, type Fields } from '../../json/fields.ts'
import type { FilePart } from '../../log/message.ts'
import type { Notes } from '../shapes/note.ts'

/** A part of a user's message that we have no word for, as the JSON that it is. */
export function unknownPart(part: Fields, notes: Notes): FilePart {
  const filename = nameOf(part['filename'])
  return {
    type: 'file',
    data: { type: 'text', text: JSON.stringify(part) },
    mediaType: 'application/json',
    ...(filename !== undefined && { filename }),
    ...notes.with({ form: 'json' }),
  }
}

/** What such a part was; `undefined` for another, and where a redaction has made it no JSON. */
export function knownAgain(part: FilePart, notes: Notes): Fields | undefined {
  if (notes.of(part)['form'] !== 'json') return undefined
  return parsedFields(textOf(fieldsOf(part.data)?.['text']))
}

export function parsedFields(text: string | undefined): Fields | undefined {
  try {
    return fieldsOf(JSON.parse(text ?? ''))
  } catch {
    return undefined
  }
}
