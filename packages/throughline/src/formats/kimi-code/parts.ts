import {
  boundedValue,
  dataOf,
  decodedInput,
  fieldsOf,
  nameOf,
  objectsOf,
  textOf,
  type Fields,
} from '../../json/fields.ts'
import { outputOfPieces } from '../conversation/parts.ts'
import type { AssistantPart, ToolOutput, ToolOutputPart, UserPart } from '../../log/message.ts'
import type { OriginPart } from '../conversation/user-messages.ts'

/** What stands in the user's place, as parts. */
export function partsOfContent(content: unknown): OriginPart[] {
  return blocksOf(content).flatMap((block): OriginPart[] => {
    const part = userPart(block)
    return part ? [{ origin: 'human', part }] : []
  })
}

/** Kimi CLI kept a message of one text as that text. */
function blocksOf(content: unknown): Fields[] {
  return typeof content === 'string' ? [{ type: 'text', text: content }] : objectsOf(content)
}

function userPart(block: Fields): UserPart | undefined {
  const text = textOf(block['text'])
  if (block['type'] === 'text') return text ? { type: 'text', text } : undefined
  const medium = mediumIn(block)
  if (!medium) return undefined
  const { mediaType, data } = medium
  return mediaType.startsWith('image/')
    ? { type: 'image', image: data, mediaType }
    : { type: 'file', data, mediaType }
}

/** What Kimi has put aside in a file of its own, it names by a URL that only it can read. */
function mediumIn(block: Fields): { mediaType: string; data: string } | undefined {
  const field = media.get(block['type'])
  if (field === undefined) return undefined
  const held = fieldsOf(block[field.now] ?? block[field.before])
  const url = nameOf(held?.['url'])
  if (url === undefined) return undefined
  const { mediaType, data } = dataOf(url) ?? {}
  if (data) return { mediaType: mediaType || field.usual, data }
  return { mediaType: field.usual, data: url }
}

const media = new Map<unknown, { now: string; before: string; usual: string }>([
  ['image_url', { now: 'imageUrl', before: 'image_url', usual: 'image/png' }],
  ['audio_url', { now: 'audioUrl', before: 'audio_url', usual: 'audio/mpeg' }],
  ['video_url', { now: 'videoUrl', before: 'video_url', usual: 'video/mp4' }],
])

/** A reply: its text and reasoning, then its calls. */
export function assistantParts(message: Fields): AssistantPart[] {
  const calls = objectsOf(message['toolCalls'] ?? message['tool_calls'])
  return [...blocksOf(message['content']).flatMap(saidPart), ...calls.flatMap(callPart)]
}

/** Reasoning that can neither be read nor sent again is left out. */
function saidPart(block: Fields): AssistantPart[] {
  if (block['type'] === 'text') {
    const text = textOf(block['text'])
    return text ? [{ type: 'text', text }] : []
  }
  const thought = textOf(block['think']) ?? ''
  const encrypted = nameOf(block['encrypted'])
  if (block['type'] !== 'think' || (thought === '' && !encrypted)) return []
  const providerOptions = encrypted && { providerOptions: { kimi: { encrypted } } }
  return [{ type: 'reasoning', text: thought, ...providerOptions }]
}

function callPart(call: Fields): AssistantPart[] {
  const inner = fieldsOf(call['function']) ?? call
  const toolCallId = nameOf(call['id'])
  const toolName = nameOf(inner['name'])
  if (!toolCallId || !toolName) return []
  const given = call['args'] ?? decodedInput(inner['arguments'])
  return [{ type: 'tool-call', toolCallId, toolName, input: boundedValue(given ?? {}) }]
}

/** What a tool gave: its output, then what it notes about it. */
export function toolOutput(content: unknown, { isError, note }: Fields): ToolOutput {
  const blocks = [...blocksOf(content), ...(nameOf(note) ? [{ type: 'text', text: note }] : [])]
  const pieces = blocks.flatMap((block): ToolOutputPart[] => {
    const text = textOf(block['text'])
    if (block['type'] === 'text') return text === undefined ? [] : [{ type: 'text', text }]
    const medium = mediumIn(block)
    if (!medium) return []
    const { mediaType, data } = medium
    const isUrl = /^[a-z][a-z0-9+.-]*:/i.test(data)
    return [
      {
        type: 'file',
        mediaType,
        data: isUrl ? { type: 'url', url: data } : { type: 'data', data },
      },
    ]
  })
  return outputOfPieces(pieces, isError === true, { kimi: { failed: true } })
}
