import { fieldsOf, objectsOf, textOf, type Fields } from '../../json/fields.ts'
import type { GeminiContent } from '../../wires/gemini/content.ts'

/** What people pass as contents: a text, parts, or contents. The SDK reads it the same way. */
export function contentsOf(given: unknown): GeminiContent[] {
  if (!Array.isArray(given)) return [contentOf(given)]
  if (given.some(isContent)) return joinedPieces(given.map(contentOf))
  return given.length === 0 ? [] : [{ role: 'user', parts: given.map(partOf) }]
}

function isContent(given: unknown): given is GeminiContent {
  return Array.isArray(fieldsOf(given)?.['parts'])
}

function contentOf(given: unknown): GeminiContent {
  return isContent(given) ? given : { role: 'user', parts: [partOf(given)] }
}

function partOf(given: unknown): object {
  return fieldsOf(given) ?? { text: String(given) }
}

/** One content for each answer: a stream leaves all of its pieces in a chat's history. */
export function joinedPieces(contents: readonly GeminiContent[]): GeminiContent[] {
  const joined: GeminiContent[] = []
  for (let start = 0; start < contents.length;) {
    let end = start + 1
    while (contents[start]?.role === 'model' && contents[end]?.role === 'model') end += 1
    const pieces = contents.slice(start, end)
    const [first] = pieces
    if (first) joined.push(pieces.length === 1 ? first : { ...first, parts: partsOf(pieces) })
    start = end
  }
  return joined
}

function partsOf(pieces: readonly GeminiContent[]): Fields[] {
  const parts: Fields[] = []
  for (const part of pieces.flatMap((piece) => objectsOf(piece.parts))) {
    const last = parts.at(-1)
    if (part['text'] === '' && Object.keys(part).length === 1) continue
    if (last && isPlain(part) && isPlain(last)) {
      parts[parts.length - 1] = { text: `${textOf(last['text'])}${textOf(part['text'])}` }
    } else parts.push(part)
  }
  return parts
}

/** Thoughts and signatures are bound to their piece. */
function isPlain(part: Fields): boolean {
  return typeof part['text'] === 'string' && Object.keys(part).length === 1
}
