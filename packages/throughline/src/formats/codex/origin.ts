import { madeParts } from '../conversation/said-parts.ts'
import type { MessageDraft } from '../../log/entry.ts'
import type { OriginPart } from '../conversation/user-messages.ts'

/** A text of a user's message, before it is divided into what the human said and what was added. */
export function textParts(text: string, harness: boolean): OriginPart[] {
  if (harness || text.trim() === '</image>') return madeParts(text)
  return text === '' ? [] : [{ origin: 'human', part: { type: 'text', text } }]
}

export function isInterruption({ message }: MessageDraft): boolean {
  const { content } = message
  return typeof content === 'string' && content.trimStart().startsWith('<turn_aborted>')
}
