import { objectsOf, textOf } from '../../json/fields.ts'
import type { SaidPart } from './served-request.ts'

/**
 * The text of a content that is a text, or a list of blocks, some of which are text; blocks of
 * other kinds are named.
 */
export function saidTexts(role: string, content: unknown): SaidPart[] {
  if (typeof content === 'string')
    return content === '' ? [] : [{ type: 'text', role, text: content }]
  return objectsOf(content).map((block) => {
    const text = textOf(block['text'])
    if (text === undefined) return { type: 'other', role, kind: String(block['type']) }
    return { type: 'text', role, text }
  })
}

/** The texts of a content, one a line. */
export function textIn(content: unknown): string {
  return saidTexts('', content)
    .flatMap((part) => (part.type === 'text' ? [part.text] : []))
    .join('\n')
}
