/**
 * Whether a part of an answer is about the answer alone, such as its usage so far: it is never said
 * to a provider again, and is no part of the conversation.
 */
export function isNotice(part: { type: string; kind?: unknown }): boolean {
  return part.type === 'custom' && part.kind === 'anthropic.message_start'
}
