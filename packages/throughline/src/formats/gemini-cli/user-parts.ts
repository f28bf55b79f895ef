import { fieldsOf, jsonOf, nameOf, textOf, type Fields } from '../../json/fields.ts'
import { madeParts, saidInParts } from '../conversation/user-messages.ts'
import type { OriginPart } from '../conversation/user-messages.ts'

/** The message by which it continues by itself when the model seems to have more to say. */
const goesOn = 'Please continue.'

/** A user's message as the model saw it, and who really made each part; `harness` if it made all. */
export function userParts(content: unknown, harness = false): OriginPart[] {
  const parts = partsOf(content).flatMap((part): OriginPart[] => {
    const text = textOf(part['text'])
    if (text === undefined) return mediaParts(part)
    if (text === wordsBefore || text === '') return []
    if (text.trim() === goesOn) return madeParts(text)
    return [{ origin: 'human', part: { type: 'text', text } }]
  })
  return harness ? parts.map(({ part }) => ({ origin: 'harness', part })) : saidInParts(parts)
}

/** Commands to Gemini CLI itself are never shown to the model. */
export function isCommand(content: unknown): boolean {
  return /^\s*[/?]/.test(contentText(content).slice(0, 200))
}

/** Whether a content tells where the session stands: Gemini CLI gives it anew at every start. */
export function isSurroundings(content: unknown): boolean {
  return contentText(content).trimStart().startsWith('<session_context>')
}

function mediaParts(part: Fields): OriginPart[] {
  if ('functionResponse' in part) return []
  const found = inlineData(part)
  if (found) {
    const { mediaType, data } = found
    const image = mediaType.startsWith('image')
    return [
      {
        origin: 'human',
        part: image ? { type: 'image', image: data, mediaType } : { type: 'file', data, mediaType },
      },
    ]
  }
  const file = fieldsOf(part['fileData'])
  const data = nameOf(file?.['fileUri'])
  const mediaType = nameOf(file?.['mimeType'])
  if (data && mediaType) return [{ origin: 'human', part: { type: 'file', data, mediaType } }]
  const json = jsonOf(part)
  return json === undefined ? [] : [{ origin: 'harness', part: { type: 'text', text: json } }]
}

/** The parts of a content, which is a text, one part, or a list of both. */
export function partsOf(content: unknown): Fields[] {
  const items: readonly unknown[] = Array.isArray(content) ? content : [content]
  return items.flatMap((item): Fields[] => {
    if (typeof item === 'string') return item === '' ? [] : [{ text: item }]
    const part = fieldsOf(item)
    return part ? [part] : []
  })
}

/** All that a content says in words. */
export function contentText(content: unknown): string {
  return partsOf(content)
    .map((part) => textOf(part['text']) ?? '')
    .join('')
}

/** Data that is in the session itself. */
export function inlineData(part: Fields): { mediaType: string; data: string } | undefined {
  const inline = fieldsOf(part['inlineData'])
  const data = nameOf(inline?.['data'])
  return data ? { mediaType: nameOf(inline?.['mimeType']) ?? 'image', data } : undefined
}

/** Put before words that Gemini CLI would not treat as the user's. */
export const wordsBefore = '[Message:]'

const starts: readonly string[] = ['/', '?', '<session_context>', '<hook_context>']

/** Whether Gemini CLI hides a message with this text from the model. */
export function unheard(text: string): boolean {
  const words = text.trimStart()
  return words === '' || starts.some((start) => words.startsWith(start))
}
