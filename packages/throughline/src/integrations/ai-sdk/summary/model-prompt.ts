import { toModelMessages, type SplitPrompt } from '../model-messages.ts'
import type { Message } from '../../../log/message.ts'

/** A prompt as settings of `generateText` and `streamText`. */
export interface ModelPrompt {
  instructions?: SplitPrompt['system']
  messages: SplitPrompt['messages']
}

/**
 * A system prompt and messages exactly as in a session's own requests, so that the provider's cache
 * recognizes them.
 */
export function modelPrompt(request: {
  system?: string | undefined
  messages: readonly Message[]
}): ModelPrompt {
  const { system, messages } = toModelMessages(request.messages)
  const instructions = request.system
    ? [{ role: 'system' as const, content: request.system }, ...system]
    : system
  return { ...(instructions.length > 0 && { instructions }), messages }
}
