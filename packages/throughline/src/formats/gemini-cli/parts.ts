import {
  boundedValue,
  fieldsOf,
  nameOf,
  objectsOf,
  textOf,
  type Fields,
} from '../../json/fields.ts'
import {
  blocksIn,
  by,
  call,
  media,
  outputMedia,
  reasoning,
  saidBy,
  sealed,
  text,
  textOutput,
  unknownBlock,
  unknownText,
} from '../conversation/parts.ts'
import { madeParts, type OriginPart } from '../conversation/user-messages.ts'
import type { AssistantPart, ToolOutput } from '../../log/message.ts'

/** The parts of a content, which is a text, one part, or a list of both. */
export function partsOf(content: unknown): Fields[] {
  const items: readonly unknown[] = Array.isArray(content) ? content : [content]
  return items.flatMap((item): Fields[] => {
    if (typeof item === 'string') return item === '' ? [] : [{ text: item }]
    return blocksIn([item])
  })
}

/** All that a content says in words. */
export function contentText(content: unknown): string {
  return partsOf(content)
    .map((part) => textOf(part['text']) ?? '')
    .join('')
}

/** The parts of a reply. Gemini 3 wants its signature on a call returned. */
export function replyParts(parts: readonly Fields[]): AssistantPart[] {
  return parts.flatMap((part): AssistantPart[] => {
    const { text: words, thought, thoughtSignature } = part
    if (thought === true) return reasoning(nameOf(words))
    if (typeof words === 'string') return text(words)
    const { id, name, args } = fieldsOf(part['functionCall']) ?? {}
    const called = call(id, name, args, sealed('google', { thoughtSignature }))
    return called.length > 0 || 'inlineData' in part ? called : unknownText(part)
  })
}

/** The message by which it continues by itself when the model seems to have more to say. */
const goesOn = 'Please continue.'

/** A user's message as the model saw it, and who really made each part; `harness` if it made all. */
export function userParts(content: unknown, harness = false): OriginPart[] {
  const parts = partsOf(content).flatMap((part): OriginPart[] => {
    const words = textOf(part['text'])
    if (words === undefined) return mediaParts(part)
    if (words === wordsBefore) return []
    return words.trim() === goesOn ? madeParts(words) : by('human', text(words))
  })
  return saidBy(harness, parts)
}

function mediaParts(part: Fields): OriginPart[] {
  if ('functionResponse' in part) return []
  const found = media(inlineData(part))
  if (found.length > 0) return by('human', found)
  const { fileUri, mimeType: mediaType } = fieldsOf(part['fileData']) ?? {}
  const data = nameOf(fileUri)
  if (!data || typeof mediaType !== 'string') return unknownBlock(part)
  return by('human', [{ type: 'file', data, mediaType }])
}

/** Data that is in the session itself. */
function inlineData(part: Fields): { from: unknown; mediaType: unknown } {
  const { data: from, mimeType: mediaType } = fieldsOf(part['inlineData']) ?? {}
  return { from, mediaType }
}

/** The content of a response to a call, with the media next to it. */
export function outputOf(parts: readonly Fields[], failed: boolean): ToolOutput {
  const responses = objectsOf(parts.map((part) => part['functionResponse']))
  const [response] = responses
  const held = [...parts, ...responses.flatMap(({ parts: inner }) => partsOf(inner))]
  const files = held.flatMap((part) => outputMedia(inlineData(part)))
  const words = response ? '' : parts.map((part) => textOf(part['text']) ?? '').join('\n')
  const output = responseOutput(response?.['response'] ?? { output: words }, failed)
  if (files.length === 0) return output
  const said = 'value' in output ? output.value : ''
  const first = { type: 'text', text: typeof said === 'string' ? said : JSON.stringify(said) }
  const error = output.type.startsWith('error') && { gemini: { failed: true } }
  return { type: 'content', value: [first, ...files], ...(error && { providerOptions: error }) }
}

function responseOutput(value: unknown, failed: boolean): ToolOutput {
  const { error, output } = fieldsOf(value) ?? {}
  if (typeof error === 'string') return textOutput(error, true)
  if (typeof output === 'string') return textOutput(output, failed)
  return { type: failed ? 'error-json' : 'json', value: boundedValue(value) }
}

/** Commands to Gemini CLI itself are never shown to the model. */
export function isCommand(content: unknown): boolean {
  return /^\s*[/?]/.test(contentText(content).slice(0, 200))
}

/** Whether a content tells where the session stands: Gemini CLI gives it anew at every start. */
export function isSurroundings(content: unknown): boolean {
  return contentText(content).trimStart().startsWith('<session_context>')
}

/** Put before words that Gemini CLI would not treat as the user's. */
export const wordsBefore = '[Message:]'

const starts: readonly string[] = ['/', '?', '<session_context>', '<hook_context>']

/** Whether Gemini CLI hides a message with this text from the model. */
export function unheard(text: string): boolean {
  const words = text.trimStart()
  return words === '' || starts.some((start) => words.startsWith(start))
}
