import {
  dataOf,
  decodedInput,
  fieldsOf,
  nameOf,
  objectsOf,
  textOf,
  type Fields,
} from '../../json/fields.ts'
import {
  blocksIn,
  call,
  media,
  outputMedia,
  outputOfPieces,
  outputText,
  partsByType,
  reasoning,
  saidByType,
  sealed,
  text,
  type Rows,
} from '../conversation/parts.ts'
import type { AssistantPart, ToolOutput } from '../../log/message.ts'
import type { OriginPart } from '../conversation/user-messages.ts'

/** Where a kind of block holds its medium, now and in Kimi CLI, and what it usually is. */
const mediaFields = [
  { type: 'image_url', now: 'imageUrl', usual: 'image/png' },
  { type: 'audio_url', now: 'audioUrl', usual: 'audio/mpeg' },
  { type: 'video_url', now: 'videoUrl', usual: 'video/mp4' },
] as const

/** The rows for blocks of text and of media. */
function contentRows<Part>(
  textRow: (value: unknown) => Part[],
  mediaRow: (source: { from: string; mediaType: string }) => Part[],
): Rows<Fields, Part[]> {
  const rows = mediaFields.map(({ type, now, usual }) => {
    const row = (block: Fields): Part[] => {
      const from = nameOf(fieldsOf(block[now] ?? block[type])?.['url']) ?? ''
      return mediaRow({ from, mediaType: nameOf(dataOf(from)?.mediaType) ?? usual })
    }
    return [type, row] as const
  })
  return { text: (block) => textRow(block['text']), ...Object.fromEntries(rows) }
}

const userRows = contentRows(text, media)
const outputRows = contentRows(outputText, outputMedia)

/** What stands in the user's place, as parts. */
export function partsOfContent(content: unknown): OriginPart[] {
  return saidByType(userRows, blocksIn(content))
}

/** A reply: its text and reasoning, then its calls. */
export function assistantParts(message: Fields): AssistantPart[] {
  const calls = objectsOf(message['toolCalls'] ?? message['tool_calls'])
  return [...partsByType(replyRows, blocksIn(message['content'])), ...calls.flatMap(callPart)]
}

const replyRows: Rows<Fields, AssistantPart[]> = {
  text: (block) => text(block['text']),
  think: ({ think, encrypted }) => reasoning(think, sealed('kimi', { encrypted })),
}

function callPart(called: Fields): AssistantPart[] {
  const { name, arguments: given } = fieldsOf(called['function']) ?? called
  return call(called['id'], name, called['args'] ?? decodedInput(given))
}

/** What a tool gave: its output, then what it notes about it. */
export function toolOutput(content: unknown, { isError, note }: Fields): ToolOutput {
  const blocks = [...blocksIn(content), ...(nameOf(note) ? [{ type: 'text', text: note }] : [])]
  const pieces = partsByType(outputRows, blocks)
  return outputOfPieces(pieces, isError === true, { kimi: { failed: true } })
}

export function textsOf(parts: readonly OriginPart[]): string[] {
  return parts.flatMap(({ part }) => (part.type === 'text' ? [part.text] : []))
}

/** The words of a summary, as a text or in blocks. */
export function wordsOf(value: unknown): string {
  const texts = objectsOf(fieldsOf(value)?.['content']).map((block) => textOf(block['text']) ?? '')
  return textOf(value) ?? texts.join('')
}
