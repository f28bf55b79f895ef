import { closeResults, giveEntries, type Conversation } from './conversation.ts'
import type { MessageDraft } from '../../log/entry.ts'

/** Messages from the harness while calls are open: they go after the results. */
export interface Asides {
  conversation: Conversation
  held: MessageDraft[]
}

const mostHeld = 256

export function newAsides(conversation: Conversation): Asides {
  return { conversation, held: [] }
}

/** Whether this waits for the results of open calls; the human's messages don't wait. */
function waits({ conversation, held }: Asides, drafts: readonly MessageDraft[]): boolean {
  const harness = drafts.every(({ origin }) => origin === 'harness')
  return harness && conversation.open.size > 0 && held.length < mostHeld
}

/**
 * Holds back the harness's messages while calls are open; otherwise returns false and does nothing.
 */
export function holds(asides: Asides, drafts: readonly MessageDraft[]): boolean {
  if (!waits(asides, drafts)) return false
  for (const draft of drafts) asides.held.push(draft)
  return true
}

/** Gives what stands in the user's role: no more results are awaited. */
export function giveUsers(asides: Asides, drafts: readonly MessageDraft[]): void {
  settle(asides)
  asides.conversation.open.clear()
  giveEntries(asides.conversation, drafts)
}

/** Adds the results so far and what waited for them. */
export function settle({ conversation, held }: Asides): void {
  closeResults(conversation)
  if (held.length > 0) giveEntries(conversation, held.splice(0))
}
