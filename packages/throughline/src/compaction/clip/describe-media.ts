import { outputText, partsOf, type Message, type Part } from '../../log/message.ts'
import { ref } from '../../log/ref.ts'
import { clipNote } from './clip.ts'
import type { Replacement, Seq } from '../../log/entry.ts'
import type { ContextItem } from '../../log/context/context-item.ts'

/** The text that replaces a medium. */
export function attachmentText({
  mediaType,
  filename,
}: {
  mediaType?: string | undefined
  filename?: string | undefined
}): string {
  return `[Attached ${mediaType ?? 'file'}${filename ? `: ${filename}` : ''}]`
}

/**
 * The replacements for the media of a message, wherever they are in it: each says what was left out
 * and how to read it back.
 */
export function describeMedia(message: Message, seq: Seq): Replacement[] {
  return partsOf(message).flatMap((part, index): Replacement[] => {
    const text = descriptionOf(part)
    if (text === undefined) return []
    const at = ref(seq, index)
    return [{ how: 'described', ref: at, text: `${text} ${clipNote(at)}` }]
  })
}

export function hasMedia(message: Message): boolean {
  return partsOf(message).some((part) => part.type === 'image' || part.type === 'file')
}

/** Whether a part is a medium, or a result with one in it. */
export function carriesMedia(part: Part): boolean {
  return descriptionOf(part) !== undefined
}

function descriptionOf(part: Part): string | undefined {
  if (part.type === 'image') return attachmentText({ mediaType: part.mediaType ?? 'image' })
  if (part.type === 'file') return attachmentText(part)
  if (part.type !== 'tool-result' || part.output.type !== 'content') return undefined
  const media = part.output.value.filter((item) => item.type !== 'text')
  if (media.length === 0) return undefined
  return [outputText(part.output), ...media.map(attachmentText)]
    .filter((text) => text.trim() !== '')
    .join('\n')
}

/** The replacements that an item's parts already have. */
export function earlierReplacements(item: ContextItem): Replacement[] {
  if (item.type === 'continuation') return item.continuation.replacements ?? []
  return item.type === 'message' ? [...(item.replacements ?? [])] : []
}

/**
 * The replacements for an item's parts if it stays without its media, which are described as text.
 */
export function keptReplacements(item: ContextItem): Replacement[] {
  const media = item.type === 'message' ? describeMedia(item.message, item.seq) : []
  return [...earlierReplacements(item), ...media]
}

/** How many parts of an item are or carry media. */
export function mediaIn(item: ContextItem): number {
  return item.type === 'message' ? describeMedia(item.message, item.seq).length : 0
}
