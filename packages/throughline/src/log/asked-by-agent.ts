import type { Metadata, MessageDraft } from './entry.ts'

/**
 * The mark of a message that stands in the human's place in the session of a sub-agent: the agent that
 * started it asks. It begins a turn and is answered as the human's are, but makes no rule.
 */
export const askedByAgent: Metadata = { asked_by: 'agent' }

export function isAskedByAgent({ metadata }: Pick<MessageDraft, 'metadata'>): boolean {
  return metadata?.['asked_by'] === 'agent'
}
