/**
 * Whether a part of an answer only describes the answer, such as its usage so far: it is never sent
 * to a provider again and isn't part of the conversation.
 */
export function isNotice(part: { type: string; kind?: unknown }): boolean {
  return part.type === 'custom' && part.kind === 'anthropic.message_start'
}
