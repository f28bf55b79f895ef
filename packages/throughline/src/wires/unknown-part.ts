import { fieldsOf, jsonOf, nameOf, textOf, type Fields, parsedJson } from '../json/fields.ts'
import type { CustomPart, FilePart, Part, TextPart } from '../log/message.ts'
import type { Notes } from './note.ts'

const form = 'json'

/**
 * A user's message part of an unknown kind, as a file that contains its JSON. It is not text, which
 * would be taken for the human's words.
 */
export function unknownPart(part: Fields, notes: Notes): FilePart {
  const filename = nameOf(part['filename']) ?? nameOf(part['title'])
  return {
    type: 'file',
    data: { type: 'text', text: jsonOf(part) ?? '' },
    mediaType: 'application/json',
    ...(filename !== undefined && { filename }),
    ...notes.with({ form }),
  }
}

/** A part of a tool's output of an unknown kind, as its JSON. */
export function unknownOutput(part: Fields, notes: Notes): TextPart {
  return { type: 'text', text: jsonOf(part) ?? '', ...notes.with({ form }) }
}

/** A part of an answer of an unknown kind: only its provider knows what it says. */
export function unknownSaid(part: Fields, provider: string, notes: Notes): CustomPart {
  return {
    type: 'custom',
    kind: `${provider}.${textOf(part['type']) ?? 'unknown'}`,
    ...notes.with({ part }),
  }
}

/** Whether a part replaces one of an unknown kind, which no human wrote. */
export function isUnknown(part: Part): boolean {
  if (part.type !== 'file' && part.type !== 'text') return false
  return Object.values(part.providerOptions ?? {}).some((noted) => noted['form'] === form)
}

/**
 * The original of such a part; `undefined` for other parts, and if a redaction made it invalid
 * JSON.
 */
export function knownAgain(
  part: { type: string; data?: unknown; text?: unknown },
  notes: Notes,
): Fields | undefined {
  const noted = notes.of(part)
  if (part.type === 'custom') return fieldsOf(noted['part'])
  if (noted['form'] !== form) return undefined
  if (fieldsOf(noted['part'])) return fieldsOf(noted['part'])
  return parsedFields(textOf(part.type === 'text' ? part.text : fieldsOf(part.data)?.['text']))
}

export function parsedFields(text: string | undefined): Fields | undefined {
  return fieldsOf(parsedJson(text ?? ''))
}
