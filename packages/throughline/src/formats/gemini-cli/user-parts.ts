import { fieldsOf, jsonOf, nameOf, textOf, type Fields } from '../../json/fields.ts'
import { takeOffWrapped } from '../conversation/wrapped.ts'
import type { OriginPart } from '../conversation/user-messages.ts'

/** What Gemini CLI writes in the user's role begins with one of these. */
const harnessStarts: readonly string[] = [
  'This is the Gemini CLI. We are setting up the context for our chat.',
  'System: Please continue.',
  'System: Potential loop detected',
  '<state_snapshot>',
]

/** The message by which it continues by itself when the model seems to have more to say. */
const goesOn = 'Please continue.'

/** Elements that it adds before or after what the human typed. */
const wrappers: readonly string[] = ['session_context', 'hook_context']

/** The files that the human named follow from here on. */
const filesFollow = '--- Content from referenced files ---'

/**
 * A user's message as the model saw it, and who really made each part. `textParts` divides a text,
 * because each harness derived from Gemini CLI uses its own words.
 */
export function userParts(
  content: unknown,
  textParts: (text: string) => OriginPart[] = geminiTexts,
): OriginPart[] {
  const parts: OriginPart[] = []
  let files = false
  for (const part of partsOf(content)) {
    const text = textOf(part['text'])
    if (text === wordsBefore) continue
    if (text?.trim() === filesFollow) files = true
    if (text === undefined) parts.push(...mediaParts(part))
    else if (files) parts.push({ origin: 'harness', part: { type: 'text', text } })
    else parts.push(...textParts(text))
  }
  return parts
}

/** Commands to Gemini CLI itself are never shown to the model. */
export function isCommand(content: unknown): boolean {
  return /^\s*[/?]/.test(contentText(content).slice(0, 200))
}

/** Whether a content tells where the session stands: Gemini CLI gives it anew at every start. */
export function isSurroundings(content: unknown): boolean {
  return contentText(content).trimStart().startsWith('<session_context>')
}

function geminiTexts(text: string): OriginPart[] {
  if (text === '') return []
  const start = text.slice(0, 200).trimStart()
  if (text.trim() === goesOn || harnessStarts.some((sign) => start.startsWith(sign))) {
    return [{ origin: 'harness', part: { type: 'text', text } }]
  }
  return takeOffWrapped(text, wrappers).map((stretch) => ({
    origin: stretch.wrapped ? 'harness' : 'human',
    part: { type: 'text', text: stretch.text },
  }))
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
